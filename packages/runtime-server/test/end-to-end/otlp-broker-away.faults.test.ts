import { join } from 'node:path';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { createTopic, startKafkaProxy } from '@levada/kafka-testkit';
import { describeWithBroker } from '@levada/kafka-testkit/vitest';
import { spanName } from '@levada/test-peers/otlp';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { ObservedWorker } from './observed-worker.ts';
import { type ExportResult, type OtlpClient, otlpClient, transports } from './otlp-client.ts';
import { type OtlpPorts, runOtlp } from './otlp-connector.ts';
import { type Load, steadyLoad } from './otlp-load.ts';
import { exportId, type Signal, threeSignals } from './otlp-numbered.ts';
import { traceExporter } from './otlp-sdk.ts';
import { quickBroker } from './quick-broker.ts';
import { randomIntegers } from './random.ts';
import { stage } from './stage.ts';
import { clusterLog, type StoredLog } from './stored-log.ts';
import { onCluster, startWorkerProcess } from './worker-process.ts';

const { newFolder } = stage();

const SEED = Number(process.env['LEVADA_E2E_SEED'] ?? 20_261_121);
const PER_SECOND = 200;
const GRPC_UNAVAILABLE = 14;

/** Whether a refusal is one that most clients answer by sending again, a second or two later. */
const retryable = ({ code, retryAfter }: ExportResult): boolean =>
  code === GRPC_UNAVAILABLE ? retryAfter >= 1 && retryAfter <= 2 : code === 503 && retryAfter === 1;

const topics = (name: string) =>
  Object.fromEntries(threeSignals.map((signal) => [`platform.topic.${signal}`, `${name}-${signal}`]));

async function idsOf(log: StoredLog, name: string): Promise<readonly string[]> {
  const of = async (signal: Signal) =>
    (await log.records(`${name}-${signal}`)).map(({ value }) => exportId(value));
  return (await Promise.all(threeSignals.map(of))).flat();
}

const sorted = (ids: Iterable<string>): readonly string[] => [...ids].toSorted();

describeWithBroker('an OTLP connector whose broker goes away', quickBroker, (broker) => {
  beforeEach(async () => {
    // After a test that failed while it was away.
    if (!broker().running) await broker().restart();
  });

  const started = async (name: string, more: Readonly<Record<string, string>>) => {
    for (const signal of threeSignals) await createTopic(broker(), `${name}-${signal}`);
    const folder = await newFolder();
    const log = clusterLog(broker(), `${name}-worker`);
    const worker = await startWorkerProcess(folder, log.properties);
    await worker.ready();
    const spool = { 'otlp.spool.path': join(folder, 'spool') };
    const ports = await runOtlp(worker, name, { ...topics(name), ...spool, ...more });
    return { worker, ports, log };
  };

  const load = (ports: OtlpPorts, prefix: string): Load =>
    steadyLoad(otlpClient(ports), { prefix, perSecond: PER_SECOND, random: randomIntegers(SEED) });

  it('fills its queues and then refuses exports by default, and stores each export once in the end', async () => {
    const { worker, ports, log } = await started('queued', { 'otlp.message.queue.size': '100' });
    const running = load(ports, 'q');
    await waitFor(() => running.acknowledged.size > 50, { timeoutMs: 30_000 });
    await broker().kill();
    await waitFor(
      () => new Set(running.refusals.map(({ code }) => code)).size === 2 && running.refusals.length > 300,
      { timeoutMs: 30_000, what: () => JSON.stringify(running.refusals.slice(-3)) },
    );
    const away = await worker.attributes('queued');
    expect(away).toMatchObject({ MaxQueueUtilizationPercent: 100, UnaccountedCount: 0 });
    expect(away['DropRate']).toBeLessThan(100);
    await broker().restart();
    await running.finish();
    const quiet = await worker.untilAttribute('queued', 'RecordsProduced', (n) => n === running.sent.size);
    expect(quiet).toMatchObject({
      TotalMessagesReceived: running.sent.size + running.refusals.length,
      TotalMessagesDropped: running.refusals.length,
      QueueSize: 0,
      InFlightCount: 0,
      UnaccountedCount: 0,
      RejectedUnavailable: 0,
    });
    expect(running.refusals.filter((result) => !retryable(result))).toEqual([]);
    expect(sorted(await idsOf(log, 'queued'))).toEqual(sorted(running.sent));
    expect(worker.logged('task_failed')).toEqual([]);
    expect(worker.logged('log_dropped')[0]).toMatchObject({
      level: 'warn',
      msg: 'Queue full, dropping message',
    });
  });

  it('never answers with success in mode produced while the broker is away, and refuses at once when it knows', async () => {
    const { worker, ports, log } = await started('produced', {
      'otlp.ack.mode': 'produced',
      'otlp.ack.timeout.ms': '2000',
    });
    const client = otlpClient(ports);
    const running = load(ports, 'p');
    await waitFor(() => running.acknowledged.size > 50, { timeoutMs: 30_000 });
    await broker().kill();
    await waitFor(() => running.refusals.length > 0, { timeoutMs: 30_000 });
    const before = running.acknowledged.size;
    // One after the other: each would take two seconds if it waited, too.
    const began = performance.now();
    for (let i = 0; i < 30; i += 1) {
      const result = await client.send(transports[i % 3] ?? 'grpc', 'logs', `refused-${i}`);
      expect(retryable(result)).toBe(true);
    }
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(running.acknowledged.size).toBe(before);
    expect(await worker.attributes('produced')).toMatchObject({
      UnaccountedCount: 0,
      TotalMessagesDropped: 0,
    });
    await broker().restart();
    await running.finish();
    const quiet = await worker.untilAttribute('produced', 'InFlightCount', (n) => n === 0);
    expect(quiet).toMatchObject({ QueueSize: 0, UnaccountedCount: 0, PendingExports: 0 });
    // A client that hears nothing would count as unanswered.
    expect(running.refusals.filter((result) => !retryable(result))).toEqual([]);
    const stored = await idsOf(log, 'produced');
    const seen = new Set(stored);
    expect([...running.acknowledged].filter((id) => !seen.has(id))).toEqual([]);
    expect(running.acknowledged.size).toBe(running.sent.size);
    // The record of a refused export may be stored nevertheless, once for each refusal.
    expect(stored.length - seen.size).toBeLessThanOrEqual(quiet['AckedLate'] ?? 0);
    expect(worker.logged('acknowledgement_late').length).toBeGreaterThan(0);
    expect(worker.logged('task_failed')).toEqual([]);
  });

  it('answers all exports with success in mode spool, and produces them in order later', async () => {
    const { worker, ports, log } = await started('spool', { 'otlp.ack.mode': 'spool' });
    const clients = threeSignals.map((signal, i) => oneByOne(otlpClient(ports), signal, i));
    const each = async (more: number): Promise<void> => {
      const least = clients.map(({ sent }) => sent.length + more);
      await waitFor(() => clients.every(({ sent }, i) => sent.length >= (least[i] ?? 0)), {
        timeoutMs: 30_000,
      });
    };
    await each(20);
    await broker().kill();
    await each(100);
    const away = await worker.attributes('spool');
    expect(away['SpooledCount'] ?? 0).toBeGreaterThan(0);
    expect(away).toMatchObject({ UnaccountedCount: 0, TotalMessagesDropped: 0, QueueSize: 0 });
    await broker().restart();
    await each(20);
    await Promise.all(clients.map(({ finish }) => finish()));
    const total = clients.reduce((sum, { sent }) => sum + sent.length, 0);
    const quiet = await worker.untilAttribute('spool', 'RecordsProduced', (n) => n === total);
    expect(quiet).toMatchObject({ TotalMessagesReceived: total, SpooledCount: 0, UnaccountedCount: 0 });
    expect(clients.map(({ refused }) => refused)).toEqual([[], [], []]);
    expect(await idsOf(log, 'spool')).toEqual(clients.flatMap(({ sent }) => sent));
    expect(worker.logged('task_failed')).toEqual([]);
  });

  it('loses nothing that the official exporters send, as each mode guarantees', async () => {
    const folder = await newFolder();
    const proxy = await startKafkaProxy(broker());
    onTestFinished(() => proxy.close());
    const worker = await startWorkerProcess(folder, onCluster(proxy.bootstrap, 'sdk-worker'));
    await worker.ready();
    const modes = {
      queued: { 'otlp.message.queue.size': '1', 'otlp.queue.full.grace.ms': '0' },
      produced: { 'otlp.ack.mode': 'produced', 'otlp.ack.timeout.ms': '1000' },
      spool: { 'otlp.ack.mode': 'spool', 'otlp.spool.path': join(folder, 'spool') },
    } as const;
    const send: Record<string, (name: string) => Promise<string | undefined>> = {};
    for (const mode of ['queued', 'produced', 'spool'] as const) {
      await createTopic(broker(), `sdk-${mode}-traces`);
      const ports = await runOtlp(worker, mode, { ...topics(`sdk-${mode}`), ...modes[mode] });
      const protocols = mode === 'spool' ? (['grpc'] as const) : (['http/protobuf', 'http/json'] as const);
      for (const protocol of protocols) {
        const exporter = traceExporter(protocol, ports);
        send[`${mode} ${protocol}`] = (name) => exporter.send(name);
      }
    }
    const all = async (when: string): Promise<readonly (string | undefined)[]> =>
      await Promise.all(Object.entries(send).map(([name, by]) => by(`${name} ${when}`)));
    expect(await all('before')).toEqual([undefined, undefined, undefined, undefined, undefined]);

    proxy.down(true);
    // The first of these fill what the queue and the way to the broker hold.
    const during = Array.from({ length: 4 }, (_, i) => all(`during ${i}`));
    await refusals(worker, 'produced', 'RejectedUnavailable');
    await refusals(worker, 'queued', 'TracesDropped');
    proxy.down(false);
    expect((await Promise.all(during)).flat().filter((error) => error !== undefined)).toEqual([]);
    const log = clusterLog(broker(), 'sdk-worker');
    for (const mode of ['queued', 'produced', 'spool']) {
      await worker.untilAttribute(mode, 'InFlightCount', (n) => n === 0);
      const names = (await log.records(`sdk-${mode}-traces`)).map(({ value }) => spanName(value) ?? '');
      const expected = Object.keys(send)
        .filter((name) => name.startsWith(mode))
        .flatMap((name) =>
          ['before', ...[0, 1, 2, 3].map((i) => `during ${i}`)].map((when) => `${name} ${when}`),
        );
      expect(sorted(new Set(names))).toEqual(sorted(expected));
    }
  });
});

/** Waits until the worker has refused something. */
async function refusals(worker: ObservedWorker, connector: string, attribute: string): Promise<void> {
  await worker.untilAttribute(connector, attribute, (n) => n > 0);
}

/** Sends exports of one signal, each when the one before was answered, until `finish`. */
function oneByOne(client: OtlpClient, signal: Signal, turn: number) {
  const sent: string[] = [];
  const refused: ExportResult[] = [];
  let sending = true;
  const done = (async () => {
    while (sending) {
      const id = `${signal}-${sent.length}`;
      const result = await client.send(transports[turn] ?? 'grpc', signal, id);
      if (result.kind !== 'success') refused.push(result);
      sent.push(id);
    }
  })();
  const finish = async (): Promise<void> => {
    sending = false;
    await done;
  };
  onTestFinished(finish);
  return { sent, refused, finish };
}
