// CPU microseconds per request of the structural check, beside the conversion to OTLP/JSON by wire-json in the same process.
// `npm run bench -- otlp-check [rounds] [milliseconds of a round]`.
import { cpus } from 'node:os';
import { wireToJson } from '@levada/protobuf-tables';
import { realisticRequest } from '@levada/test-peers/otlp-requests';
import { createCheckExport } from '../src/export/check-export.ts';
import { hexFields } from '../src/model/hex-fields.ts';
import { otlpSchema } from '../src/model/otlp-schema.ts';

const rounds = Number(process.argv[2] ?? 15);
const roundMs = Number(process.argv[3] ?? 60);
/** Enough for the engine to have compiled what it is going to compile. */
const WARM_UP_MS = 700;

const cases = [
  ['traces', 100],
  ['traces', 1],
  ['logs', 100],
  ['metrics', 100],
] as const;

const schema = otlpSchema();
const check = createCheckExport(schema);
const ids = hexFields(schema);
let sink = 0;

/** CPU microseconds of this process per call. */
function measure(subject: () => number, calls: number): number {
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) sink += subject();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

/** How many calls make a round. */
function warmUp(subject: () => number): number {
  let calls = 0;
  for (const end = performance.now() + WARM_UP_MS; performance.now() < end; calls += 1) sink += subject();
  return Math.max(1, Math.round((calls * roundMs) / WARM_UP_MS));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

function row([signal, count]: (typeof cases)[number]): string {
  const request = realisticRequest(schema, signal, count);
  const options = { defaults: false, enumsAsIntegers: true, hexFields: ids };
  const converter = wireToJson(schema.request(signal), options);
  const subjects = [
    () => check(signal, request, { strictUtf8: true }).jsonBytes,
    () => converter.convert(request).length,
  ];
  const calls = subjects.map(warmUp);
  const costs: number[][] = subjects.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, subject] of subjects.entries()) costs[at]?.push(measure(subject, calls[at] as number));
  }
  const [checked = 0, converted = 0] = costs.map(median);
  const bound = check(signal, request, { strictUtf8: true }).jsonBytes;
  const json = converter.convert(request).length;
  const cells = [
    `${signal}, ${count}`,
    `${request.length} / ${json}`,
    checked.toFixed(2),
    converted.toFixed(2),
    `${((checked / converted) * 100).toFixed(0)} %`,
    (bound / json).toFixed(2),
  ];
  return `| ${cells.join(' | ')} |`;
}

console.log(
  [
    `Structural check and conversion of the same request, CPU microseconds of the process per request: medians of ${rounds}`,
    `rounds of about ${roundMs} ms, in turn in one process. Node ${process.version}, ${cpus()[0]?.model}.`,
    '',
    '| request | bytes / as JSON | check µs | wire-json µs | share | bound to JSON |',
    '| --- | --- | --- | --- | --- | --- |',
    ...cases.map(row),
  ].join('\n'),
);
if (sink === 0) process.exitCode = 1;
