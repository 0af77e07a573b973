import { waitFor } from '@levada/connect-runtime-core/testing';
import { createTopic } from '@levada/kafka-testkit';
import { describeWithBroker } from '@levada/kafka-testkit/vitest';
import { expect, it, onTestFinished } from 'vitest';
import { otlpClient } from './otlp-client.ts';
import { runOtlp } from './otlp-connector.ts';
import { startOtlpFlood } from './otlp-flood.ts';
import { threeSignals } from './otlp-numbered.ts';
import { stage } from './stage.ts';
import { onCluster, startWorkerProcess } from './worker-process.ts';

const { newFolder } = stage();

const MiB = 1024 * 1024;
/** Some 350 MB: almost four times what the three queues hold. */
const REQUESTS = 10_000;

describeWithBroker('an OTLP connector that is flooded while its broker stands still', {}, (broker) => {
  it('stays below 512 MiB at defaults, refuses what it cannot hold, and accounts for every message', async () => {
    for (const signal of threeSignals) await createTopic(broker(), `otlp-${signal}`);
    const worker = await startWorkerProcess(await newFolder(), onCluster(broker().bootstrap, 'flooded'));
    await worker.ready();
    const ports = await runOtlp(worker, 'telemetry');
    const client = otlpClient(ports);
    expect((await client.send('grpc', 'logs', 'first')).kind).toBe('success');
    await worker.untilAttribute('telemetry', 'RecordsProduced', (n) => n === 1);
    broker().pause();
    onTestFinished(() => broker().unpause());
    const flood = startOtlpFlood(ports);
    onTestFinished(() => flood.stop());
    let most = 0;
    await waitFor(
      async () => {
        most = Math.max(most, worker.residentBytes());
        expect(await worker.attributes('telemetry')).toMatchObject({ UnaccountedCount: 0 });
        return flood.requests() > REQUESTS;
      },
      { timeoutMs: 90_000, what: () => JSON.stringify(flood.answers()) },
    );
    await flood.stop();
    expect(most).toBeLessThan(512 * MiB);
    expect(Object.keys(flood.answers()).toSorted()).toEqual(['grpc 0', 'grpc 14', 'http 200', 'http 503']);
    const full = await worker.untilAttribute('telemetry', 'PendingExports', (n) => n === 0);
    expect(full['TotalMessagesDropped']).toBeGreaterThan(1000);
    expect(full).toMatchObject({ UnaccountedCount: 0 });
    broker().unpause();
    const kept = full['TotalMessagesReceived'] as number;
    const drained = await worker.untilAttribute(
      'telemetry',
      'RecordsProduced',
      (n) => n === kept - (full['TotalMessagesDropped'] as number),
    );
    expect(drained).toMatchObject({ QueueSize: 0, QueueBytes: 0, InFlightCount: 0, UnaccountedCount: 0 });
    expect((await client.send('http/json', 'logs', 'last')).kind).toBe('success');
    await worker.untilState('telemetry', 'RUNNING');
    expect(worker.logged('task_failed')).toEqual([]);
    expect(await worker.end('SIGTERM')).toBe(0);
    expect(worker.errors()).toBe('');
  });
});
