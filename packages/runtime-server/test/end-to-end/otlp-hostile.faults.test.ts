import { waitFor } from '@levada/connect-runtime-core/testing';
import { expect, it } from 'vitest';
import { attack } from './otlp-attackers.ts';
import { otlpClient } from './otlp-client.ts';
import { runOtlp } from './otlp-connector.ts';
import { steadyLoad } from './otlp-load.ts';
import { exportId, threeSignals } from './otlp-numbered.ts';
import { randomIntegers } from './random.ts';
import { stage } from './stage.ts';
import { embeddedLog } from './stored-log.ts';
import { startWorkerProcess } from './worker-process.ts';

const { newFolder } = stage();

const SEED = Number(process.env['LEVADA_E2E_SEED'] ?? 20_261_121);
const MiB = 1024 * 1024;
const PER_SECOND = 100;
const EXPORTS = 600;
/** Of each kind of attack, beside the slow clients. */
const LEAST_CONNECTIONS = 5;
/** Some of the answers that attackers get. */
const refusals = [400, 404, 405, 413] as const;

it(`serves others while its ports are attacked in all ways at once (seed ${SEED})`, async () => {
  const folder = await newFolder();
  const worker = await startWorkerProcess(folder);
  await worker.ready();
  const ports = await runOtlp(worker, 'telemetry');
  const random = randomIntegers(SEED);
  const good = steadyLoad(otlpClient(ports, { maxSockets: 8 }), {
    prefix: 'good',
    perSecond: PER_SECOND,
    random,
    again: false,
  });
  await waitFor(() => good.acknowledged.size > 100, { timeoutMs: 30_000 });
  const attackers = attack(ports, random);
  const restStatuses = new Set<number>();
  let most = 0;
  await waitFor(
    async () => {
      most = Math.max(most, worker.residentBytes());
      restStatuses.add((await worker.call('GET', '/connectors/telemetry/status')).status);
      const counts = Object.values(attackers.connections);
      return (
        good.sent.size > 100 + EXPORTS &&
        counts.every((count) => count >= LEAST_CONNECTIONS) &&
        refusals.every((status) => attackers.statuses.has(`HTTP/1.1 ${status}`))
      );
    },
    { timeoutMs: 60_000, what: () => JSON.stringify([attackers.connections, ...attackers.statuses]) },
  );
  attackers.stop();
  await good.finish();

  expect(good.acknowledged.size / good.sent.size).toBeGreaterThanOrEqual(0.99);
  expect([...restStatuses]).toEqual([200]);
  expect([...attackers.statuses].filter((status) => !/ (2..|4..|503)$/.test(status))).toEqual([]);
  expect(most).toBeLessThan(512 * MiB);
  await worker.untilAttribute('telemetry', 'GrpcConnections', (n) => n <= 1);
  await worker.untilAttribute('telemetry', 'HttpConnections', (n) => n <= 8);
  const quiet = await worker.untilAttribute('telemetry', 'PendingExports', (n) => n === 0);
  expect(quiet).toMatchObject({ PendingBytes: 0, TotalMessagesDropped: 0 });
  await worker.untilAttribute('telemetry', 'RecordsProduced', (n) => n === quiet['TotalMessagesReceived']);
  expect(await worker.attributes('telemetry')).toMatchObject({ UnaccountedCount: 0 });
  const log = embeddedLog(folder);
  const stored = await Promise.all(threeSignals.map((signal) => log.records(`otlp-${signal}`)));
  // Random bytes may happen to be an export.
  const ours = stored.flat().filter(({ value }) => value.includes('good-'));
  const ids = new Set(ours.map(({ value }) => exportId(value)));
  expect([...good.acknowledged].filter((id) => !ids.has(id))).toEqual([]);
  await worker.untilState('telemetry', 'RUNNING');
  expect(await worker.end('SIGTERM')).toBe(0);
  expect(worker.errors()).toBe('');
});
