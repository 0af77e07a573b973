import { printTable } from '../measure/print-table.ts';
import { type BenchRun, figures, plainTrial } from './bench-run.ts';
import { ratioOf } from './compare.ts';
import { interleaved } from './trials.ts';
import { medians, type Usage } from './usage.ts';

/** What an own HTTP/2 server must be worth on the whole path (decision 16). */
const WORTH = 1.3;

/** The whole connector with its own HTTP/2 server, and with node:http2 in its place, in turn, at full speed. */
export async function http2(run: BenchRun): Promise<void> {
  const rows: string[][] = [];
  const { options, logs, goal } = run;
  for (const { name, target } of logs)
    for (const request of options.requests) {
      const trial = { ...plainTrial('grpc'), request, target };
      const [own = [], library = []] = await interleaved(
        [trial, { ...trial, receiver: 'node:http2' as const }],
        options,
      );
      const rate = ({ perSecond }: Usage): number => perSecond;
      const cpu = ({ cpuMicros }: Usage): number => cpuMicros;
      const ratio = ratioOf(own, library, rate);
      rows.push([
        request,
        name,
        figures(medians(own)),
        figures(medians(library)),
        `${ratio.toFixed(2)} (${spread(own, library, rate)})`,
        `${ratioOf(library, own, cpu).toFixed(2)} (${spread(library, own, cpu)})`,
        `${medians(own).cores.toFixed(2)} / ${medians(library).cores.toFixed(2)}`,
        `${medians(own).dropped} / ${medians(library).dropped}`,
      ]);
      goal(`grpc, ${request} into ${name}: ${ratio.toFixed(2)}x node:http2, goal ${WORTH}x`, ratio >= WORTH);
    }
  printTable(
    `Whole path: own HTTP/2 and node:http2, ${options.rounds} pairs of turns of ${options.seconds} s; median ratios of pairs (least to most)`,
    [
      'request',
      'log',
      'own req/s [CPU µs]',
      'node:http2 req/s [CPU µs]',
      'ratio',
      'of CPU',
      'cores busy',
      'refused',
    ],
    rows,
  );
}

function spread(one: readonly Usage[], other: readonly Usage[], figure: (usage: Usage) => number): string {
  const ratios = one.map((usage, round) => figure(usage) / Math.max(1, figure(other[round] ?? usage)));
  return `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
}
