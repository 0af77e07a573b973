import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { createTopic, type JavaWorker, startJavaWorker } from '@levada/kafka-testkit';
import { describeWithBroker } from '@levada/kafka-testkit/vitest';
import { afterEach, expect, it } from 'vitest';
import { quickBroker } from '../end-to-end/quick-broker.ts';
import { stage } from '../end-to-end/stage.ts';
import { startWorkerHere } from '../end-to-end/worker-here.ts';
import { onCluster } from '../end-to-end/worker-process.ts';

const { newFolder } = stage();
const fileStreamSource = fileURLToPath(new URL('../../../../examples/write-a-connector', import.meta.url));
let java: JavaWorker | undefined;
afterEach(async () => {
  await java?.stop();
  java = undefined;
});

/** Longer than the test waits for a change. */
const HEARTBEAT_MS = 60_000;
const limit = { timeoutMs: 30_000 } as const;

describeWithBroker('a follower of a Java leader', quickBroker, (broker) => {
  it('joins a rebalance when it reads the change that caused it, without waiting for a heartbeat', async () => {
    const keys = { ...onCluster(broker().bootstrap, 'java-leads'), 'scheduled.rebalance.max.delay.ms': '0' };
    java = await startJavaWorker(broker(), keys);
    const folder = await newFolder();
    await writeFile(join(folder, 'lines'), 'one\n');
    const worker = startWorkerHere(folder, {
      ...keys,
      'plugin.path': fileStreamSource,
      'heartbeat.interval.ms': String(HEARTBEAT_MS),
      'rebalance.timeout.ms': '600000',
      'session.timeout.ms': String(3 * HEARTBEAT_MS),
    });
    await worker.ready();
    await createTopic(broker(), 'lines');
    const url = await worker.url();
    const config = {
      'connector.class': 'org.apache.kafka.connect.file.FileStreamSourceConnector',
      'tasks.max': '1',
      file: join(folder, 'lines'),
      topic: 'lines',
    };
    const change = (name: string, more: object = {}): Promise<unknown> =>
      waitFor(async () => {
        const { ok } = await fetch(`${url}/connectors/${name}/config`, {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...config, ...more }),
        });
        return ok;
      }, limit);
    const untilRunning = (name: string): Promise<unknown> =>
      waitFor(
        async () => {
          const response = await fetch(`${url}/connectors/${name}/status`);
          const { tasks } = (await response.json()) as { tasks?: { state: string }[] };
          return tasks?.length === 1 && tasks[0]?.state === 'RUNNING';
        },
        { ...limit, what: () => `no running task of ${name}` },
      );
    for (const name of ['first', 'second']) {
      await change(name);
      await untilRunning(name);
    }
    // Java workers rebalance for this, too, and refuse what comes meanwhile.
    await change('first', { 'batch.size': '7' });
    const paused = await waitFor(async () => {
      const { status } = await fetch(`${java?.url}connectors/first/pause`, { method: 'PUT' });
      return status === 409 ? undefined : status;
    }, limit);
    expect(paused).toBe(202);
  });
});
