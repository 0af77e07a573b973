// OTLP/JSON: ids in hexadecimal, enums as integers, no defaults except members of a oneof, and valid text only.
import { fromJson, type JsonValue, toBinary } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { type WireToJsonOptions, wireToJson } from '../src/index.ts';
import { equalityCheck } from './equality.ts';
import { propertyRuns, propertyTimeout } from './property-runs.ts';
import { messageOf, protoText } from './proto-text.ts';
import { randomMessage } from './random-message.ts';
import { seeds } from './random-schema.ts';
import { type Bytes, putDouble, putFixed64 } from './wire-bytes.ts';
import { double, fixed64, len, varint, wire } from './wire-fields.ts';

vi.setConfig({ testTimeout: propertyTimeout() });

const registry = protoText(`
syntax = "proto3";
package otlp;

message Request { repeated ResourceSpans resource_spans = 1; repeated Metric metrics = 2; repeated LogRecord logs = 3; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; string schema_url = 3; }
message Resource { repeated KeyValue attributes = 1; uint32 dropped_attributes_count = 2; }
message ScopeSpans { repeated Span spans = 2; string schema_url = 3; }
enum SpanKind { SPAN_KIND_UNSPECIFIED = 0; SPAN_KIND_INTERNAL = 1; SPAN_KIND_SERVER = 2; }
message Span {
  bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; string name = 5; SpanKind kind = 6;
  fixed64 start_time_unix_nano = 7; fixed64 end_time_unix_nano = 8; repeated KeyValue attributes = 9; repeated Link links = 13;
  Status status = 15; fixed32 flags = 16;
}
message Link { bytes trace_id = 1; bytes span_id = 2; repeated KeyValue attributes = 4; }
enum StatusCode { STATUS_CODE_UNSET = 0; STATUS_CODE_OK = 1; STATUS_CODE_ERROR = 2; }
message Status { string message = 2; StatusCode code = 3; }
message LogRecord { fixed64 time_unix_nano = 1; AnyValue body = 5; repeated KeyValue attributes = 6; bytes trace_id = 9; bytes span_id = 10; }

message Metric { string name = 1; oneof data { Gauge gauge = 5; Histogram histogram = 9; ExponentialHistogram exponential_histogram = 10; } }
message Gauge { repeated NumberDataPoint data_points = 1; }
message NumberDataPoint {
  fixed64 time_unix_nano = 3; oneof value { double as_double = 4; sfixed64 as_int = 6; } repeated Exemplar exemplars = 5; uint32 flags = 8;
}
message Exemplar { oneof value { double as_double = 3; sfixed64 as_int = 6; } bytes span_id = 4; bytes trace_id = 5; }
enum Temporality { TEMPORALITY_UNSPECIFIED = 0; TEMPORALITY_DELTA = 1; TEMPORALITY_CUMULATIVE = 2; }
message Histogram { repeated HistogramDataPoint data_points = 1; Temporality aggregation_temporality = 2; }
message HistogramDataPoint {
  fixed64 count = 4; optional double sum = 5; repeated fixed64 bucket_counts = 6; repeated double explicit_bounds = 7;
  optional double min = 11; optional double max = 12;
}
message ExponentialHistogram { repeated ExponentialDataPoint data_points = 1; Temporality aggregation_temporality = 2; }
message ExponentialDataPoint { fixed64 count = 4; sint32 scale = 6; fixed64 zero_count = 7; Buckets positive = 8; double zero_threshold = 14; }
message Buckets { sint32 offset = 1; repeated uint64 bucket_counts = 2; }

message KeyValue { string key = 1; AnyValue value = 2; }
message AnyValue {
  oneof value {
    string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; ArrayValue array_value = 5;
    KeyValueList kvlist_value = 6; bytes bytes_value = 7;
  }
}
message ArrayValue { repeated AnyValue values = 1; }
message KeyValueList { repeated KeyValue values = 1; }
`);

/** Maximum number of nested messages of an AnyValue of 64 levels: 9 down to the first, and three per further level. */
const DEPTH = 200;
const IDS = ['Span.trace_id', 'Span.span_id', 'Span.parent_span_id', 'Link.trace_id', 'Link.span_id'];
const MORE_IDS = ['LogRecord.trace_id', 'LogRecord.span_id', 'Exemplar.span_id', 'Exemplar.trace_id'];

const OPTIONS = {
  defaults: false,
  enumsAsIntegers: true,
  hexFields: new Set([...IDS, ...MORE_IDS].map((name) => `otlp.${name}`)),
  invalidUtf8: 'replace',
  maxDepth: DEPTH,
} as const satisfies WireToJsonOptions;

function convert(type: string, ...fields: readonly Bytes[]): string {
  const converter = wireToJson(messageOf(registry, `otlp.${type}`), OPTIONS);
  return Buffer.from(converter.convert(wire(...fields))).toString();
}

function bytesOf(hex: string): Bytes {
  return [...Buffer.from(hex, 'hex')];
}

const TRACE_ID = '00ffa1b2c3d4e5f60718293a4b5c6d7e';
const SPAN_ID = '0123456789abcdef';

test.each([
  ['Span', [len(1, bytesOf(TRACE_ID)), len(2, bytesOf(SPAN_ID)), len(4, bytesOf('ffffffffffffffff'))]],
  ['Link', [len(1, bytesOf(TRACE_ID)), len(2, bytesOf(SPAN_ID))]],
  ['LogRecord', [len(9, bytesOf(TRACE_ID)), len(10, bytesOf(SPAN_ID))]],
])('ids of a %s are written in hexadecimal', (type, fields) => {
  const parent = type === 'Span' ? ',"parentSpanId":"ffffffffffffffff"' : '';
  expect(convert(type, ...fields)).toBe(`{"traceId":"${TRACE_ID}","spanId":"${SPAN_ID}"${parent}}`);
});

test('bytes that are not ids are base64, and empty ids are left out', () => {
  expect(convert('Span', len(1), len(2, bytesOf(SPAN_ID)))).toBe(`{"spanId":"${SPAN_ID}"}`);
  expect(convert('AnyValue', len(7, bytesOf(SPAN_ID)))).toBe('{"bytesValue":"ASNFZ4mrze8="}');
});

test.each([
  ['text', len(1), '{"stringValue":""}'],
  ['false', varint(2, 0), '{"boolValue":false}'],
  ['an integer', varint(3, 0), '{"intValue":"0"}'],
  ['a double', double(4, 0), '{"doubleValue":0}'],
  ['-0', double(4, -0), '{"doubleValue":-0}'],
  ['no values', len(5), '{"arrayValue":{}}'],
  ['no keys', len(6), '{"kvlistValue":{}}'],
  ['bytes', len(7), '{"bytesValue":""}'],
])('a member of a oneof is written even with its default: %s', (_, field, json) => {
  expect(convert('AnyValue', field)).toBe(json);
  expect(convert('AnyValue', varint(3, 5), field)).toBe(json);
  expect(convert('KeyValue', len(2, field), len(1, 'k'))).toBe(`{"key":"k","value":${json}}`);
});

test('defaults of all other fields are left out, even if they are sent', () => {
  const zeros = [len(3), len(5), varint(6, 0), fixed64(7, 0n)];
  expect(convert('Span', ...zeros, len(15, len(2), varint(3, 0)))).toBe('{"status":{}}');
  expect(convert('HistogramDataPoint', fixed64(4, 0n), double(5, 0), len(6), len(7), double(11, -0))).toBe(
    '{"sum":0,"min":-0}',
  );
});

test('a double without presence is written if it is -0, which is not the default', () => {
  expect(convert('ExponentialDataPoint', double(14, 0))).toBe('{}');
  expect(convert('ExponentialDataPoint', double(14, -0))).toBe('{"zeroThreshold":-0}');
});

test('known and unknown enum values are written as integers', () => {
  expect(convert('Span', varint(6, 2), len(15, varint(3, 2)))).toBe('{"kind":2,"status":{"code":2}}');
  expect(convert('Span', varint(6, 99))).toBe('{"kind":99}');
  expect(convert('Span', varint(6, -1))).toBe('{"kind":-1}');
});

test('64-bit integers are written as strings up to their limits', () => {
  const [most, max, min] = [2n ** 64n - 1n, 2n ** 63n - 1n, -(2n ** 63n)];
  expect(convert('Span', fixed64(7, most), fixed64(8, 1n))).toBe(
    `{"startTimeUnixNano":"${most}","endTimeUnixNano":"1"}`,
  );
  expect(convert('AnyValue', varint(3, min))).toBe(`{"intValue":"${min}"}`);
  expect(convert('NumberDataPoint', fixed64(6, max))).toBe(`{"asInt":"${max}"}`);
  expect(convert('NumberDataPoint', fixed64(6, min))).toBe(`{"asInt":"${min}"}`);
});

function textOf(value: number): string {
  if (!Number.isFinite(value)) return `"${value}"`;
  return Object.is(value, -0) ? '-0' : JSON.stringify(value);
}

/** Parses the JSON of each double. */
function readBack(values: readonly number[]): number[] {
  return values.map((value) => {
    const json = convert('AnyValue', double(4, value));
    expect(json).toBe(`{"doubleValue":${textOf(value)}}`);
    return Number((JSON.parse(json) as { doubleValue: unknown }).doubleValue);
  });
}

test('doubles at all limits read back unchanged', () => {
  const finite = [
    -0,
    0,
    5e-324,
    2.2250738585072014e-308,
    Number.MAX_VALUE,
    2 ** 53,
    2 ** 63,
    1e21,
    1e-7,
    0.1,
  ];
  const all = [...finite, ...finite.map((value) => -value), Number.NaN, Infinity, -Infinity];
  expect(readBack(all)).toEqual(all); // toEqual distinguishes -0 from 0
});

test('every double reads back unchanged', () => {
  const property = fc.property(fc.array(fc.double(), { minLength: 20, maxLength: 40 }), (values) => {
    expect(readBack(values)).toEqual(values);
  });
  fc.assert(property, { numRuns: propertyRuns(200) });
});

/** Consecutive values, packed from some index on. */
function inForms(number: number, put: (out: Bytes, index: number) => void, count: number): Bytes[] {
  const single = (index: number): Bytes => {
    const content: Bytes = [];
    put(content, index);
    return content;
  };
  const all = Array.from({ length: count }, (_, index) => single(index));
  const unpacked = all.flatMap((value) => [number * 8 + 1, ...value]);
  const half = [
    ...len(number, ...all.slice(0, 2)),
    ...all.slice(2).flatMap((value) => [number * 8 + 1, ...value]),
  ];
  return [len(number, ...all), unpacked, half, [...len(number), ...unpacked, ...len(number)]];
}

test('lists of fixed64 and double may be packed, unpacked or mixed', () => {
  const counts = [0n, 1n, 2n ** 64n - 1n, 7n];
  const bounds = [-0, 0.1, Number.POSITIVE_INFINITY, 1e300];
  const countForms = inForms(6, (out, index) => putFixed64(out, counts[index] as bigint), 4);
  const boundForms = inForms(7, (out, index) => putDouble(out, bounds[index] as number), 4);
  const json =
    '{"bucketCounts":["0","1","18446744073709551615","7"],"explicitBounds":[-0,0.1,"Infinity",1e+300]}';
  for (const first of countForms) {
    for (const second of boundForms) {
      expect(convert('HistogramDataPoint', first, second)).toBe(json);
      expect(convert('HistogramDataPoint', second, first)).toBe(json);
    }
  }
});

test('invalid UTF-8 in any text is replaced, and the output is valid JSON', () => {
  const bad = [0x61, 0xff, 0xc3, 0x22];
  const json = convert('Span', len(5, bad), len(9, len(1, bad), len(2, len(1, bad))), len(15, len(2, bad)));
  const text = 'a\ufffd\ufffd"';
  const attribute = { key: text, value: { stringValue: text } };
  expect(JSON.parse(json)).toEqual({ name: text, attributes: [attribute], status: { message: text } });
  expect(convert('Span', len(5, bad), len(5, 'good'))).toBe('{"name":"good"}');
});

/** `levels` nested AnyValues, as arrays or key-value lists. The innermost is empty. */
function anyValue(levels: number, member: 'array' | 'kvlist'): Bytes {
  let bytes: Bytes = [];
  for (let level = 1; level < levels; level += 1) {
    bytes = member === 'array' ? len(5, len(1, bytes)) : len(6, len(1, len(2, bytes)));
  }
  return bytes;
}

/** Places an AnyValue as deep as possible: in an attribute of a link of a span. */
function request(any: Bytes): Bytes {
  return len(1, len(2, len(2, len(13, len(4, len(2, any))))));
}

function countOf(text: string, piece: string): number {
  return text.split(piece).length - 1;
}

test.each(['array', 'kvlist'] as const)('64 nested AnyValues are converted, each in an %s', (member) => {
  const json = convert('Request', request(anyValue(64, member)));
  expect(countOf(json, `"${member}Value":`)).toBe(63);
  expect(() => JSON.parse(json)).not.toThrow();
  // messages out of order are scanned first
  expect(convert('Request', len(3), request(anyValue(64, member)))).toBe(`${json.slice(0, -1)},"logs":[{}]}`);
});

test.each(['array', 'kvlist'] as const)(
  'more than 100 nested AnyValues are refused, each in an %s',
  (member) => {
    for (const levels of [101, 500]) {
      const refused = 'more than 200 messages inside each other';
      expect(() => convert('Request', request(anyValue(levels, member)))).toThrow(refused);
    }
  },
);

test('any message is written as @bufbuild/protobuf does under these options', () => {
  const root = messageOf(registry, 'otlp.Request');
  const check = equalityCheck(root, registry, OPTIONS);
  const property = fc.property(seeds(), (seed) => {
    const message = randomMessage(root, seed, { registry, size: 120, ways: { invalidText: false } });
    expect(check(message)).toBeUndefined();
  });
  fc.assert(property, { numRuns: propertyRuns(1500) });
});

test('a request converts back to its original JSON', () => {
  const attributes = [
    { key: 'none', value: {} },
    {
      key: 'list',
      value: { arrayValue: { values: [{ intValue: '-1' }, { boolValue: false }, { stringValue: '' }] } },
    },
    { key: 'map', value: { kvlistValue: { values: [{ key: 'k', value: { doubleValue: 0.5 } }] } } },
  ];
  const point = { count: '3', sum: 0, bucketCounts: ['0', '3'], explicitBounds: [1.5], min: 0, max: 1e21 };
  const exponential = {
    count: '1',
    scale: -3,
    zeroCount: '1',
    positive: { offset: -2, bucketCounts: ['1'] },
  };
  const json: JsonValue = {
    resourceSpans: [
      { resource: { attributes }, scopeSpans: [{ spans: [{ name: 'x', kind: 1, attributes }] }] },
    ],
    metrics: [
      { name: 'h', histogram: { dataPoints: [point], aggregationTemporality: 2 } },
      { exponentialHistogram: { dataPoints: [exponential] } },
      {
        gauge: {
          dataPoints: [
            { exemplars: [{ asDouble: 0 }], asInt: '0' },
            { asDouble: 0, flags: 1 },
          ],
        },
      },
    ],
    logs: [{ timeUnixNano: '1', body: { stringValue: 'text' } }],
  };
  const root = messageOf(registry, 'otlp.Request');
  const bytes = toBinary(root, fromJson(root, json));
  expect(convert('Request', [...bytes])).toBe(JSON.stringify(json));
});
