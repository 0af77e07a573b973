// CPU microseconds per message of the conversion alone: wire bytes to ProtoJSON bytes, compared with protobufjs and
// @bufbuild/protobuf in the same process. `npm run bench -- wire-json [rounds] [milliseconds of a round]`.
import { cpus } from 'node:os';
import { fromBinary, toJsonString } from '@bufbuild/protobuf';
import { wireToJson } from '@levada/protobuf-tables';
import { protobufjsRoot } from '../test/protobufjs-root.ts';
import { type RealisticCase, realisticCases } from '../test/realistic-messages.ts';

const rounds = Number(process.argv[2] ?? 15);
const roundMs = Number(process.argv[3] ?? 60);
/** Time for the engine to compile hot code. */
const WARM_UP_MS = 700;

/** Converts one message. The caller uses the result, so that no work is optimized away. */
type Subject = (wire: Uint8Array) => number;

const SUBJECTS = ['wire-json', 'protobufjs', '@bufbuild/protobuf'] as const;

function subjectsOf({ desc, registry }: RealisticCase): readonly Subject[] {
  const converter = wireToJson(desc, { registry });
  const type = protobufjsRoot(registry).lookupType(desc.typeName);
  const object = { longs: String, enums: String, bytes: String, defaults: true };
  const json = { alwaysEmitImplicit: true, registry };
  return [
    (wire) => converter.convert(wire).length,
    (wire) => Buffer.from(JSON.stringify(type.toObject(type.decode(wire), object))).length,
    (wire) => Buffer.from(toJsonString(desc, fromBinary(desc, wire), json)).length,
  ];
}

let sink = 0;

/** CPU microseconds of this process per message, over `passes` passes. */
function measure(subject: Subject, messages: readonly Uint8Array[], passes: number): number {
  const before = process.cpuUsage();
  for (let pass = 0; pass < passes; pass += 1) {
    for (let at = 0; at < messages.length; at += 1) sink += subject(messages[at] as Uint8Array);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (passes * messages.length);
}

function warmUp(subject: Subject, messages: readonly Uint8Array[]): number {
  let passes = 0;
  for (const end = performance.now() + WARM_UP_MS; performance.now() < end; passes += 1)
    measure(subject, messages, 1);
  return Math.max(1, Math.round((passes * roundMs) / WARM_UP_MS));
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

function compare(each: RealisticCase): string[] {
  const subjects = subjectsOf(each);
  const passes = subjects.map((subject) => warmUp(subject, each.messages));
  const costs: number[][] = subjects.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < subjects.length; turn += 1) {
      const at = (round + turn) % subjects.length; // rotates which one runs first
      costs[at]?.push(measure(subjects[at] as Subject, each.messages, passes[at] as number));
    }
  }
  const [own = 0, ...others] = costs.map(median);
  const bytes = each.messages.reduce((sum, message) => sum + message.length, 0) / each.messages.length;
  const json =
    each.messages.reduce((sum, message) => sum + (subjects[0] as Subject)(message), 0) / each.messages.length;
  return [
    each.name,
    `${Math.round(bytes)} / ${Math.round(json)}`,
    ...[own, ...others].map((cost) => cost.toFixed(own < 10 ? 2 : 1)),
    ...others.map((cost) => `${(cost / own).toFixed(1)}x`),
  ];
}

function print(rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const head = [
    'message',
    'bytes in / out',
    ...SUBJECTS.map((name) => `${name} µs`),
    'to protobufjs',
    'to @bufbuild',
  ];
  console.log([line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n'));
}

console.log(
  [
    `Wire bytes to JSON bytes, CPU microseconds of the process per message: medians of ${rounds} rounds of about ${roundMs} ms,`,
    'in turn in one process, 64 different messages a case. protobufjs: decode, toObject with defaults, JSON.stringify, Buffer',
    '(not canonical ProtoJSON). @bufbuild/protobuf: fromBinary, toJsonString with implicit defaults, Buffer.',
    `Node ${process.version}, ${cpus()[0]?.model}.`,
    '',
  ].join('\n'),
);
// All cases in one process: the walk is compiled for many schemas, as in a worker with several connectors.
print(realisticCases().map(compare));
if (sink === 0) process.exitCode = 1;
