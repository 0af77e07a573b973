import { contest, type Measured, type Rounds, type Say } from '../measure/contest.ts';
import type { Log } from '../measure/log.ts';
import { spreadOf } from '../measure/statistics.ts';
import type { Turn } from '../measure/turns.ts';
import { figure, percent, spread, times } from '../report/figures.ts';
import { oneLine, type Table } from '../report/table.ts';
import { type FeedName, feedReaders } from './feeds.ts';

/** What a part of the comparison gets. */
export interface PartRun {
  readonly log: Log;
  readonly rounds: Rounds;
  readonly say: Say;
}

const BYTES = 200;
const titles: Readonly<Record<FeedName, string>> = { websocket: 'WebSocket', grpc: 'gRPC' };

/** Records per second into Kafka, as fast as each reads, and what it loses. */
export async function feedThroughput(name: FeedName, { log, rounds, say }: PartRun): Promise<Table> {
  const readers = ['ours', 'block', 'java', 'tuned', 'engine', 'least', 'bare'] as const;
  const rate = { bytes: BYTES, perSecond: 0 };
  const measured = await contest(feedReaders({ name, log, rate, timed: false }, readers), rounds, say);
  const least = measured[readers.indexOf('least')];
  return {
    title: `${titles[name]}: messages of ${BYTES} bytes into Kafka`,
    note: 'The server sends as fast as it is read. Lost: sent and never stored, of all that was sent in the turn.',
    head: ['', 'records/s', 'sent/s', 'lost', 'CPU µs per record', 'of the least program'],
    rows: measured.map((one) => [...throughputCells(one), ratioOf(one, least, ({ perSecond }) => perSecond)]),
    data: measured,
  };
}

/** Name, rate, offered rate, losses and CPU time of one of those that were measured. */
export function throughputCells(one: Measured): readonly string[] {
  const { name, turns, unavailable } = one;
  if (unavailable !== undefined) return [name, `not measured: ${oneLine(unavailable)}`, '', '', ''];
  const of = (pick: (turn: Turn) => number): ReturnType<typeof spreadOf> => spreadOf(turns.map(pick));
  const lost = turns.reduce((sum, turn) => sum + turn.lost, 0) / turns.length;
  return [
    name,
    spread(of(({ perSecond }) => perSecond)),
    figure(of(({ offeredPerSecond }) => offeredPerSecond).median),
    percent(lost),
    spread(of(({ cpuMicros }) => cpuMicros)),
  ];
}

/** The median of the ratios of each round to another one's turn of it; empty where one of them was not measured. */
export function ratioOf(one: Measured, other: Measured | undefined, pick: (turn: Turn) => number): string {
  const ratios = roundRatios(one, other, pick);
  return ratios.length === 0 ? '' : times(spreadOf(ratios).median);
}

/** The ratios of each round. */
export function roundRatios(
  one: Measured,
  other: Measured | undefined,
  pick: (turn: Turn) => number,
): readonly number[] {
  return one.turns.flatMap((turn, round) => {
    const beside = other?.turns[round];
    return beside === undefined ? [] : [pick(turn) / pick(beside)];
  });
}
