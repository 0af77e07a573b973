import { describe, expect, it } from 'vitest';
import type { SignalName } from '../src/model/signals.ts';
import {
  attribute,
  bodyOfSpan,
  jsonToExport,
  otlpJson,
  readAnyValue,
  readBack,
  readSpan,
} from './json-input-reader.ts';

const spans = (members: string) => (): unknown => jsonToExport('traces', Buffer.from(bodyOfSpan(members)));
const body =
  (bytes: string | Uint8Array, signal: SignalName = 'traces') =>
  (): unknown =>
    jsonToExport(signal, Buffer.from(bytes));
const _TRACE = '5B8EFFF798038103D269B633813FC60C';
const _SPAN = 'eee19b7ec3c1b174';

describe('fields that come twice', () => {
  it.each([
    ['"name":"a","name":"b"', { name: 'b' }],
    ['"name":"a","kind":1,"name":"b","flags":2', { name: 'b', kind: 1, flags: 2 }],
    ['"name":"a","name":null', {}],
    ['"name":"a","name":""', {}],
    ['"name":"a","\\u006eame":"b"', { name: 'b' }],
    ['"kind":1,"kind":"SPAN_KIND_CLIENT"', { kind: 3 }],
    ['"status":{"code":2,"message":"m"},"status":{"code":1}', { status: { code: 1 } }],
    [
      '"events":[{"name":"a"},{"name":"b"}],"name":"n","events":[{"name":"c"}]',
      { name: 'n', events: [{ name: 'c' }] },
    ],
    ['"events":[{"name":"a"}],"events":[]', {}],
    ['"events":[{"name":"a","name":"b"}],"kind":1', { kind: 1, events: [{ name: 'b' }] }],
  ])('the reader uses the last of %j', (json, read) => {
    expect(readSpan(json)).toEqual(read);
  });

  it.each([
    ['{"stringValue":"a","stringValue":"b"}', '{"stringValue":"b"}'],
    ['{"intValue":1,"stringValue":"b"}', '{"stringValue":"b"}'],
    ['{"stringValue":"b","intValue":1}', '{"intValue":"1"}'],
    ['{"stringValue":"b","intValue":null}', '{"stringValue":"b"}'],
    ['{"intValue":1,"stringValue":"b","stringValue":null}', '{"intValue":"1"}'],
    ['{"intValue":1e+21,"intValue":5}', '{"intValue":"5"}'],
    ['{"intValue":1e+21,"intValue":null}', '{}'],
    ['{"doubleValue":2,"intValue":1e+21}', '{"doubleValue":1e+21}'],
    [
      '{"arrayValue":{"values":[{"intValue":1}]},"arrayValue":{"values":[{}]}}',
      '{"arrayValue":{"values":[{}]}}',
    ],
  ])('the reader reads one member of %s', (json, read) => {
    expect(readAnyValue(json)).toBe(read);
  });

  it('the reader removes an earlier long value', () => {
    expect(readSpan(`"name":"${'x'.repeat(300)}","kind":2,"name":"y"`)).toEqual({ kind: 2, name: 'y' });
  });

  it('the reader removes all of an earlier value', () => {
    const json = '{"resourceSpans":[{"schemaUrl":"a"},{}],"resourceSpans":[{"schemaUrl":"b"}]}';
    expect(readBack('traces', json)).toEqual({ resourceSpans: [{ schemaUrl: 'b' }] });
  });

  it('the reader writes each field once', () => {
    const twice = jsonToExport('traces', Buffer.from(bodyOfSpan('"name":"first","kind":2,"name":"other"')));
    expect(Buffer.from(twice).includes('first')).toBe(false);
    const once = Buffer.from(twice);
    expect(once).toEqual(
      Buffer.from(jsonToExport('traces', Buffer.from(bodyOfSpan('"kind":2,"name":"other"')))),
    );
  });
});

describe('nesting', () => {
  const around = (count: number, before: string, after: string): string =>
    `${before.repeat(count - 1)}{"stringValue":"deepest"}${after.repeat(count - 1)}`;
  const arrays = (count: number): string => around(count, '{"arrayValue":{"values":[', ']}}');
  const lists = (count: number): string => around(count, '{"kvlistValue":{"values":[{"value":', '}]}}');

  it.each([arrays, lists])(
    'the reader keeps 64 nested AnyValues, and leaves the next ones empty',
    (nested) => {
      for (const depth of [1, 2, 63, 64]) {
        const json = bodyOfSpan(attribute(nested(depth)));
        const wire = jsonToExport('traces', Buffer.from(json));
        expect(Buffer.from(wire).includes('deepest')).toBe(true);
        expect(otlpJson('traces', wire)).toBe(json);
      }
      const empty = nested(65).replace('"stringValue":"deepest"', '');
      for (const depth of [65, 66, 2000]) {
        let cut = 0;
        const json = Buffer.from(bodyOfSpan(attribute(nested(depth))));
        const wire = jsonToExport('traces', json, { strictText: true, onCut: (values) => (cut += values) });
        expect([otlpJson('traces', wire), cut]).toEqual([bodyOfSpan(attribute(empty)), 1]);
      }
    },
  );

  it('the reader counts nested AnyValues, not siblings', () => {
    const values = Array.from({ length: 200 }, () => arrays(60)).join(',');
    expect(spans(attribute(`{"arrayValue":{"values":[${values}]}}`))).not.toThrow();
  });

  it('the reader accepts 10,000 levels in ignored fields', () => {
    const nested = (levels: number): string => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;
    expect(jsonToExport('traces', Buffer.from(`{"x":${nested(10_000)}}`))).toHaveLength(0);
    for (const levels of [10_002, 100_000]) {
      expect(body(`{"x":${nested(levels)}}`)).toThrow('more than 10000 arrays and objects inside each other');
    }
  });
});

describe('memory', () => {
  it('the reader returns the same for bodies of any size, one after the other', () => {
    for (const size of [1, 127, 128, 16_383, 16_384, 70_000, 3_000_000, 5]) {
      const name = 'n'.repeat(size);
      expect(readSpan(`"name":"${name}","kind":1`)).toEqual({ name, kind: 1 });
    }
  });

  it('the reader allocates enough for lists that are longer in protobuf than in JSON', () => {
    const count = 200_000;
    const zeros = Array.from({ length: count }, () => 0);
    const json = JSON.stringify({
      resourceMetrics: [
        {
          scopeMetrics: [
            { metrics: [{ histogram: { dataPoints: [{ bucketCounts: zeros, explicitBounds: zeros }] } }] },
          ],
        },
      ],
    });
    const wire = jsonToExport('metrics', Buffer.from(json));
    expect(wire.length).toBeGreaterThan(count * 16);
    expect(wire.subarray(-count * 8).every((byte) => byte === 0)).toBe(true);
  });
});
