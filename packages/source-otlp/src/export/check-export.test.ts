import type { JsonObject } from '@bufbuild/protobuf';
import { wireToJson } from '@levada/protobuf-tables';
import { encoded } from '@levada/test-peers/otlp-requests';
import { describe, expect, it } from 'vitest';
import { otlpJson } from '../../test/json-input-reader.ts';
import { logsOfSdk, metricsOfSdk, spansOfSdk } from '../../test/sdk-requests.ts';
import { otlpSchema } from '../model/otlp-schema.ts';
import type { SignalName } from '../model/signals.ts';
import { createCheckExport, InvalidExport } from './check-export.ts';
import { MAX_DEPTH } from './export-rules.ts';

const schema = otlpSchema();
const check = createCheckExport(schema);
const strict = { strictUtf8: true };
const lenient = { strictUtf8: false };

/** A length-delimited field with a tag of one byte and a length of one byte. */
function field(number: number, ...content: readonly (Uint8Array | string)[]): Buffer {
  const bytes = Buffer.concat(content.map((part) => Buffer.from(part)));
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}

/** A request with an empty span, followed by a span of these bytes. */
const span = (...bytes: readonly (Uint8Array | string)[]): Buffer =>
  field(1, field(2, field(2), field(2, ...bytes)));
const inSpan = 'resource_spans[0].scope_spans[0].spans[1]';
const bytes = (length: number): Buffer => Buffer.alloc(length, 7);
const group = (number: number, ...content: readonly Uint8Array[]): Buffer =>
  Buffer.concat([varint((number << 3) | 3), ...content, varint((number << 3) | 4)]);

const refusals: readonly (readonly [what: string, request: Uint8Array, problem: string])[] = [
  ['a trace id of 15 bytes', span(field(1, bytes(15))), `${inSpan}.trace_id: 15 bytes, expected 16 or none`],
  ['a span id of one byte', span(field(2, bytes(1))), `${inSpan}.span_id: 1 byte, expected 8 or none`],
  [
    'a parent span id of 16 bytes',
    span(field(4, bytes(16))),
    `${inSpan}.parent_span_id: 16 bytes, expected 8 or none`,
  ],
  [
    'a wrong id in a link',
    span(field(13), field(13, field(1, bytes(17)))),
    `${inSpan}.links[1].trace_id: 17 bytes, expected 16 or none`,
  ],
  ['invalid UTF-8', span(field(5, Buffer.from([0x61, 0xff]))), `${inSpan}.name: invalid UTF-8`],
  ['UTF-8 of a surrogate', span(field(5, Buffer.from([0xed, 0xa0, 0x80]))), `${inSpan}.name: invalid UTF-8`],
  ['UTF-8 longer than needed', span(field(5, Buffer.from([0xc0, 0x80]))), `${inSpan}.name: invalid UTF-8`],
  ['UTF-8 that is cut off', span(field(5, Buffer.from([0xe6, 0xbc]))), `${inSpan}.name: invalid UTF-8`],
  [
    'invalid UTF-8 in a list',
    field(1, field(1, field(3, field(3, 'a'), field(3, Buffer.from([0x80]))))),
    'resource_spans[0].resource.entity_refs[0].id_keys[1]: invalid UTF-8',
  ],
  [
    'a length past the end',
    Buffer.from([0x0a, 3, 0x12, 2, 0]),
    'resource_spans[0].scope_spans[0]: length past the end',
  ],
  [
    'a length past the end of the request',
    Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]),
    'resource_spans[0]: length past the end',
  ],
  ['a tag without a length', Buffer.from([0x0a]), 'resource_spans[0]: truncated length'],
  ['a length that is cut off', Buffer.from([0x0a, 0x80]), 'resource_spans[0]: truncated length'],
  ['a tag that is cut off', Buffer.from([0x80]), 'truncated tag'],
  [
    'a fixed64 that is cut off',
    span(Buffer.from([0x39, 1, 2, 3])),
    `${inSpan}.start_time_unix_nano: truncated number`,
  ],
  ['a fixed32 that is cut off', span(Buffer.from([0x85, 0x01, 1])), `${inSpan}.flags: truncated number`],
  ['a varint that is cut off', span(Buffer.from([0x30, 0x80])), `${inSpan}.kind: truncated varint`],
  [
    'a varint of eleven bytes',
    span(Buffer.from([0x30, ...bytes(10).fill(0x80), 0])),
    `${inSpan}.kind: varint of more than ten bytes`,
  ],
  [
    'a varint of eleven bytes in an unknown field',
    span(Buffer.from([0xa0, 0x06, ...bytes(10).fill(0x80), 0])),
    `${inSpan}: varint of more than ten bytes`,
  ],
  ['field number 0', span(Buffer.from([0x02, 0])), `${inSpan}: field number 0`],
  ['field number 0 in two bytes', span(Buffer.from([0x80, 0])), `${inSpan}: field number 0`],
  ['a tag of more than 32 bits', Buffer.from([0xfa, 0xff, 0xff, 0xff, 0x1f, 0]), 'tag of more than 32 bits'],
  ['a tag of six bytes', Buffer.from([0x88, 0x80, 0x80, 0x80, 0x80, 0, 0]), 'tag of more than 32 bits'],
  ['wire type 6', Buffer.from([0x0e]), 'wire type 6'],
  ['wire type 7 of an unknown field', Buffer.from([0x7f]), 'wire type 7'],
  ['a group without end', span(Buffer.from([0xa3, 0x06, 0x08, 1])), `${inSpan}: group without end`],
  [
    'the end of another group',
    span(Buffer.from([0xa3, 0x06, 0xac, 0x06])),
    `${inSpan}: end of another group`,
  ],
  ['the end of no group', span(Buffer.from([0xa4, 0x06])), `${inSpan}: end of a group that was not started`],
  ['an unknown field past the end', span(Buffer.from([0xa2, 0x06, 9, 1])), `${inSpan}: length past the end`],
];

describe('createCheckExport', () => {
  it.each(refusals)('the check refuses %s and says where it is', (_, request, problem) => {
    expect(() => check('traces', request, strict)).toThrow(new InvalidExport(problem));
  });

  it('the check accepts an empty body as a request without items', () => {
    expect(check('traces', new Uint8Array(0), strict)).toMatchObject({ items: 0, jsonBytes: 2 });
  });

  it('the check counts no items in resources that have none', () => {
    for (const signal of ['traces', 'metrics', 'logs', 'profiles'] as const) {
      expect(check(signal, field(1, field(1), field(2, field(1, field(1, 'scope')))), strict).items).toBe(0);
    }
  });

  it('the check counts spans, data points and log records of the SDK', async () => {
    expect(check('traces', spansOfSdk().request, strict).items).toBe(2);
    expect(check('metrics', await metricsOfSdk(), strict).items).toBe(5);
    expect(check('logs', logsOfSdk().request, strict).items).toBe(2);
  });

  it('the check counts the data points of all five kinds of metrics', () => {
    const kinds = ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary'];
    for (const [index, kind] of kinds.entries()) {
      const dataPoints = Array.from({ length: index + 1 }, () => ({ count: '1' }));
      const points = index < 2 ? dataPoints.map(() => ({ asInt: '1' })) : dataPoints;
      const metrics: JsonObject[] = [{ name: 'a', [kind]: { dataPoints: points } }, { name: 'b' }];
      const request = encoded(schema, 'metrics', { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] });
      expect(check('metrics', request, strict).items).toBe(index + 1);
    }
  });

  it('the check counts profiles, not their samples', () => {
    const profiles = [{ samples: [{}, {}] }, {}];
    const request = encoded(schema, 'profiles', { resourceProfiles: [{ scopeProfiles: [{ profiles }] }] });
    expect(check('profiles', request, strict).items).toBe(2);
  });

  it('the check accepts strings that are not UTF-8 unless it is strict', () => {
    const request = span(field(5, Buffer.from([0x61, 0xff])));
    expect(check('traces', request, lenient).items).toBe(2);
  });

  it.each([
    [
      'metrics',
      field(1, field(2, field(2, field(5, field(1, field(5, field(4, bytes(7)))))))),
      'resource_metrics[0].scope_metrics[0].metrics[0].gauge.data_points[0].exemplars[0].span_id: 7 bytes, expected 8 or none',
    ],
    [
      'logs',
      field(1, field(2, field(2, field(9, bytes(24))))),
      'resource_logs[0].scope_logs[0].log_records[0].trace_id: 24 bytes, expected 16 or none',
    ],
    [
      'profiles',
      field(2, field(4, field(2, bytes(9)))),
      'dictionary.link_table[0].span_id: 9 bytes, expected 8 or none',
    ],
  ] as const)('the check refuses wrong ids in %s', (signal, request, problem) => {
    expect(() => check(signal, request, strict)).toThrow(new InvalidExport(problem));
  });

  it('the check accepts ids of no bytes', () => {
    expect(check('traces', span(field(1), field(2), field(4)), strict).items).toBe(2);
  });

  it('the check passes over unknown fields, and known ones with another wire type', () => {
    const unknown = [
      field(100, 'x'),
      group(100, field(1, 'y'), group(2)),
      Buffer.from([0x08, 5]),
      Buffer.from([0x2d, 1, 2, 3, 4]),
    ];
    expect(check('traces', span(...unknown), strict).items).toBe(2);
  });

  it.each([
    ['lists', (value: Buffer) => field(5, field(1, value))],
    ['maps', (value: Buffer) => field(6, field(1, field(2, value)))],
  ])('the check takes 64 AnyValues inside each other by %s, and leaves the 65th empty', (_, nest) => {
    const nested = (count: number, innermost = field(1, 'x')): Buffer => {
      let value = innermost;
      for (let inner = 1; inner < count; inner++) value = nest(value);
      return field(1, field(2, field(2, field(5, value))));
    };
    const whole = nested(64);
    expect(check('logs', whole, strict)).toMatchObject({ items: 1, cutValues: 0 });
    expect(check('logs', whole, strict).request).toBe(whole);
    const empty = nested(65, Buffer.alloc(0));
    for (const depth of [65, 66, 100]) {
      const { request, items, cutValues, jsonBytes } = check('logs', nested(depth), strict);
      expect([items, cutValues, otlpJson('logs', request)]).toEqual([1, 1, otlpJson('logs', empty)]);
      expect(jsonBytes).toBe(check('logs', empty, strict).jsonBytes);
    }
  });

  it('the check keeps unknown fields of any number unchanged where it leaves values empty', () => {
    let deep = field(1, 'x');
    for (let values = 1; values < 66; values++) deep = field(5, field(1, deep));
    const attribute = field(7, field(1, 'key'), field(2, deep));
    const noMessage = Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]);
    for (let number = 2 ** 29 - 1; number > 2 ** 29 - 400; number--) {
      const tag = varint(number * 8 + 2);
      const unknown = Buffer.concat([tag, varint(noMessage.length), noMessage]);
      const point = field(1, unknown, attribute);
      const request = field(1, field(2, field(2, field(5, unknown, point))));
      const checked = check('metrics', request, strict);
      expect(checked.cutValues).toBe(1);
      expect(Buffer.from(checked.request).toString('hex').split(unknown.toString('hex'))).toHaveLength(3);
    }
  });

  it('the check accepts 100 groups of unknown fields inside each other, and refuses 101', () => {
    const nested = (levels: number): Buffer =>
      levels === 0 ? Buffer.alloc(0) : group(100, nested(levels - 1));
    expect(check('traces', nested(100), strict).items).toBe(0);
    expect(() => check('traces', nested(101), strict)).toThrow(
      new InvalidExport('too many groups inside each other'),
    );
  });

  it('the check accepts nothing deeper than converters with a depth of 200 can convert', () => {
    const groups = (levels: number): Buffer =>
      levels === 0 ? Buffer.alloc(0) : group(100, groups(levels - 1));
    const nested = (levels: number): Buffer => {
      let value = groups(levels);
      for (let inner = 1; inner < 64; inner++) value = field(6, field(1, field(2, value)));
      return field(1, field(2, field(2, field(5, value))));
    };
    // request, resource, scope, record, 64 values with two messages between each
    const converter = wireToJson(schema.request('logs'), { defaults: false, maxDepth: MAX_DEPTH });
    expect(check('logs', nested(200 - 194), strict).jsonBytes).toBeGreaterThanOrEqual(
      converter.convert(nested(200 - 194)).length,
    );
    expect(() => check('logs', nested(200 - 193), strict)).toThrow(/: too many groups inside each other$/);
  });

  it('the check bounds the JSON of lists that grow most in JSON', () => {
    const converter = wireToJson(schema.request('metrics'), { defaults: false, invalidUtf8: 'replace' });
    const doubles = [-1.2345678901234567e-308, 999_999, 1_000_000, -999_999, -1_000_000, -0, 12_345_678];
    const whole = [0n, 999n, 1000n, 4_294_967_295n, 4_294_967_296n, 18_446_744_073_709_551_615n];
    const bits = Array.from({ length: 65 }, (_, bit) => 2n ** BigInt(bit) - 1n);
    const lists = [
      ...doubles.map((value) => ({
        histogram: { dataPoints: [{ explicitBounds: Array(1000).fill(value) }] },
      })),
      ...whole.map((value) => ({
        histogram: { dataPoints: [{ bucketCounts: Array(1000).fill(String(value)) }] },
      })),
      ...bits.map((value) => ({
        exponentialHistogram: {
          dataPoints: [{ positive: { bucketCounts: Array(1000).fill(String(value)) } }],
        },
      })),
    ];
    for (const list of lists) {
      const request = encoded(schema, 'metrics', {
        resourceMetrics: [{ scopeMetrics: [{ metrics: [list] }] }],
      });
      const { jsonBytes } = check('metrics', request, strict);
      expect(jsonBytes).toBeGreaterThanOrEqual(converter.convert(request).length);
    }
    for (const byte of [0, 1, 0x0a, 0x22, 0x5c, 0x7f, 0x80, 0xc3, 0xe6, 0xff]) {
      const request = field(1, field(2, field(2, field(1, bytes(1000).fill(byte)))));
      const { jsonBytes } = check('metrics', request, lenient);
      expect(jsonBytes).toBeGreaterThanOrEqual(converter.convert(request).length);
    }
  });

  it('the check finds the place of an error after a million fields, and of a million groups', () => {
    const many = Buffer.alloc(2_000_000, field(1));
    const request = Buffer.concat([many, Buffer.from([0x0a, 1, 0x0e])]);
    expect(() => check('traces', request, strict)).toThrow(
      new InvalidExport('resource_spans[1000000]: wire type 6'),
    );
    const nested = Buffer.alloc(2_000_000, Buffer.from([0xa3, 0x06]));
    expect(() => check('traces', nested, strict)).toThrow(
      new InvalidExport('too many groups inside each other'),
    );
  });

  it('the check shortens a path that is long', () => {
    let value = field(1, Buffer.from([0xff]));
    for (let level = 0; level < 20; level++) value = field(5, field(1, value));
    const request = field(1, field(2, field(2, field(5, value))));
    expect(() => check('logs', request, strict)).toThrow(
      /^resource_logs\[0\]\.scope_logs\[0\]\.log_records\[0\]\.body\.array_value\.values\[0\]\..{120,160}\.\.\.: invalid UTF-8$/,
    );
  });

  it('the check accepts a request of several MiB and a small one after it', () => {
    const large = Buffer.concat(Array.from({ length: 5000 }, () => span(field(5, 'x'.repeat(700)))));
    const cut = large.subarray(0, large.length - 1);
    expect(large.length).toBeGreaterThan(3 * 1024 * 1024);
    expect(check('traces', large, strict).items).toBe(10_000);
    expect(() => check('traces', cut, strict)).toThrow(
      new InvalidExport('resource_spans[4999]: length past the end'),
    );
    expect(check('traces', span(), strict).items).toBe(2);
  });

  it('the check refuses a large request that ends within a field', () => {
    const large = Buffer.alloc(1024 * 1024 + 2, field(1));
    for (const end of [[0x0a], [0x0a, 0x80], [0x80], [0x08], [0x08, 0x80], [0xa2, 0x06]]) {
      const request = Buffer.concat([large, Buffer.from(end)]);
      expect(() => check('traces', request, strict)).toThrow(/truncated/);
    }
  });

  it('the check does not read bytes that an earlier, longer request left in the buffer', () => {
    check('traces', span(field(5, 'x'.repeat(300))), strict);
    expect(() => check('traces', Buffer.from([0x0a]), strict)).toThrow(InvalidExport);
  });

  it('the check refuses a request of the SDK that is cut off anywhere but between resources', async () => {
    const requests: readonly (readonly [SignalName, Uint8Array])[] = [
      ['traces', spansOfSdk().request],
      ['metrics', await metricsOfSdk()],
      ['logs', logsOfSdk().request],
    ];
    for (const [signal, request] of requests) {
      for (let end = 1; end < request.length; end++) {
        expect(() => check(signal, request.subarray(0, end), strict)).toThrow(InvalidExport);
      }
    }
  });
});
