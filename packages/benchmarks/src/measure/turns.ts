import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMicros } from './process-usage.ts';
import type { Program } from './program.ts';

/** What is measured, while it runs. */
export interface RunningSystem {
  readonly pid: number;
  /** Records that it has stored since it was started, or received, where it stores nothing. */
  readonly stored: () => Promise<number>;
  /** What it printed last, for errors. */
  readonly output: () => string;
  readonly stop: () => Promise<void>;
}

/** A system, and what sends to it alone: a program that knows the lines `go`, `stop` and `count`. */
export interface Pair {
  readonly system: RunningSystem;
  readonly load: Program;
  /** Knows the lines `reset` and `report`: reads what is stored, and takes its age. */
  readonly consumer?: Program | undefined;
}

/** One of those that are compared. */
export interface Contender {
  readonly name: string;
  /** Seconds of load before the first turn; a JVM takes longer than others until its code is compiled. */
  readonly warmUp: number;
  /** Why it cannot be measured here, as one line. */
  readonly unavailable?: string | undefined;
  readonly open: () => Promise<Pair>;
}

/** What one turn measured. */
export interface Turn {
  /** Stored. */
  readonly perSecond: number;
  /** Sent. */
  readonly offeredPerSecond: number;
  /** Of all threads of the system from the start of the load until it rests again, for each record that it stored meanwhile. */
  readonly cpuMicros: number;
  /** Kept busy under load. */
  readonly cores: number;
  /** Share of what was sent in the turn that was never stored. Below zero: stored more than once. */
  readonly lost: number;
  /** Milliseconds from sending to the consumer; undefined where there is none, or it got nothing. */
  readonly p50?: number;
  readonly p99?: number;
}

/** What the consumer reports. */
export interface Ages {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
}

/** How long a load runs before it counts. */
const ROLLING_MS = 300;
const LOOK_MS = 100;
const FIRST_RECORD_LIMIT_MS = 30_000;
/** Nothing was stored for so many looks: what is missing is lost. Longer than a full queue may hold up its source. */
const QUIET_LOOKS = 50;
const MOST_LOOKS = 300;

/** Loads a system without measuring, for so many seconds from its first record on. Throws when it stores nothing. */
export async function warmUp(name: string, { system, load }: Pair, seconds: number): Promise<void> {
  load.send('go');
  const deadline = performance.now() + FIRST_RECORD_LIMIT_MS;
  while ((await system.stored()) === 0) {
    if (performance.now() > deadline) throw new Error(`${name} stores nothing:\n${system.output()}`);
    await sleep(LOOK_MS);
  }
  await sleep(seconds * 1000);
  load.send('stop');
  await settled(system, load);
}

/** Loads a system for so many seconds, and then waits until everything is stored. */
export async function takeTurn({ system, load, consumer }: Pair, seconds: number): Promise<Turn> {
  const before = await sample(system, load);
  load.send('go');
  await sleep(ROLLING_MS);
  const first = await sample(system, load);
  consumer?.send('reset');
  await sleep(seconds * 1000);
  const last = await sample(system, load);
  const ages = consumer === undefined ? undefined : (JSON.parse(await consumer.ask('report')) as Ages);
  load.send('stop');
  const after = await settled(system, load, before.sent - before.stored);
  const cpu = (await cpuMicros(system.pid)) - before.cpu;
  const [sent, stored] = [after.sent - before.sent, after.stored - before.stored];
  const elapsed = (last.at - first.at) / 1000;
  return {
    perSecond: (last.stored - first.stored) / elapsed,
    offeredPerSecond: (last.sent - first.sent) / elapsed,
    cpuMicros: cpu / Math.max(1, stored),
    cores: (last.cpu - first.cpu) / 1e6 / elapsed,
    lost: (sent - stored) / Math.max(1, sent),
    ...(ages === undefined || ages.count === 0 ? {} : { p50: ages.p50, p99: ages.p99 }),
  };
}

interface Sample {
  readonly at: number;
  readonly stored: number;
  readonly sent: number;
  readonly cpu: number;
}

async function sample(system: RunningSystem, load: Program): Promise<Sample> {
  const [stored, cpu, sent] = await Promise.all([system.stored(), cpuMicros(system.pid), count(load)]);
  return { at: performance.now(), stored, sent, cpu };
}

async function count(load: Program): Promise<number> {
  return Number(await load.ask('count'));
}

interface Totals {
  readonly sent: number;
  readonly stored: number;
}

/** What was sent and stored so far, once both are the same or nothing more comes. `missing` were lost before. */
async function settled(system: RunningSystem, load: Program, missing = 0): Promise<Totals> {
  let last: Totals = { sent: -1, stored: -1 };
  for (let look = 0, quiet = 0; look < MOST_LOOKS; look += 1) {
    const now = { sent: await count(load), stored: await system.stored() };
    const still = now.sent === last.sent && now.stored === last.stored;
    quiet = still ? quiet + 1 : 0;
    last = now;
    if (quiet >= QUIET_LOOKS || (still && now.stored + missing >= now.sent)) break;
    await sleep(LOOK_MS);
  }
  return last;
}
