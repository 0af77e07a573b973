// What reading a request in OTLP/JSON costs: body bytes to protobuf bytes, beside JSON.parse alone, and beside JSON.parse with
// @bufbuild/protobuf's fromJson and toBinary, which take ids for base64 of another length, and do nothing else for them.
// All in one process, by turns: medians of CPU time. Then bodies of 8 MiB made to take long, read twice each.
// `npm run bench -- otlp-json-input [rounds] [milliseconds of a round]`.
import { cpus } from 'node:os';
import { fromJson, toBinary } from '@bufbuild/protobuf';
import { createJsonToExport } from '../src/export/json-to-export.ts';
import { otlpSchema } from '../src/model/otlp-schema.ts';
import { hostileBodies, type JsonBody, jsonBodies } from '../test/json-input-bodies.ts';

const rounds = Number(process.argv[2] ?? 9);
const roundMs = Number(process.argv[3] ?? 60);
/** Enough for the engine to have compiled what it is going to compile. */
const WARM_UP_MS = 500;
const MIB = 1024 * 1024;

const schema = otlpSchema();
const jsonToExport = createJsonToExport(schema);

/** Reads one body; the result is looked at, so that no work can be left out. */
type Subject = (body: Uint8Array) => number;

function subjectsOf({ signal }: JsonBody): readonly Subject[] {
  const request = schema.request(signal);
  const text = (body: Uint8Array): string =>
    Buffer.from(body.buffer, body.byteOffset, body.length).toString();
  return [
    (body) => jsonToExport(signal, body).length,
    (body) => Object.keys(JSON.parse(text(body))).length,
    (body) =>
      toBinary(request, fromJson(request, JSON.parse(text(body)), { ignoreUnknownFields: true })).length,
  ];
}

let sink = 0;

/** CPU microseconds of this process per pass. */
function measure(subject: Subject, body: Uint8Array, passes: number): number {
  const before = process.cpuUsage();
  for (let pass = 0; pass < passes; pass += 1) sink += subject(body);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / passes;
}

function warmUp(subject: Subject, body: Uint8Array): number {
  let passes = 0;
  for (const end = performance.now() + WARM_UP_MS; performance.now() < end; passes += 1)
    measure(subject, body, 1);
  return Math.max(1, Math.round((passes * roundMs) / WARM_UP_MS));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

function compare(each: JsonBody): string[] {
  const subjects = subjectsOf(each);
  const { json, signal } = each;
  const passes = subjects.map((subject) => warmUp(subject, json));
  const costs: number[][] = subjects.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < subjects.length; turn += 1) {
      const at = (round + turn) % subjects.length; // rotates which one runs first
      costs[at]?.push(measure(subjects[at] as Subject, json, passes[at] as number));
    }
  }
  const [own = 0, ...others] = costs.map(median);
  return [
    each.name,
    `${json.length} / ${jsonToExport(signal, json).length}`,
    ...[own, ...others].map((cost) => (json.length / cost).toFixed(0)),
    ((own / 1000) * (MIB / json.length)).toFixed(1),
    ...others.map((cost) => `${(cost / own).toFixed(1)}x`),
  ];
}

const HEAD = [
  'body',
  'bytes JSON / protobuf',
  'own MB/s',
  'JSON.parse MB/s',
  '@bufbuild MB/s',
  'own ms per MiB',
  'against JSON.parse',
  'against @bufbuild',
];

function readHostile({ name, signal, json }: JsonBody): string[] {
  const read: Subject = (body) => {
    try {
      return jsonToExport(signal, body).length;
    } catch {
      return 1; // refused, which takes its time, too
    }
  };
  measure(read, json, 1);
  return [name, (measure(read, json, 1) / 1000 / (json.length / MIB)).toFixed(1)];
}

function print(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  console.log([head, head.map(() => '---'), ...rows].map(line).join('\n'));
}

console.log(
  `Node ${process.version}, ${cpus()[0]?.model}, ${rounds} rounds of ${roundMs} ms, medians of CPU time\n`,
);
print(HEAD, jsonBodies.map(compare));
console.log();
print(['body of 8 MiB', 'own ms per MiB'], hostileBodies(8 * MIB).map(readHostile));
if (sink === 0) throw new Error('nothing was read');
