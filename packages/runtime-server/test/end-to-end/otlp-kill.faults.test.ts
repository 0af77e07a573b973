import { waitFor } from '@levada/connect-runtime-core/testing';
import { createTopic } from '@levada/kafka-testkit';
import { describeWithBroker } from '@levada/kafka-testkit/vitest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type OtlpClient, otlpClient, transports } from './otlp-client.ts';
import { runOtlp } from './otlp-connector.ts';
import { faults, killOtlpWorker, modes, noFaults, storedIds, topics } from './otlp-kills.ts';
import { threeSignals } from './otlp-numbered.ts';
import { quickBroker } from './quick-broker.ts';
import { stage } from './stage.ts';
import { clusterLog, embeddedLog } from './stored-log.ts';
import { startWorkerProcess } from './worker-process.ts';

const { newFolder } = stage();

const KILLS = Number(process.env['LEVADA_E2E_KILLS'] ?? 8);
const KILL_MS = 15_000;
const LIMIT_MS = 60_000 + KILLS * KILL_MS;

describe('a worker on the embedded log that is killed while exports come', () => {
  it(
    'keeps every acknowledged export over kills on the embedded log, with otlp.ack.mode=produced and spool',
    async () => {
      const folder = await newFolder();
      expect(faults(await killOtlpWorker({ kills: KILLS, log: embeddedLog(folder), folder }))).toEqual(
        noFaults,
      );
    },
    LIMIT_MS,
  );
});

describeWithBroker('a worker on a broker', quickBroker, (broker) => {
  it(
    'keeps every acknowledged export over kills on a broker, with otlp.ack.mode=produced and spool',
    async () => {
      const folder = await newFolder();
      for (const mode of modes) {
        for (const signal of threeSignals) await createTopic(broker(), `${mode}-${signal}`);
      }
      const log = clusterLog(broker(), 'killed-worker');
      expect(faults(await killOtlpWorker({ kills: KILLS, log, folder }))).toEqual(noFaults);
    },
    LIMIT_MS,
  );

  it('stores each export in its full queues once after SIGTERM', async () => {
    for (const signal of threeSignals) await createTopic(broker(), `queued-${signal}`);
    const log = clusterLog(broker(), 'ended-worker');
    const worker = await startWorkerProcess(await newFolder(), {
      ...log.properties,
      // Not the five seconds by default, of which a broker that wakes may take some.
      'task.shutdown.graceful.timeout.ms': '60000',
    });
    await worker.ready();
    const ports = await runOtlp(worker, 'queued', { ...topics('queued'), 'otlp.message.queue.size': '1000' });
    const client = otlpClient(ports);
    broker().pause();
    onTestFinished(() => broker().unpause());
    const accepted = await fillQueues(client);
    expect(accepted.size).toBeGreaterThanOrEqual(3000);
    const full = await worker.attributes('queued');
    expect(full).toMatchObject({ MaxQueueUtilizationPercent: 100, UnaccountedCount: 0 });
    worker.signal('SIGTERM');
    await waitFor(() => worker.logged('otlp_receiver_stopped').length === 1, { timeoutMs: 20_000 });
    expect((await client.send('grpc', 'logs', 'late')).kind).toMatch(/^un/);
    expect((await client.send('http/json', 'logs', 'late')).kind).toMatch(/^un/);
    broker().unpause();
    expect(await worker.ended).toBe(0);
    const stored = await storedIds(log, 'queued');
    expect(stored.toSorted()).toEqual([...accepted].toSorted());
    expect(worker.logged('worker_stopped')).toMatchObject([{ undelivered: 0 }]);
    expect(worker.errors()).toBe('');
  });
});

/** Sends until each signal was refused once. Resolves with the ids that were taken. */
async function fillQueues(client: OtlpClient): Promise<ReadonlySet<string>> {
  const accepted = new Set<string>();
  for (const signal of threeSignals) {
    let refused = 0;
    for (let wave = 0; refused === 0; wave += 1) {
      const ids = Array.from({ length: 100 }, (_, i) => `${signal}-${wave * 100 + i}`);
      const results = await Promise.all(
        ids.map((id, i) => client.send(transports[i % transports.length] ?? 'grpc', signal, id)),
      );
      ids.forEach((id, i) => {
        if (results[i]?.kind === 'success') accepted.add(id);
        else refused += 1;
      });
    }
  }
  return accepted;
}
