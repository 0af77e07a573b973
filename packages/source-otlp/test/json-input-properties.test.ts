import {
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonObject,
  type JsonValue,
  toJson,
} from '@bufbuild/protobuf';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hexFields } from '../src/model/hex-fields.ts';
import { type SignalName, signalNames } from '../src/model/signals.ts';
import { bodyOfSpan, jsonToExport, otlpJson, readAnyValue, schema } from './json-input-reader.ts';
import { wildJson } from './json-input-wild.ts';
import { randomFrom, randomRequest } from './random-request.ts';

const seeds = fc.integer();
const signals = fc.constantFrom(...signalNames);

function tidyRequest(signal: SignalName, seed: number): Uint8Array {
  return randomRequest(schema.request(signal), randomFrom(seed), { wild: false });
}

/** What is in the request, as @bufbuild/protobuf decodes it. */
function decoded(desc: DescMessage, wire: Uint8Array): JsonValue {
  return toJson(desc, fromBinary(desc, wire));
}

it('the reader restores any request from its OTLP/JSON', () => {
  const property = fc.property(signals, seeds, (signal, seed) => {
    const desc = schema.request(signal);
    const wire = tidyRequest(signal, seed);
    const read = jsonToExport(signal, Buffer.from(otlpJson(signal, wire)));
    expect(decoded(desc, read)).toEqual(decoded(desc, wire));
  });
  fc.assert(property, { numRuns: 300 });
});

it('the reader reads the same however the JSON is written', () => {
  const property = fc.property(signals, seeds, (signal, seed) => {
    const desc = schema.request(signal);
    const json = otlpJson(signal, tidyRequest(signal, seed));
    const read = decoded(desc, jsonToExport(signal, Buffer.from(json)));
    const wild = wildJson(JSON.parse(json), randomFrom(seed));
    expect(decoded(desc, jsonToExport(signal, Buffer.from(wild)))).toEqual(read);
  });
  fc.assert(property, { numRuns: 300 });
});

it('the reader reads canonical ProtoJSON without ids as @bufbuild/protobuf does', () => {
  const property = fc.property(signals, seeds, (signal, seed) => {
    const desc = schema.request(signal);
    const json = withoutIds(decoded(desc, tidyRequest(signal, seed))) as JsonObject;
    const read = jsonToExport(signal, Buffer.from(wildJson(json, randomFrom(seed))));
    expect(decoded(desc, read)).toEqual(toJson(desc, fromJson(desc, json)));
  });
  fc.assert(property, { numRuns: 300 });
});

const ids = new Set(['traceId', 'spanId', 'parentSpanId']);

function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !ids.has(key))
      .map(([key, inner]) => [key, withoutIds(inner)]),
  );
}

it('the reader knows the JSON names of all fields of ids', () => {
  for (const field of hexFields(schema)) {
    const name = field
      .slice(field.lastIndexOf('.') + 1)
      .replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase());
    expect(ids).toContain(name);
  }
});

/** The bits of the double that is read. */
function doubleBits(text: string): bigint {
  const json = `{"resourceSpans":[{"resource":{"attributes":[{"value":{"doubleValue":${text}}}]}}]}`;
  return Buffer.from(jsonToExport('traces', Buffer.from(json)).slice(-8)).readBigUInt64LE();
}

function bitsOf(value: number): bigint {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes.readBigUInt64LE();
}

it('the reader reads every double exactly, however many digits it has', () => {
  const property = fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
    const shortest = Object.is(value, -0) ? '-0' : JSON.stringify(value);
    for (const text of [
      shortest,
      value.toExponential(),
      value.toPrecision(17),
      value.toPrecision(21),
      `"${shortest}"`,
    ]) {
      const number = Number(text.replaceAll('"', ''));
      // toPrecision and toExponential drop the sign of -0
      const expected = Object.is(value, -0) && !text.includes('-') ? 0 : value;
      expect(number === value).toBe(true);
      expect([text, doubleBits(text)]).toEqual([text, bitsOf(expected)]);
    }
  });
  fc.assert(property, { numRuns: 2000 });
});

it('the reader reads decimals as the nearest double', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'.split('')), minLength: 1, maxLength: 25 });
  const property = fc.property(
    fc.boolean(),
    fc.bigInt({ min: 0n, max: 10n ** 20n }),
    digits,
    fc.option(fc.integer({ min: -330, max: 280 })),
    (negative, whole, decimals, exponent) => {
      const text = `${negative ? '-' : ''}${whole}.${decimals}${exponent === null ? '' : `e${exponent}`}`;
      expect([text, doubleBits(text)]).toEqual([text, bitsOf(Number(text))]);
    },
  );
  fc.assert(property, { numRuns: 3000 });
});

it('the reader reads every integer of 64 bits exactly, as number and as text, with any exponent', () => {
  const property = fc.property(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.nat(30),
    (value, shift) => {
      const shifted = value === 0n ? '0e9' : `${value}${'0'.repeat(shift)}e-${shift}`;
      const exponent = /0*$/.exec(`${value}`)?.[0].length ?? 0;
      const short = value === 0n ? '0' : `${`${value}`.slice(0, -exponent || undefined)}E${exponent}`;
      for (const text of [`${value}`, `"${value}"`, shifted, short, `${value}.00`]) {
        expect([text, readAnyValue(`{"intValue":${text}}`)]).toEqual([text, `{"intValue":"${value}"}`]);
      }
    },
  );
  fc.assert(property, { numRuns: 300 });
});

it('the reader accepts integers beyond 64 bits as doubles if JavaScript writes them so, and refuses others', () => {
  const beyond = fc.oneof(
    fc.bigInt({ min: 2n ** 63n, max: 10n ** 30n }),
    fc.bigInt({ min: -(10n ** 30n), max: -(2n ** 63n) - 1n }),
  );
  const property = fc.property(beyond, (value) => {
    const double = JSON.stringify(Number(value));
    expect(readAnyValue(`{"intValue":${double}}`)).toBe(`{"doubleValue":${double}}`);
    const others = [`${value}`, `"${value}"`, `${value}.0`, `"${double}"`].filter((text) => text !== double);
    for (const text of others) expect(() => readAnyValue(`{"intValue":${text}}`)).toThrow('beyond the range');
  });
  fc.assert(property, { numRuns: 300 });
});

/** The name of a span as converted to the wire format, whatever other fields it has. */
function readName(json: string): string {
  const wire = jsonToExport('traces', Buffer.from(bodyOfSpan(`"name":${json}`)));
  const request = JSON.parse(otlpJson('traces', wire)) as NameRequest;
  return request.resourceSpans[0]?.scopeSpans[0]?.spans[0]?.name ?? '';
}

interface NameRequest {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly { readonly name?: string }[] }[];
  }[];
}

it('the reader accepts every text, plain and with each character escaped', () => {
  const property = fc.property(fc.string({ unit: 'binary', maxLength: 200 }), seeds, (text, seed) => {
    expect(readName(JSON.stringify(text))).toBe(text);
    const escaped = wildJson(text, randomFrom(seed));
    expect(readName(escaped)).toBe(text);
  });
  fc.assert(property, { numRuns: 400 });
});

it('the reader reads bytes in either alphabet of base64, with padding and without', () => {
  const property = fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
    const base64 = Buffer.from(bytes).toString('base64');
    const url = Buffer.from(bytes).toString('base64url');
    for (const text of [base64, url, base64.replaceAll('=', ''), base64.replaceAll('/', '\\/')]) {
      expect(readAnyValue(`{"bytesValue":"${text}"}`)).toBe(`{"bytesValue":"${base64}"}`);
    }
  });
  fc.assert(property, { numRuns: 500 });
});
