// The structural check beside those that decode: wire-json, which makes the records, and @bufbuild/protobuf.
import { fromBinary, type JsonObject, toJson } from '@bufbuild/protobuf';
import { ConversionError, wireToJson } from '@levada/protobuf-tables';
import { realisticRequest } from '@levada/test-peers/otlp-requests';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCheckExport, type ExportCheck, InvalidExport } from '../src/export/check-export.ts';
import { MAX_DEPTH } from '../src/export/export-rules.ts';
import { hexFields } from '../src/model/hex-fields.ts';
import { otlpSchema } from '../src/model/otlp-schema.ts';
import { type SignalName, signalNames } from '../src/model/signals.ts';
import { mutated, randomFrom, randomRequest } from './random-request.ts';

const schema = otlpSchema();
const check = createCheckExport(schema);
const ids = hexFields(schema);
const converters = new Map(
  signalNames.flatMap((signal) =>
    [true, false].map((strictUtf8) => {
      const invalidUtf8 = strictUtf8 ? 'reject' : 'replace';
      const options = {
        defaults: false,
        enumsAsIntegers: true,
        hexFields: ids,
        invalidUtf8,
        maxDepth: MAX_DEPTH,
      } as const;
      return [`${signal} ${strictUtf8}`, wireToJson(schema.request(signal), options)] as const;
    }),
  ),
);

interface Case {
  readonly signal: SignalName;
  readonly strictUtf8: boolean;
  readonly seed: number;
}

const cases: fc.Arbitrary<Case> = fc.record({
  signal: fc.constantFrom(...signalNames),
  strictUtf8: fc.boolean(),
  seed: fc.integer(),
});

/** What conversion makes of it, or its error. */
function converted({ signal, strictUtf8 }: Case, request: Uint8Array): Uint8Array | ConversionError {
  try {
    return converters.get(`${signal} ${strictUtf8}`)?.convert(request) as Uint8Array;
  } catch (error) {
    if (error instanceof ConversionError) return error;
    throw error;
  }
}

function checked({ signal, strictUtf8 }: Case, request: Uint8Array): ExportCheck | InvalidExport {
  try {
    return check(signal, request, { strictUtf8 });
  } catch (error) {
    if (error instanceof InvalidExport) return error;
    throw error;
  }
}

/** Where lists of items are, from the request on; `*` is any field. */
const itemPaths: Readonly<Record<SignalName, readonly string[]>> = {
  traces: ['resourceSpans', 'scopeSpans', 'spans'],
  metrics: ['resourceMetrics', 'scopeMetrics', 'metrics', '*', 'dataPoints'],
  logs: ['resourceLogs', 'scopeLogs', 'logRecords'],
  profiles: ['resourceProfiles', 'scopeProfiles', 'profiles'],
};

/** How many items the JSON of a request has. */
function itemsIn(signal: SignalName, json: unknown): number {
  let found = [json];
  for (const step of itemPaths[signal]) {
    found = found
      .flatMap((value) => (step === '*' ? Object.values(value as JsonObject) : [(value as JsonObject)[step]]))
      .flat()
      .filter((value) => typeof value === 'object');
  }
  return found.length;
}

it('the check accepts requests as encoders write them, counts their items, and bounds their JSON', () => {
  fc.assert(
    fc.property(cases, (each) => {
      const request = randomRequest(schema.request(each.signal), randomFrom(each.seed), { wild: false });
      const found = check(each.signal, request, each);
      const json = converted(each, request);
      expect(json).not.toBeInstanceOf(ConversionError);
      const desc = schema.request(each.signal);
      expect(found.items).toBe(itemsIn(each.signal, toJson(desc, fromBinary(desc, request))));
      expect(found.jsonBytes).toBeGreaterThanOrEqual((json as Uint8Array).length);
    }),
    { numRuns: 600 },
  );
});

it('the check accepts valid requests however their fields come', () => {
  fc.assert(
    fc.property(cases, (each) => {
      const request = randomRequest(schema.request(each.signal), randomFrom(each.seed), { wild: true });
      const found = check(each.signal, request, each);
      const json = converted(each, request);
      expect(json).not.toBeInstanceOf(ConversionError);
      const items = itemsIn(each.signal, JSON.parse(Buffer.from(json as Uint8Array).toString()));
      expect(found.items).toBeGreaterThanOrEqual(items);
      expect(found.jsonBytes).toBeGreaterThanOrEqual((json as Uint8Array).length);
    }),
    { numRuns: 600 },
  );
});

it('the check accepts what can be converted, bounds its length, and refuses the rest', () => {
  let refused = 0;
  fc.assert(
    fc.property(cases, (each) => {
      const random = randomFrom(each.seed);
      const whole = randomRequest(schema.request(each.signal), random, { wild: random(2) === 0 });
      const request = mutated(whole, random);
      const found = checked(each, request);
      const json = converted(each, request);
      const isRefused = found instanceof InvalidExport;
      if (isRefused) refused++;
      // only the check knows how long ids are
      const byId = isRefused && /expected (16|8) or none$/.test(found.message);
      expect(byId || isRefused === json instanceof ConversionError).toBe(true);
      const bound = isRefused ? Number.POSITIVE_INFINITY : found.jsonBytes;
      expect(bound).toBeGreaterThanOrEqual(json instanceof ConversionError ? 0 : json.length);
    }),
    { numRuns: 1500 },
  );
  expect(refused).toBeGreaterThan(300);
});

it.each(['traces', 'metrics', 'logs'] as const)(
  'the check bounds the JSON of ordinary %s by a quarter more',
  (signal) => {
    const each = { signal, strictUtf8: true, seed: 0 };
    const request = realisticRequest(schema, signal, 50);
    const json = converted(each, request) as Uint8Array;
    expect(check(signal, request, each).jsonBytes / json.length).toBeLessThan(1.25);
  },
);
