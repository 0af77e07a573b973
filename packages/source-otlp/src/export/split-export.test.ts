import { fromBinary, type JsonObject, toJson } from '@bufbuild/protobuf';
import { encoded, realisticRequest } from '@levada/test-peers/otlp-requests';
import { describe, expect, it } from 'vitest';
import { otlpSchema } from '../model/otlp-schema.ts';
import type { SignalName } from '../model/signals.ts';
import { createCheckExport } from './check-export.ts';
import type { SplitExport } from './split-export.ts';
import { createSplitExport } from './split-export.ts';

const schema = otlpSchema();
const split = createSplitExport(schema);
const check = createCheckExport(schema);

const always = (): boolean => true;
const upTo =
  (bytes: number) =>
  (part: Uint8Array): boolean =>
    part.length <= bytes;

function json(signal: SignalName, request: Uint8Array): JsonObject {
  return toJson(schema.request(signal), fromBinary(schema.request(signal), request)) as JsonObject;
}

const partsOf = (signal: SignalName, { parts }: SplitExport): JsonObject[] =>
  parts.map(({ request }) => json(signal, request));

const spans = (...names: readonly string[]): JsonObject[] => names.map((name) => ({ name }));
const resource = (name: string): JsonObject => ({
  resource: { attributes: [{ key: 'service.name', value: { stringValue: name } }] },
  schemaUrl: `schema-of-${name}`,
});
const scope = (name: string, items: JsonObject): JsonObject => ({
  scope: { name },
  schemaUrl: `of-${name}`,
  ...items,
});

const twoResources = {
  resourceSpans: [
    {
      ...resource('shop'),
      scopeSpans: [scope('http', { spans: spans('a', 'b') }), scope('db', { spans: spans('c') })],
    },
    { ...resource('bank'), scopeSpans: [scope('http', { spans: spans('d') })] },
  ],
};

describe('createSplitExport', () => {
  it('the splitter returns a request that fits unchanged', () => {
    const request = encoded(schema, 'traces', twoResources);
    const { parts, oversized } = split('traces', request, { mode: 'request', fits: always });
    expect(parts).toEqual([{ request, items: 4 }]);
    expect(parts[0]?.request).toBe(request);
    expect(oversized).toBe(0);
  });

  it('the splitter makes one part of each resource', () => {
    const request = encoded(schema, 'traces', twoResources);
    const found = split('traces', request, { mode: 'resource', fits: always });
    expect(partsOf('traces', found)).toEqual(
      twoResources.resourceSpans.map((each) => ({ resourceSpans: [each] })),
    );
    expect(found.parts.map(({ items }) => items)).toEqual([3, 1]);
  });

  it('the splitter makes no copy when one part is the whole', () => {
    const request = realisticRequest(schema, 'traces', 3);
    const { parts } = split('traces', request, { mode: 'resource', fits: always });
    expect(parts.map((part) => part.request)).toEqual([request]);
    expect(parts[0]?.request).toBe(request);
  });

  it('the splitter makes one part of each span, with its resource, scope and schema URLs', () => {
    const request = encoded(schema, 'traces', twoResources);
    const found = split('traces', request, { mode: 'item', fits: always });
    const part = (service: string, library: string, name: string): JsonObject => ({
      resourceSpans: [{ ...resource(service), scopeSpans: [scope(library, { spans: spans(name) })] }],
    });
    expect(partsOf('traces', found)).toEqual([
      part('shop', 'http', 'a'),
      part('shop', 'http', 'b'),
      part('shop', 'db', 'c'),
      part('bank', 'http', 'd'),
    ]);
    expect(found.parts.map(({ items }) => items)).toEqual([1, 1, 1, 1]);
  });

  it('the splitter divides by resources first, then by scopes, then by items', () => {
    const request = encoded(schema, 'traces', twoResources);
    const names = (limit: number): string[] =>
      partsOf('traces', split('traces', request, { mode: 'request', fits: upTo(limit) })).map((part) =>
        [...JSON.stringify(part).matchAll(/"name":"(\w)"/g)].map(([, name]) => name).join(''),
      );
    const sizes = split('traces', request, { mode: 'resource', fits: always }).parts;
    const shop = sizes[0]?.request.length as number;
    const single = split('traces', request, { mode: 'item', fits: always }).parts[0]?.request
      .length as number;
    expect(names(request.length)).toEqual(['abcd']);
    expect(names(request.length - 1)).toEqual(['abc', 'd']);
    expect(names(shop - 1)).toEqual(['ab', 'c', 'd']);
    expect(names(single)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('the splitter makes at most twice as many parts as necessary', () => {
    for (const signal of ['traces', 'metrics', 'logs'] as const) {
      const request = realisticRequest(schema, signal, 400);
      for (const limit of [20_000, 5000, 2000]) {
        const { parts, oversized } = split(signal, request, { mode: 'request', fits: upTo(limit) });
        expect(oversized).toBe(0);
        expect(Math.max(...parts.map((part) => part.request.length))).toBeLessThanOrEqual(limit);
        expect(parts.length).toBeLessThan((2.5 * request.length) / (limit - 300));
      }
    }
  });

  it('the splitter leaves out an item that is too large, and keeps the others together', () => {
    const large = { name: 'x'.repeat(5000) };
    const request = encoded(schema, 'traces', {
      resourceSpans: [{ scopeSpans: [{ spans: [large, ...spans('b', 'c', 'd', 'e')] }] }],
    });
    const found = split('traces', request, { mode: 'request', fits: upTo(1000) });
    expect(found.oversized).toBe(1);
    expect(partsOf('traces', found)).toEqual([
      { resourceSpans: [{ scopeSpans: [{ spans: spans('b', 'c', 'd', 'e') }] }] },
    ]);
  });

  it('the splitter makes one part of each metric with all of its points', () => {
    const request = realisticRequest(schema, 'metrics', 20);
    const { parts } = split('metrics', request, { mode: 'item', fits: always });
    expect(parts).toHaveLength(20);
    expect(parts.reduce((sum, { items }) => sum + items, 0)).toBe(
      check('metrics', request, { strictUtf8: true }).items,
    );
  });

  it('the splitter divides a metric that does not fit between its points, and repeats its metadata in each part', () => {
    const points = ['1', '2', '3', '4', '5'].map((asInt) => ({ asInt }));
    const about = { name: 'orders', unit: '{order}', description: 'x'.repeat(50), metadata: [{ key: 'a' }] };
    const sum = { aggregationTemporality: 'AGGREGATION_TEMPORALITY_DELTA', isMonotonic: true };
    const metric = (dataPoints: readonly JsonObject[]): JsonObject => ({
      resourceMetrics: [
        { scopeMetrics: [{ metrics: [{ ...about, sum: { ...sum, dataPoints: [...dataPoints] } }] }] },
      ],
    });
    const request = encoded(schema, 'metrics', metric(points));
    for (const mode of ['request', 'item'] as const) {
      const found = split('metrics', request, { mode, fits: upTo(request.length - 12) });
      expect(found.oversized).toBe(0);
      expect(partsOf('metrics', found)).toEqual([metric(points.slice(0, 2)), metric(points.slice(2))]);
      expect(found.parts.map(({ items }) => items)).toEqual([2, 3]);
    }
  });

  it('the splitter counts the points of a metric that has two kinds of them, and does not divide it', () => {
    const gauge = encoded(schema, 'metrics', {
      resourceMetrics: [{ scopeMetrics: [{ metrics: [{ gauge: { dataPoints: [{}, {}] } }] }] }],
    });
    const metric = Buffer.from(gauge.subarray(6));
    const both = Buffer.concat([metric, Buffer.from([0x3a, 2, 0x0a, 0])]);
    const request = Buffer.from([0x0a, both.length + 4, 0x12, both.length + 2, 0x12, both.length, ...both]);
    expect(check('metrics', request, { strictUtf8: true }).items).toBe(3);
    const { parts, oversized } = split('metrics', request, {
      mode: 'request',
      fits: upTo(request.length - 1),
    });
    expect(parts).toEqual([]);
    expect(oversized).toBe(3);
  });

  it('the splitter leaves out resources and scopes without items, and counts them', () => {
    const request = encoded(schema, 'metrics', {
      resourceMetrics: [
        resource('empty'),
        { scopeMetrics: [{}, { metrics: [{ name: 'none' }, { gauge: { dataPoints: [{}] } }] }] },
      ],
    });
    const found = split('metrics', request, { mode: 'item', fits: always });
    expect(partsOf('metrics', found)).toEqual([
      { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'none' }] }] }] },
      { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ gauge: { dataPoints: [{}] } }] }] }] },
    ]);
    expect([found.oversized, found.empty]).toEqual([0, 2]);
  });

  it.each(['request', 'resource', 'item'] as const)(
    'the splitter keeps metrics without points (%s)',
    (mode) => {
      const metrics = [{ name: 'a' }, { name: 'b', gauge: {} }];
      const whole = { resourceMetrics: [{ scopeMetrics: [{ metrics }] }] };
      const request = encoded(schema, 'metrics', whole);
      const found = split('metrics', request, { mode, fits: always });
      const each = metrics.map((metric) => ({
        resourceMetrics: [{ scopeMetrics: [{ metrics: [metric] }] }],
      }));
      expect(partsOf('metrics', found)).toEqual(mode === 'item' ? each : [whole]);
      expect(found.parts.map(({ items }) => items)).toEqual(mode === 'item' ? [1, 1] : [2]);
      expect(split('metrics', request, { mode, fits: () => false })).toEqual({
        parts: [],
        oversized: 2,
        empty: 0,
      });
    },
  );

  it.each(['request', 'resource', 'item'] as const)(
    'the splitter makes no part of a request without items (%s)',
    (mode) => {
      const request = encoded(schema, 'logs', { resourceLogs: [{ ...resource('a'), scopeLogs: [{}] }] });
      for (const empty of [request, new Uint8Array(0)])
        for (const fits of [always, () => false])
          expect(split('logs', empty, { mode, fits })).toMatchObject({ parts: [], oversized: 0 });
    },
  );

  it.each(['request', 'resource', 'item'] as const)('the splitter never divides profiles (%s)', (mode) => {
    const scopeProfiles = [{ profiles: [{}, {}] }];
    const request = encoded(schema, 'profiles', { resourceProfiles: [{ scopeProfiles }, { scopeProfiles }] });
    expect(split('profiles', request, { mode, fits: always }).parts).toEqual([{ request, items: 4 }]);
    expect(split('profiles', request, { mode, fits: () => false })).toEqual({
      parts: [],
      oversized: 4,
      empty: 0,
    });
  });

  it('the splitter keeps unknown fields before and after lists in every part', () => {
    const field = (number: number, ...content: readonly Uint8Array[]): Buffer => {
      const bytes = Buffer.concat(content);
      return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes]);
    };
    const before = Buffer.from([0x78, 1]);
    const after = Buffer.from([0x78, 2]);
    const within = (...lists: readonly Uint8Array[]): Uint8Array[] => [before, ...lists, after];
    const nested = (...items: readonly Uint8Array[]): Buffer =>
      Buffer.concat(within(field(1, ...within(field(2, ...within(...items))))));
    const a = field(2, field(5, Buffer.from('a')));
    const b = field(2, field(5, Buffer.from('b')));
    const { parts } = split('traces', nested(a, b), { mode: 'item', fits: always });
    expect(parts.map(({ request }) => Buffer.from(request))).toEqual([nested(a), nested(b)]);
  });

  it('the splitter does not try each item when their shared resource does not fit', () => {
    let asked = 0;
    const request = encoded(schema, 'logs', {
      resourceLogs: [
        {
          ...resource('x'.repeat(2000)),
          scopeLogs: [{ logRecords: Array.from({ length: 1000 }, () => ({})) }],
        },
        { scopeLogs: [{ logRecords: [{}] }] },
      ],
    });
    const fits = (part: Uint8Array): boolean => {
      asked++;
      return part.length <= 1000;
    };
    for (const mode of ['request', 'resource', 'item'] as const) {
      asked = 0;
      const { parts, oversized } = split('logs', request, { mode, fits });
      expect(parts.map(({ items }) => items)).toEqual([1]);
      expect(oversized).toBe(1000);
      expect(asked).toBeLessThan(10);
    }
  });

  it('the splitter stops making copies of a large resource when they have become 64 MiB', () => {
    const request = encoded(schema, 'logs', {
      resourceLogs: [
        {
          ...resource('x'.repeat(1_000_000)),
          scopeLogs: [{ logRecords: Array.from({ length: 1000 }, () => ({})) }],
        },
      ],
    });
    const { parts, oversized } = split('logs', request, { mode: 'item', fits: always });
    expect(parts.length).toBe(Math.ceil((64 * 1024 * 1024) / (parts[0]?.request.length as number)));
    expect(parts.length + oversized).toBe(1000);
  });
});
