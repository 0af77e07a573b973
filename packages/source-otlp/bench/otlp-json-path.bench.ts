// What our own reader of OTLP/JSON is worth in the whole path: an exporter over HTTP with JSON, the receiver, its queue, into a log; with our
// own reader, and with JSON.parse and a walk over objects in its place. Both receivers live side by side and are sent to by turns.
// `npm run bench -- otlp-json-path [rounds] [seconds of a round] [discard or embedded]`.
import { cpus } from 'node:os';
import { printTable } from './measure/print-table.ts';
import { figures, plainTrial } from './otlp/bench-run.ts';
import { ratioOf } from './otlp/compare.ts';
import { interleaved, type Trial } from './otlp/trials.ts';
import { medians, type Usage } from './otlp/usage.ts';

const rounds = Number(process.argv[2] ?? 9);
const seconds = Number(process.argv[3] ?? 0.5);
const target = process.argv[4] ?? 'embedded';
const requests = ['span100', 'span1', 'logs100', 'metrics100'] as const;

/** The quartiles of the ratios of each round. */
function spread(one: readonly number[]): string {
  const sorted = one.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.round(share * (sorted.length - 1))] ?? 0).toFixed(2);
  return `${at(0.25)} to ${at(0.75)}`;
}

async function row(request: (typeof requests)[number]): Promise<string[]> {
  const signal = request.startsWith('span') ? 'traces' : request === 'logs100' ? 'logs' : 'metrics';
  const trial: Trial = { ...plainTrial('http'), request, signal, target, form: 'json' };
  const results = await interleaved([trial, { ...trial, jsonParse: true }], { rounds, seconds, warmUp: 2 });
  const [own = [], other = []] = results;
  const rate = ({ perSecond }: Usage): number => perSecond;
  const cpu = ({ cpuMicros }: Usage): number => cpuMicros;
  const cpuRatios = own.map((usage, round) => cpu(other[round] ?? usage) / cpu(usage));
  return [
    request,
    figures(medians(own)),
    figures(medians(other)),
    ratioOf(own, other, rate).toFixed(2),
    ratioOf(other, own, cpu).toFixed(2),
    spread(cpuRatios),
  ];
}

console.log(`Node ${process.version}, ${cpus()[0]?.model}, ${rounds} rounds of ${seconds} s`);
const rows: string[][] = [];
for (const request of requests) rows.push(await row(request));
printTable(
  `OTLP/JSON over HTTP into ${target}: exports per second [CPU µs], and what is gained`,
  ['request', 'own reader', 'JSON.parse and a walk', 'by rate', 'by CPU', 'quartiles by CPU'],
  rows,
);
