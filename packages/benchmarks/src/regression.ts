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

/** The committed ratios by case. */
export type Ratios = Readonly<Record<string, number>>;

/** How far a ratio may fall below the committed one before that is a regression. */
export const TOLERANCE = 0.25;

export const regressionUsage = `usage: npm run bench -- regression [--runs N] [--seconds S] [--update]
  compares each connector with a raw receiver of the same run and fails when one falls below packages/benchmarks/ratios.json
  --runs N      turns of each, of which the median ratio counts (5)
  --seconds S   of a turn (2)
  --update      writes the ratios of this run to the file; on a quiet machine alone
`;

const file = new URL('../ratios.json', import.meta.url);

/** One case of the check, for its table. */
export interface Verdict {
  readonly name: string;
  readonly committed: number | undefined;
  readonly now: number;
  readonly regressed: boolean;
}

/** Compares ratios with the committed ones. A case that has none yet is no regression. */
export function judge(now: Ratios, committed: Ratios): readonly Verdict[] {
  return Object.entries(now).map(([name, ratio]) => {
    const before = committed[name];
    const regressed = before !== undefined && ratio < before * (1 - TOLERANCE);
    return { name, committed: before, now: ratio, regressed };
  });
}

/**
 * Measures each connector beside a raw receiver and resolves with whether no ratio fell too far. A ratio is the CPU time of the raw
 * receiver for a record over that of the connector: unlike a rate, it does not depend on how much of its core each was given.
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
  print(markdownTable({ head: ['', 'committed', 'now', ''], rows: verdicts.map(row) }));
  if (values.update) await writeFile(file, `${JSON.stringify(ratios, undefined, 2)}\n`);
  return values.update || verdicts.every(({ regressed }) => !regressed);
}

async function measureRatios(rounds: Rounds, say: Say): Promise<Ratios> {
  const log = await openLog();
  try {
    const rate = { bytes: 200, perSecond: 0 };
    const load = { connections: 16, atOnce: 1, perSecond: 0, request: 'span100' } as const;
    const cases: Readonly<Record<string, readonly Contender[]>> = {
      websocket: feedReaders({ name: 'websocket', log, rate, timed: false }, ['block', 'bare']),
      grpc: feedReaders({ name: 'grpc', log, rate, timed: false }, ['block', 'bare']),
      'otlp-http': exportReceivers({ log, load: { ...load, transport: 'http' }, timed: false }, [
        'ours',
        'bare',
      ]),
      'otlp-grpc': exportReceivers({ log, load: { ...load, transport: 'grpc' }, timed: false }, [
        'ours',
        'bare',
      ]),
    };
    const ratios: Record<string, number> = {};
    for (const [name, contenders] of Object.entries(cases))
      ratios[name] = ratioOf(name, await contest(contenders, rounds, say));
    return ratios;
  } finally {
    await log.close();
  }
}

function ratioOf(name: string, [ours, raw]: readonly Measured[]): number {
  const problem = ours?.unavailable ?? raw?.unavailable;
  if (problem !== undefined || ours === undefined) throw new Error(`${name} was not measured: ${problem}`);
  const { median } = spreadOf(roundRatios(ours, raw, ({ cpuMicros }) => 1 / cpuMicros));
  return Number(median.toFixed(4));
}

function row({ name, committed, now, regressed }: Verdict): readonly string[] {
  const verdict = regressed
    ? `regression: more than ${TOLERANCE * 100} % below`
    : committed === undefined
      ? 'new'
      : 'ok';
  return [name, committed?.toFixed(4) ?? '', now.toFixed(4), verdict];
}
