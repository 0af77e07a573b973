// Check and conversion in one walk, beside the check and the conversion.
import { wireToJson } from '@levada/protobuf-tables';
import { realisticRequest } from '@levada/test-peers/otlp-requests';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCheckExport } from '../src/export/check-export.ts';
import { MAX_ANY_VALUES, MAX_DEPTH } from '../src/export/export-rules.ts';
import { createPlainExports, type PlainExports } from '../src/export/plain-exports.ts';
import { hexFields } from '../src/model/hex-fields.ts';
import { otlpSchema } from '../src/model/otlp-schema.ts';
import { type SignalName, signalNames } from '../src/model/signals.ts';
import { mutated, randomFrom, randomRequest } from './random-request.ts';

const schema = otlpSchema();
const check = createCheckExport(schema);
const plain = createPlainExports(schema) as PlainExports;
const options = { defaults: false, enumsAsIntegers: true, hexFields: hexFields(schema), maxDepth: MAX_DEPTH };
const converters = new Map(
  signalNames.map((signal) => [signal, wireToJson(schema.request(signal), options)] as const),
);

const cases = fc.record({ signal: fc.constantFrom(...signalNames), seed: fc.integer() });

/** Whether the walk takes the request; then what it says must be what the check and the conversion say. */
function taken(signal: SignalName, request: Uint8Array): boolean {
  const converter = plain[signal];
  const length = converter.convert(request);
  if (length === -1) return false;
  const { items } = converter;
  const json = Buffer.alloc(length + 2, '#');
  converter.copy(json, 1);
  const found = check(signal, request, { strictUtf8: true });
  expect([items, 0]).toEqual([found.items, found.cutValues]);
  const expected = Buffer.from(converters.get(signal)?.convert(request) ?? []);
  expect(json.toString()).toBe(`#${expected.toString()}#`);
  expect(json.subarray(1, -1).equals(expected)).toBe(true);
  return true;
}

/** Field `number` with these bytes after a length. */
function field(number: number, ...parts: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.concat(parts);
  const size = bytes.length < 128 ? [bytes.length] : [(bytes.length & 127) | 128, bytes.length >> 7];
  return Buffer.concat([Buffer.of((number << 3) | 2, ...size), bytes]);
}

/** A request with one span that has these fields. */
const spanOf = (...parts: readonly Uint8Array[]): Buffer => field(1, field(2, field(2, ...parts)));
/** One with an attribute of this AnyValue. */
const valued = (...value: readonly Uint8Array[]): Buffer =>
  spanOf(field(9, field(1, Buffer.from('k')), field(2, ...value)));
const doubleOf = (value: number): Buffer => {
  const bytes = Buffer.alloc(9, 0x21);
  bytes.writeDoubleLE(value, 1);
  return bytes;
};
const intOf = (value: bigint): Buffer => {
  const bytes = [0x18];
  let rest = BigInt.asUintN(64, value);
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.of(...bytes, Number(rest));
};
const anyInside = (levels: number): Buffer => {
  let value: Buffer = Buffer.from([0x10, 1]);
  for (let level = 1; level < levels; level += 1) value = field(5, field(1, value));
  return value;
};

describe('check and conversion in one walk', () => {
  it.each(['traces', 'metrics', 'logs'] as const)('the one-walk conversion accepts ordinary %s', (signal) => {
    expect(taken(signal, realisticRequest(schema, signal, 40))).toBe(true);
  });

  it('the one-walk conversion accepts nearly all traces and logs as encoders write them', () => {
    let refused = 0;
    const signals = fc.constantFrom('traces' as const, 'logs' as const);
    fc.assert(
      fc.property(signals, fc.integer(), (signal, seed) => {
        const request = randomRequest(schema.request(signal), randomFrom(seed), { wild: false });
        if (!taken(signal, request)) refused += 1;
      }),
      { numRuns: 600 },
    );
    expect(refused).toBeLessThan(60);
  });

  it('the one-walk conversion agrees with check and conversion about unusual and broken requests, or declines them', () => {
    let found = 0;
    fc.assert(
      fc.property(cases, ({ signal, seed }) => {
        const random = randomFrom(seed);
        const whole = randomRequest(schema.request(signal), random, { wild: random(3) === 0 });
        if (taken(signal, random(4) === 0 ? whole : mutated(whole, random))) found += 1;
      }),
      { numRuns: 3000 },
    );
    expect(found).toBeGreaterThan(300);
  });

  it('the one-walk conversion writes text as the conversion does, wherever in a step of 16 bytes something is escaped', () => {
    for (const odd of ['"', '\\', '\n', '\u0000', '\u001f', '\u007f', 'é', '€', '\u{1f600}', 'éé"€\\'])
      for (let before = 0; before < 40; before += 1) {
        const text = Buffer.from(`${'a'.repeat(before)}${odd}${'b'.repeat(before % 19)}`);
        expect(taken('traces', spanOf(field(5, text)))).toBe(true);
      }
  });

  it('the one-walk conversion leaves text that is not UTF-8 to the check', () => {
    for (const bytes of ['ff', 'c080', 'eda080', 'f4908080', 'e282', 'c3', '80'])
      for (let before = 0; before < 20; before += 1) {
        const text = Buffer.concat([Buffer.alloc(before, 'a'), Buffer.from(bytes, 'hex')]);
        expect(taken('traces', spanOf(field(5, text)))).toBe(false);
        expect(taken('traces', spanOf(field(5, text, Buffer.from('a'))))).toBe(false);
      }
  });

  it('the one-walk conversion writes numbers as the conversion does', () => {
    const doubles = [
      0,
      -0,
      1,
      -1,
      0.1,
      0.5,
      99.99,
      123456.789,
      1e-6,
      1e-7,
      2 ** 31,
      -(2 ** 31),
      2 ** 53,
      1e21,
    ];
    const special = [
      0.1 + 0.2,
      5e-324,
      Number.MAX_VALUE,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      -1 / 0,
      4e6 + 1e-6,
    ];
    for (const value of [...doubles, ...special]) expect(taken('traces', valued(doubleOf(value)))).toBe(true);
    fc.assert(
      fc.property(fc.double(), (value) => {
        expect(taken('traces', valued(doubleOf(value)))).toBe(true);
      }),
    );
    for (let power = 0n; power < 64n; power += 1n)
      for (const value of [(1n << power) - 1n, 1n << power, -(1n << power), 10n ** (power % 20n)])
        expect(taken('traces', valued(intOf(value)))).toBe(true);
  });

  it('the one-walk conversion leaves ids of a wrong length, values that are nested too deep, and requests that are too long to the check', () => {
    for (const size of [0, 16]) expect(taken('traces', spanOf(field(1, Buffer.alloc(size, 7))))).toBe(true);
    for (const size of [1, 8, 15, 17])
      expect(taken('traces', spanOf(field(1, Buffer.alloc(size, 7))))).toBe(false);
    expect(taken('traces', valued(anyInside(MAX_ANY_VALUES)))).toBe(true);
    expect(taken('traces', valued(anyInside(MAX_ANY_VALUES + 1)))).toBe(false);
    expect(taken('traces', realisticRequest(schema, 'traces', 5000))).toBe(false);
  });

  it('the one-walk conversion passes over fields that it does not know', () => {
    const unknown = Buffer.from('f801010a', 'hex');
    expect(taken('traces', spanOf(field(5, Buffer.from('a')), unknown.subarray(0, 3)))).toBe(true);
    expect(taken('traces', spanOf(Buffer.from('a20600', 'hex')))).toBe(true);
    expect(taken('traces', spanOf(Buffer.from('a306a406', 'hex')))).toBe(false);
  });

  it('the one-walk conversion never reads or writes beyond its memory, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const converter = plain.logs;
        const before = converter.convert(realisticRequest(schema, 'logs', 1));
        converter.convert(bytes);
        expect(converter.convert(realisticRequest(schema, 'logs', 1))).toBe(before);
      }),
      { numRuns: 500 },
    );
  });
});
