import { setTimeout as sleep } from 'node:timers/promises';
import { cpuMicros, memoryMb } from '../measure/process-usage.ts';
import type { Contender, Pair } from '../measure/turns.ts';
import { oneLine, type Table } from '../report/table.ts';
import { feedReaders } from './feeds.ts';
import { exportReceivers } from './otlp.ts';
import type { PartRun } from './throughput.ts';

/** How long a system rests after its start. */
const REST_SECONDS = 10;
/** How long it rests after the load: collectors of garbage take their time when nothing comes. */
const REST_AFTER_SECONDS = 30;
/** How long it is loaded between. */
const LOAD_SECONDS = 5;

/** What one of them used. */
interface IdleUse {
  readonly name: string;
  readonly unavailable?: string;
  /** Cores, with a connection over which nothing comes. */
  readonly cores: number;
  /** Resident memory in MiB: before any load, at most, and when it has rested after the load. */
  readonly before: number;
  readonly peak: number;
  readonly after: number;
}

/** What each uses while nothing comes, and what it gives back after a flood. One after the other: each is alone. */
export async function idle({ log, rounds, say }: PartRun): Promise<Table> {
  const rate = { bytes: 200, perSecond: 0 };
  const load = { transport: 'http', request: 'span100', connections: 16, atOnce: 1, perSecond: 0 } as const;
  const contenders: readonly (readonly [string, Contender])[] = [
    ...feedReaders({ name: 'websocket', log, rate, timed: false }, ['ours', 'java', 'engine']).map(
      (one) => ['WebSocket', one] as const,
    ),
    ...exportReceivers({ log, load, timed: false }, ['ours', 'collector', 'java']).map(
      (one) => ['OTLP', one] as const,
    ),
  ];
  const used: IdleUse[] = [];
  for (const [source, { name, ...contender }] of contenders)
    used.push(await useOf({ ...contender, name: `${source}: ${name}` }, rounds.warmUpShare, say));
  const [rest, flood, later] = [REST_SECONDS, LOAD_SECONDS, REST_AFTER_SECONDS].map(
    (seconds) => seconds * rounds.warmUpShare,
  );
  return {
    title: 'Idle: one connector with an open connection',
    note: `Cores over ${rest} s without traffic, and resident memory in MiB before any load, at most under ${flood} s of flood, and ${later} s after it. One run each.`,
    head: ['', 'idle cores', 'MiB before', 'MiB at most', 'MiB after'],
    rows: used.map(({ name, unavailable, cores, before, peak, after }) =>
      unavailable === undefined
        ? [name, cores.toFixed(3), ...[before, peak, after].map((mb) => mb.toFixed(0))]
        : [name, `not measured: ${oneLine(unavailable)}`, '', '', ''],
    ),
    data: used,
  };
}

async function useOf(contender: Contender, share: number, say: PartRun['say']): Promise<IdleUse> {
  const { name, unavailable } = contender;
  const nothing = { name, cores: 0, before: 0, peak: 0, after: 0 };
  if (unavailable !== undefined) return { ...nothing, unavailable };
  say(`idle: ${name}`);
  let pair: Pair | undefined;
  try {
    pair = await contender.open();
    const { system, load } = pair;
    const restMs = REST_SECONDS * 1000 * share;
    await sleep(restMs);
    const cpu = await cpuMicros(system.pid);
    const started = performance.now();
    await sleep(restMs);
    const cores = ((await cpuMicros(system.pid)) - cpu) / 1000 / (performance.now() - started);
    const { now: before } = await memoryMb(system.pid);
    load.send('go');
    await sleep(LOAD_SECONDS * 1000 * share);
    load.send('stop');
    await sleep(REST_AFTER_SECONDS * 1000 * share);
    const { now: after, peak } = await memoryMb(system.pid);
    return { name, cores, before, peak, after };
  } catch (error) {
    return { ...nothing, unavailable: (error as Error).message };
  } finally {
    await Promise.all([pair?.system.stop(), pair?.load.stop()]);
  }
}
