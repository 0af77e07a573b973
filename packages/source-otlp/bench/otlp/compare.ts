import { median } from '../measure/median.ts';
import { printTable } from '../measure/print-table.ts';
import { type BenchRun, figures, plainTrial, thousands } from './bench-run.ts';
import { benchRequest } from './requests.ts';
import { interleaved, type Trial } from './trials.ts';
import { medians, type Usage } from './usage.ts';

/** How much faster than the easy way, or how much less CPU. */
const goals = { http: 4, grpc: 2.5 } as const;

const head = [
  'request',
  'log, output',
  'transport',
  'own req/s [CPU µs]',
  'items/s',
  'easy req/s [CPU µs]',
  'ratio',
  'of CPU',
  'cores busy',
  'peak RSS',
  'refused',
];

/** Our receiver and the easy one, in turn, at full speed. */
export async function compare(run: BenchRun): Promise<void> {
  const { options, logs } = run;
  const rows: string[][] = [];
  for (const { name, target } of logs)
    for (const format of options.formats)
      for (const request of options.requests)
        for (const transport of options.transports) {
          const { signal } = benchRequest(request);
          const trial = { ...plainTrial(transport), request, signal, format, target };
          rows.push(await compared(run, name, trial));
        }
  const what = `medians of ${options.rounds} turns of ${options.seconds} s each, ratios of neighbouring turns`;
  printTable(
    `Full speed, ${what}; easy: express or grpc-js, protobufjs, JSON.stringify, the same producer`,
    head,
    rows,
  );
}

async function compared(run: BenchRun, log: string, trial: Trial): Promise<string[]> {
  const { request, transport, format } = trial;
  const [ours = [], theirs = []] = await interleaved(
    [trial, { ...trial, receiver: 'easy' as const }],
    run.options,
  );
  const [own, easy] = [medians(ours), medians(theirs)];
  const ratio = ratioOf(ours, theirs, ({ perSecond }) => perSecond);
  const cpuRatio = ratioOf(theirs, ours, ({ cpuMicros }) => cpuMicros);
  if (trial.signal === 'traces' && format === 'json') {
    const goal = goals[transport];
    const text = `${transport}, ${request} into ${log}: ${ratio.toFixed(1)}x the easy way (by CPU ${cpuRatio.toFixed(1)}x), goal ${goal}x`;
    run.goal(text, Math.max(ratio, cpuRatio) >= goal);
  }
  return [
    request,
    `${log}, ${format}`,
    transport,
    figures(own),
    thousands(own.perSecond * benchRequest(request).items),
    figures(easy),
    ratio.toFixed(1),
    cpuRatio.toFixed(1),
    `${own.cores.toFixed(2)} / ${easy.cores.toFixed(2)}`,
    `${own.peakRssMb.toFixed(0)} / ${easy.peakRssMb.toFixed(0)} MB`,
    `${own.dropped} / ${easy.dropped}`,
  ];
}

/** The median of the ratios of each round. */
export function ratioOf(
  one: readonly Usage[],
  other: readonly Usage[],
  figure: (usage: Usage) => number,
): number {
  return median(one.map((usage, round) => figure(usage) / Math.max(1, figure(other[round] ?? usage))));
}
