import { contest, type Measured } from '../measure/contest.ts';
import { spreadOf } from '../measure/statistics.ts';
import { figure, percent, spread } from '../report/figures.ts';
import { oneLine, type Table } from '../report/table.ts';
import { feedReaders } from './feeds.ts';
import { exportReceivers } from './otlp.ts';
import type { PartRun } from './throughput.ts';

const PER_SECOND = 10_000;
const BYTES = 200;
/** Enough connections that an export seldom waits for one. */
const CONNECTIONS = 32;

/** Milliseconds from sending to an independent consumer, at a fixed rate. */
export async function latency({ log, rounds, say }: PartRun): Promise<readonly Table[]> {
  const rate = { bytes: BYTES, perSecond: PER_SECOND };
  const readers = ['ours', 'java', 'engine', 'least'] as const;
  const load = { transport: 'http', request: 'span1', connections: CONNECTIONS, atOnce: 1, ...rate } as const;
  const contests = [
    ['gRPC', feedReaders({ name: 'grpc', log, rate, timed: true }, readers)],
    ['WebSocket', feedReaders({ name: 'websocket', log, rate, timed: true }, readers)],
    ['OTLP over HTTP, 1 span', exportReceivers({ log, load, timed: true }, ['ours', 'collector', 'java'])],
  ] as const;
  const tables: Table[] = [];
  for (const [title, contenders] of contests) {
    const measured = await contest(contenders, rounds, say);
    tables.push({
      title: `${title}: age at a consumer, ${PER_SECOND.toLocaleString('en')} a second`,
      note: 'Milliseconds from the moment when the generator sends a message until another program has read its record from Kafka.',
      head: ['', 'p50 ms', 'p99 ms', 'records/s', 'lost', 'CPU µs per record'],
      rows: measured.map(cells),
      data: measured,
    });
  }
  return tables;
}

function cells({ name, unavailable, turns }: Measured): readonly string[] {
  if (unavailable !== undefined) return [name, `not measured: ${oneLine(unavailable)}`, '', '', '', ''];
  const of = (pick: (turn: Measured['turns'][number]) => number): ReturnType<typeof spreadOf> =>
    spreadOf(turns.map(pick));
  return [
    name,
    spread(of(({ p50 }) => p50 ?? Number.POSITIVE_INFINITY)),
    spread(of(({ p99 }) => p99 ?? Number.POSITIVE_INFINITY)),
    figure(of(({ perSecond }) => perSecond).median),
    percent(turns.reduce((sum, { lost }) => sum + lost, 0) / turns.length),
    figure(of(({ cpuMicros }) => cpuMicros).median),
  ];
}
