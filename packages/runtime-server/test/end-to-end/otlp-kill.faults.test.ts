import { join } from 'node:path';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { createTopic } from '@levada/kafka-testkit';
import { describeWithBroker } from '@levada/kafka-testkit/vitest';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ObservedWorker } from './observed-worker.ts';
import { type OtlpClient, otlpClient, transports } from './otlp-client.ts';
import { runOtlp } from './otlp-connector.ts';
import { type Load, steadyLoad } from './otlp-load.ts';
import { exportId, threeSignals } from './otlp-numbered.ts';
import { randomIntegers } from './random.ts';
import { quickBroker, stage } from './stage.ts';
import { clusterLog, embeddedLog, type StoredLog } from './stored-log.ts';
import { startWorkerProcess } from './worker-process.ts';

const { newFolder } = stage();

const KILLS = Number(process.env['LEVADA_E2E_KILLS'] ?? 8);
const SEED = Number(process.env['LEVADA_E2E_SEED'] ?? 20_261_121);
/** Of each mode; both modes run beside one another. */
const PER_SECOND = 500;
const modes = ['produced', 'spool'] as const;
/** Messages that one life of the worker may take over from the spool of the one before: what came in within a second or two. */
const MOST_REPLAYED = 2500;
const KILL_MS = 15_000;
/** The worker's name stays the same over restarts, although its port does not. */
const named = { 'rest.advertised.host.name': 'worker.example', 'rest.advertised.port': '8083' };

type Mode = (typeof modes)[number] | 'queued';

const topics = (mode: Mode) =>
  Object.fromEntries(threeSignals.map((signal) => [`platform.topic.${signal}`, `${mode}-${signal}`]));

/** What is left of one mode when the worker was killed again and again. */
interface Outcome {
  readonly load: Load;
  /** Ids in the topics, as often as they are there. */
  readonly stored: readonly string[];
  /** Messages that lives took over from spools, by life. */
  readonly replayed: readonly number[];
}

type Outcomes = Readonly<Record<(typeof modes)[number], Outcome>>;

async function killAgainAndAgain(log: StoredLog, folder: string): Promise<Outcomes> {
  const random = randomIntegers(SEED);
  const properties = { ...log.properties, ...named };
  let worker = await startWorkerProcess(folder, properties);
  const lives = [worker];
  await worker.ready();
  const loads = new Map<Mode, Load>();
  for (const mode of modes) {
    const ports = await runOtlp(worker, mode, {
      ...topics(mode),
      'otlp.ack.mode': mode,
      'otlp.spool.path': join(folder, 'spool', mode),
    });
    loads.set(mode, steadyLoad(otlpClient(ports), { prefix: mode, perSecond: PER_SECOND, random }));
  }
  const [produced, spool] = modes.map((mode) => loads.get(mode) as Load) as [Load, Load];
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const [first, second] = [produced.acknowledged.size, spool.acknowledged.size];
    const [more, most] = [random(1, 300), random(1, 300)];
    await waitFor(
      () => produced.acknowledged.size >= first + more && spool.acknowledged.size >= second + most,
      {
        timeoutMs: 60_000,
        what: () => `too little acknowledged after kill ${kill - 1} (seed ${SEED}): ${worker.output()}`,
      },
    );
    await worker.end('SIGKILL');
    worker = await startWorkerProcess(folder, properties);
    lives.push(worker);
  }
  await Promise.all([produced.finish(), spool.finish()]);
  for (const mode of modes) {
    await worker.untilAttribute(mode, 'SpooledCount', (n) => n === 0);
    const quiet = await worker.untilAttribute(mode, 'InFlightCount', (n) => n === 0);
    expect(quiet).toMatchObject({ QueueSize: 0, UnaccountedCount: 0, TotalMessagesDropped: 0 });
  }
  expect(await worker.end('SIGTERM')).toBe(0);
  expect(lives.flatMap((life) => life.logged('task_failed'))).toEqual([]);
  expect(lives.map((life) => life.errors()).join('')).toBe('');
  const outcome = async (mode: Mode): Promise<Outcome> => ({
    load: loads.get(mode) as Load,
    stored: await storedIds(log, mode),
    replayed: lives.map((life) => replayedBy(life, mode)),
  });
  return { produced: await outcome('produced'), spool: await outcome('spool') };
}

async function storedIds(log: StoredLog, mode: Mode): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const signal of threeSignals)
    ids.push(...(await log.records(`${mode}-${signal}`)).map(({ value }) => exportId(value)));
  return ids;
}

function replayedBy(worker: ObservedWorker, mode: Mode): number {
  return worker
    .logged('spool_opened')
    .filter(({ connector }) => connector === mode)
    .reduce((sum, { entries }) => sum + Number(entries), 0);
}

/** Said with every fault, so that the run can be had again. */
const RUN = `LEVADA_E2E_SEED=${SEED} LEVADA_E2E_KILLS=${KILLS}`;

/** What must not be. */
function faults(outcomes: Outcomes) {
  return {
    run: RUN,
    produced: faultsOf('produced', outcomes.produced),
    spool: faultsOf('spool', outcomes.spool),
  };
}

function faultsOf(mode: Mode, { load, stored, replayed }: Outcome) {
  const seen = new Set(stored);
  const duplicates = stored.length - seen.size;
  // Sent again because nobody knows what became of it, or taken over from the life before.
  const mostDuplicates = load.unknown + replayed.reduce((sum, n) => sum + n, 0);
  const mostReplayed = Math.max(...replayed);
  told({ mode, duplicates, mostDuplicates, mostReplayed, acknowledged: load.acknowledged.size });
  return {
    missing: [...load.acknowledged].filter((id) => !seen.has(id)),
    strange: [...seen].filter((id) => !load.sent.has(id)),
    unsettled: load.sent.size - load.acknowledged.size,
    duplicatesBeyond: Math.max(0, duplicates - mostDuplicates),
    replayedBeyond: Math.max(0, mostReplayed - (mode === 'spool' ? MOST_REPLAYED : 0)),
    acknowledgedShort: Math.max(0, KILLS * 50 - load.acknowledged.size),
  };
}

const noFault = {
  missing: [],
  strange: [],
  unsettled: 0,
  duplicatesBeyond: 0,
  replayedBeyond: 0,
  acknowledgedShort: 0,
};
const noFaults = { run: RUN, produced: noFault, spool: noFault };

/** The figures of a long run, for people. */
function told(figures: Readonly<Record<string, unknown>>): void {
  if (KILLS > 8) process.stdout.write(`${JSON.stringify({ seed: SEED, kills: KILLS, ...figures })}\n`);
}

const LIMIT_MS = 60_000 + KILLS * KILL_MS;

describe('a worker on the embedded log that is killed while exports come', () => {
  it(
    'has every export that it acknowledged, with otlp.ack.mode=produced and spool',
    async () => {
      const folder = await newFolder();
      expect(faults(await killAgainAndAgain(embeddedLog(folder), folder))).toEqual(noFaults);
    },
    LIMIT_MS,
  );
});

describeWithBroker('a worker on a broker', quickBroker, (broker) => {
  it(
    'has every export that it acknowledged when it is killed, with otlp.ack.mode=produced and spool',
    async () => {
      const folder = await newFolder();
      for (const mode of modes) {
        for (const signal of threeSignals) await createTopic(broker(), `${mode}-${signal}`);
      }
      const log = clusterLog(broker(), 'killed-worker');
      expect(faults(await killAgainAndAgain(log, folder))).toEqual(noFaults);
    },
    LIMIT_MS,
  );

  it('that is told to end stores what its full queues hold, each export once', async () => {
    for (const signal of threeSignals) await createTopic(broker(), `queued-${signal}`);
    const log = clusterLog(broker(), 'ended-worker');
    const worker = await startWorkerProcess(await newFolder(), log.properties);
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
