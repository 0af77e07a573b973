import { join } from 'node:path';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { expect } from 'vitest';
import type { ObservedWorker } from './observed-worker.ts';
import { otlpClient } from './otlp-client.ts';
import { runOtlp } from './otlp-connector.ts';
import { type Load, steadyLoad } from './otlp-load.ts';
import { exportId, threeSignals } from './otlp-numbered.ts';
import { randomIntegers } from './random.ts';
import type { StoredLog } from './stored-log.ts';
import { startWorkerProcess } from './worker-process.ts';

const SEED = Number(process.env['LEVADA_E2E_SEED'] ?? 20_261_121);
/** Exports of each mode; both modes run at the same time. */
const PER_SECOND = 500;
/** Both acknowledge what a kill must not lose. */
export const modes = ['produced', 'spool'] as const;
/** Messages that one life of the worker may take over from the spool of the one before: what came in within a second or two. */
const MOST_REPLAYED = 2500;
/** The worker's name stays the same over restarts, although its port does not. */
const named = { 'rest.advertised.host.name': 'worker.example', 'rest.advertised.port': '8083' };

export type Mode = (typeof modes)[number] | 'queued';

/** Topics of a mode, one for each signal. */
export const topics = (mode: Mode) =>
  Object.fromEntries(threeSignals.map((signal) => [`platform.topic.${signal}`, `${mode}-${signal}`]));

/** State of one mode after the worker was killed repeatedly. */
interface Outcome {
  readonly load: Load;
  /** Ids in the topics, as often as they are there. */
  readonly stored: readonly string[];
  /** Messages that lives took over from spools, by life. */
  readonly replayed: readonly number[];
}

type Outcomes = Readonly<Record<(typeof modes)[number], Outcome>> & { readonly kills: number };

/** Where a worker with a connector of each mode runs, and how often it is killed. */
interface Killing {
  readonly kills: number;
  readonly log: StoredLog;
  readonly folder: string;
}

/** Kills the worker again and again while exports come, then lets the last one finish. */
export async function killOtlpWorker({ kills, log, folder }: Killing): Promise<Outcomes> {
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
  for (let kill = 1; kill <= kills; kill += 1) {
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
  return { kills, produced: await outcome('produced'), spool: await outcome('spool') };
}

/** Ids in the topics of a mode, as often as they are there. */
export async function storedIds(log: StoredLog, mode: Mode): Promise<readonly string[]> {
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

/** What must not be, with the run in which it was found. */
export function faults({ kills, produced, spool }: Outcomes) {
  return {
    run: `LEVADA_E2E_SEED=${SEED} LEVADA_E2E_KILLS=${kills}`,
    produced: faultsOf('produced', produced, kills),
    spool: faultsOf('spool', spool, kills),
  };
}

function faultsOf(mode: Mode, { load, stored, replayed }: Outcome, kills: number) {
  const seen = new Set(stored);
  const duplicates = stored.length - seen.size;
  // Sent again because the outcome is unknown, or replayed from the process before.
  const mostDuplicates = load.unknown + replayed.reduce((sum, n) => sum + n, 0);
  const mostReplayed = Math.max(...replayed);
  // The figures of a long run, for people.
  if (kills > 8) {
    const figures = { seed: SEED, kills, mode, duplicates, mostDuplicates, mostReplayed };
    process.stdout.write(`${JSON.stringify({ ...figures, acknowledged: load.acknowledged.size })}\n`);
  }
  return {
    missing: [...load.acknowledged].filter((id) => !seen.has(id)),
    strange: [...seen].filter((id) => !load.sent.has(id)),
    unsettled: load.sent.size - load.acknowledged.size,
    duplicatesBeyond: Math.max(0, duplicates - mostDuplicates),
    replayedBeyond: Math.max(0, mostReplayed - (mode === 'spool' ? MOST_REPLAYED : 0)),
    acknowledgedShort: Math.max(0, kills * 50 - load.acknowledged.size),
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
/** The faults of an outcome in which nothing was lost. */
export const noFaults = { run: expect.any(String), produced: noFault, spool: noFault };
