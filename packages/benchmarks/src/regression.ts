import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { contest, type Measured, type Rounds, type Say } from './measure/contest.ts';
import { leaveMeasuredCore } from './measure/cores.ts';
import { openLog } from './measure/log.ts';
import { spreadOf } from './measure/statistics.ts';
import type { Contender } from './measure/turns.ts';
import { feedReaders } from './parts/feeds.ts';
import { exportReceivers } from './parts/otlp.ts';
import { roundRatios } from './parts/throughput.ts';
import { markdownTable } from './report/table.ts';

/** Ratios by case and raw receiver. */
export type Ratios = Readonly<Record<string, number>>;

/**
 * How far a ratio may fall below the committed one before that is a regression. A receiver that stores in the same Kafka is held up by
 * it as the connector is; one that stores nothing is not, so that the ratio to it depends more on the machine.
 */
const tolerances = { least: 0.25, bare: 0.4 } as const;

type Raw = keyof typeof tolerances;

export const regressionUsage = `usage: npm run bench -- regression [--runs N] [--seconds S] [--update]
  compares each connector with raw receivers of the same run ("least" stores in Kafka, "bare" nothing), by CPU time for a record,
  and fails when a ratio falls too far below the one in packages/benchmarks/ratios.json, or is not in there
  --runs N      turns of each, of which the median ratio counts (5)
  --seconds S   of a turn (2)
  --update      writes the ratios of this run to the file; on a quiet machine alone
`;

const file = new URL('../ratios.json', import.meta.url);

/** One ratio of the check, for its table. */
export interface Verdict {
  readonly name: string;
  readonly committed: number | undefined;
  readonly now: number;
  /** What the ratio may not fall below. */
  readonly least: number;
  readonly verdict: 'ok' | 'regression' | 'not committed';
}

/** Compares ratios with the committed ones. One that is missing now is a regression. */
export function judge(now: Ratios, committed: Ratios): readonly Verdict[] {
  return Object.keys({ ...now, ...committed }).map((name) => {
    const [ratio = 0, before] = [now[name], committed[name]];
    const tolerance = name.endsWith('/least') ? tolerances.least : tolerances.bare;
    const least = (before ?? 0) * (1 - tolerance);
    const verdict = before === undefined ? 'not committed' : ratio < least ? 'regression' : 'ok';
    return { name, committed: before, now: ratio, least, verdict };
  });
}

/**
 * Measures each connector beside a raw receiver and resolves with whether all ratios are committed and none fell too far. A ratio is
 * the CPU time of the raw receiver for a record over that of the connector: unlike a rate, it does not depend on how much of its core
 * each was given.
 */
export async function regression(args: readonly string[], print: Say, say: Say): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      runs: { type: 'string', default: '5' },
      seconds: { type: 'string', default: '2' },
      update: { type: 'boolean', default: false },
    },
  });
  const rounds = { runs: Number(values.runs), seconds: Number(values.seconds), warmUpShare: 1 };
  leaveMeasuredCore();
  const ratios = await measureRatios(rounds, say);
  const verdicts = judge(ratios, JSON.parse(await readFile(file, 'utf8')) as Ratios);
  print(
    markdownTable({
      head: ['connector/raw receiver', 'committed', 'at least', 'now', ''],
      rows: verdicts.map(row),
    }),
  );
  if (values.update) await writeFile(file, `${JSON.stringify(ratios, undefined, 2)}\n`);
  return values.update || verdicts.every(({ verdict }) => verdict === 'ok');
}

async function measureRatios(rounds: Rounds, say: Say): Promise<Ratios> {
  const log = await openLog();
  const feed = { log, rate: { bytes: 200, perSecond: 0 }, timed: false };
  const load = { connections: 16, atOnce: 1, perSecond: 0, request: 'span100' } as const;
  const raws = ['least', 'bare'] as const;
  const cases: readonly (readonly [string, readonly Raw[], readonly Contender[]])[] = [
    ['websocket', raws, feedReaders({ ...feed, name: 'websocket' }, ['block', ...raws])],
    ['grpc', raws, feedReaders({ ...feed, name: 'grpc' }, ['block', ...raws])],
    ...(['http', 'grpc'] as const).map(
      (transport) =>
        [
          `otlp-${transport}`,
          ['bare'],
          exportReceivers({ log, load: { ...load, transport }, timed: false }, ['ours', 'bare']),
        ] as const,
    ),
  ];
  const ratios: Record<string, number> = {};
  try {
    for (const [name, against, contenders] of cases) {
      const [ours, ...others] = await contest(contenders, rounds, say);
      for (const [at, raw] of against.entries()) ratios[`${name}/${raw}`] = ratioOf(name, ours, others[at]);
    }
  } finally {
    await log.close();
  }
  return ratios;
}

function ratioOf(name: string, ours: Measured | undefined, raw: Measured | undefined): number {
  const problem = ours?.unavailable ?? raw?.unavailable;
  if (problem !== undefined || ours === undefined) throw new Error(`${name} was not measured: ${problem}`);
  const { median } = spreadOf(roundRatios(ours, raw, ({ cpuMicros }) => 1 / cpuMicros));
  return Number(median.toFixed(4));
}

function row({ name, committed, now, least, verdict }: Verdict): readonly string[] {
  return [name, committed?.toFixed(4) ?? '', least.toFixed(4), now.toFixed(4), verdict];
}
