// CPU microseconds per request for the structural check and for the conversion to OTLP/JSON or base64, compared with
// protobufjs and @bufbuild/protobuf in the same process. `npm run bench -- otlp-conversion [rounds] [milliseconds of a round]`.
import { deepStrictEqual } from 'node:assert/strict';
import { cpus } from 'node:os';
import { fromBinary, toJsonString } from '@bufbuild/protobuf';
import { createCheckExport } from '../src/export/check-export.ts';
import { createPlainExports, type PlainExports } from '../src/export/plain-exports.ts';
import { otlpSchema } from '../src/model/otlp-schema.ts';
import type { RecordForm } from '../src/model/queued-export.ts';
import { RecordValues } from '../src/record/record-values.ts';
import { cpuMicros, type Subject } from './measure/cpu-rounds.ts';
import { printTable } from './measure/print-table.ts';
import { protobufjsExports } from './otlp/protobufjs-exports.ts';
import { type BenchRequest, benchRequest, requestNames } from './otlp/requests.ts';

const rounds = Number(process.argv[2] ?? 15);
const roundMs = Number(process.argv[3] ?? 40);
/** Conversion over protobufjs, for the request of 100 spans. */
const GOAL = 8;
/** Records of a batch, whose memory is used again when it is settled. */
const BATCH = 16;

const schema = otlpSchema();
const check = createCheckExport(schema);
const protobufjsOf = protobufjsExports();

/** Values in memory that is used again, as the connector writes them. */
function valueWriter(
  plain: PlainExports | undefined,
): (request: BenchRequest, encoding: RecordForm['encoding']) => Uint8Array {
  const values = new RecordValues(schema, plain);
  let written = 0;
  return ({ signal, body }, encoding) => {
    if (++written % BATCH === 0) values.giveBack(values.take());
    return values.value(signal, body, encoding);
  };
}

const plain = createPlainExports(schema);
const write = valueWriter(plain);
const interpret = valueWriter(undefined);

function subjectsOf(request: BenchRequest): readonly Subject[] {
  const { signal, body } = request;
  const protobufjs = protobufjsOf(signal);
  const desc = schema.request(signal);
  const checked = (): number => check(signal, body, { strictUtf8: true }).jsonBytes;
  return [
    checked,
    () => write(request, 'otlp_json').length,
    () => interpret(request, 'otlp_json').length,
    () => checked() + interpret(request, 'otlp_json').length,
    () => checked() + write(request, 'base64').length,
    () => protobufjs.json(protobufjs.decode(body)).length,
    () => Buffer.from(toJsonString(desc, fromBinary(desc, body), { enumAsInteger: true })).length,
  ];
}

/** All ways must say the same. */
function compareTexts(request: BenchRequest): void {
  const protobufjs = protobufjsOf(request.signal);
  const theirs: unknown = JSON.parse(protobufjs.json(protobufjs.decode(request.body)).toString());
  const json = Buffer.from(write(request, 'otlp_json')).toString();
  deepStrictEqual(JSON.parse(json), theirs);
  deepStrictEqual(json, Buffer.from(interpret(request, 'otlp_json')).toString());
}

const goals: string[] = [];

function row(request: BenchRequest): readonly string[] {
  compareTexts(request);
  const [checked = 0, json = 0, interpreted = 0, both = 0, base64 = 0, theirs = 0, bufbuild = 0] = cpuMicros(
    subjectsOf(request),
    { rounds, roundMs },
  );
  const ratio = theirs / json;
  if (request.name === 'span100')
    goals.push(
      `${ratio >= GOAL ? 'met' : 'NOT MET'}: conversion of 100 spans ${ratio.toFixed(1)}x protobufjs, goal ${GOAL}x`,
    );
  const digits = json < 10 ? 2 : 1;
  return [
    request.name,
    `${request.body.length} / ${write(request, 'otlp_json').length}`,
    ...[checked, json, interpreted, both, base64, theirs, bufbuild].map((cost) => cost.toFixed(digits)),
    `${ratio.toFixed(1)}x`,
    `${(both / json).toFixed(1)}x`,
    `${(bufbuild / json).toFixed(1)}x`,
  ];
}

console.log(
  [
    `CPU microseconds of the process per request: medians of ${rounds} rounds of about ${roundMs} ms, in turn in one process.`,
    'JSON: what most records are made by, in WebAssembly, which is the check as well; interpreter: what makes the others.',
    'protobufjs: decode, toObject (64-bit integers as text, ids as hexadecimal text, enums as numbers), JSON.stringify, Buffer.',
    '@bufbuild/protobuf: fromBinary, toJsonString, Buffer (ids as base64). Base64: check and text, nothing is decoded.',
    `Node ${process.version}, ${cpus()[0]?.model}.`,
  ].join('\n'),
);
printTable(
  '',
  [
    'request',
    'bytes in / JSON',
    'check',
    'JSON',
    'interpreter',
    'check + interpreter',
    'check + base64',
    'protobufjs',
    '@bufbuild',
    'JSON to protobufjs',
    'to check + interpreter',
    'to @bufbuild',
  ],
  requestNames.map((name) => row(benchRequest(name))),
);
console.log(goals.join('\n'));
