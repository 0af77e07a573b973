import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentLogger, systemClock } from '@levada/connect-runtime-core';
import { createTopic, readTopic, startKafkaProxy } from '@levada/kafka-testkit';
import { describeWithBroker } from '@levada/kafka-testkit/vitest';
import { openKafkaPlatform } from '@levada/platform-kafka';
import { expect, it, onTestFinished } from 'vitest';
import { stage } from './stage.ts';
import { onCluster, startWorkerProcess } from './worker-process.ts';

const { newFolder } = stage();

const lines = Array.from({ length: 200 }, (_, number) => `line ${number}`);
/** How often the coordinator looks for transactions that are open for too long. */
const quick = { 'transaction.abort.timed.out.transaction.cleanup.interval.ms': '500' };

describeWithBroker('brokers out of reach in the middle of a transaction', { settings: quick }, (broker) => {
  it('cost no record and repeat none, and the task starts again by itself', async () => {
    const topic = 'outage';
    await createTopic(broker(), topic);
    const proxy = await startKafkaProxy(broker());
    onTestFinished(() => proxy.close());
    const folder = await newFolder();
    const file = join(folder, 'lines.txt');
    await writeFile(file, '');
    const worker = await startWorkerProcess(folder, {
      ...onCluster(proxy.bootstrap, topic),
      'plugin.path': fileURLToPath(new URL('../../../../examples/write-a-connector', import.meta.url)),
      'exactly.once.source.support': 'enabled',
      'producer.transaction.timeout.ms': '4000',
    });
    await worker.ready();
    await worker.call('PUT', '/connectors/lines/config', {
      'connector.class': 'FileStreamSource',
      file,
      topic,
      'transaction.boundary': 'interval',
      'transaction.boundary.interval.ms': '60000',
    });
    await worker.untilState('lines', 'RUNNING');
    await appendFile(file, lines.map((text) => `${text}\n`).join(''));
    await readTopic(broker(), topic, { count: lines.length, uncommitted: true });
    proxy.blackhole(true);
    await writeRecord(topic, 'after it');
    // Readers of committed records get it once the brokers have ended the transaction.
    await readTopic(broker(), topic, { count: 1 });
    proxy.blackhole(false);
    const stored = await readTopic(broker(), topic, { count: 1 + lines.length, lingerMs: 300 });
    expect(stored.map(({ value }) => String(value))).toEqual(['after it', ...lines]);
    await worker.untilState('lines', 'RUNNING');
    expect(worker.output()).toContain('transaction_timed_out');
    await worker.end('SIGTERM');
  }, 90_000);

  /** Past the proxy, and in no transaction. */
  async function writeRecord(topic: string, text: string): Promise<void> {
    const platform = await openKafkaPlatform({
      config: { 'bootstrap.servers': broker().bootstrap },
      logger: silentLogger,
      clock: systemClock,
    });
    const producer = await platform.producer({ clientId: 'other' });
    const value = Buffer.from(text);
    await producer.send([{ topic, partition: 0, key: null, value, timestamp: Date.now(), headers: [] }]);
    await platform.close();
  }
});
