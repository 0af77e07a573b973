import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCheckExport, InvalidExport } from '../src/export/check-export.ts';
import type { SignalName } from '../src/model/signals.ts';
import { jsonBodies } from './json-input-bodies.ts';
import { jsonToExport, otlpJson, schema } from './json-input-reader.ts';
import { wildJson } from './json-input-wild.ts';
import { mutated, randomFrom, randomRequest } from './random-request.ts';

const checkExport = createCheckExport(schema);
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const signals = ['traces', 'metrics', 'logs', 'profiles'] as const;

/** Whether the platform itself takes the bytes for JSON; `undefined` if it is laxer than the format of requests. */
function isJson(bytes: Uint8Array): boolean | undefined {
  let text: string;
  try {
    text = strict.decode(bytes);
    JSON.parse(text);
  } catch {
    return false;
  }
  // JSON.parse takes halves of surrogate pairs
  return /\\u[dD][89a-fA-F]/.test(text) ? undefined : true;
}

/** The request, or undefined if the body was refused; fails on any other error. */
function readOrRefuse(signal: SignalName, body: Uint8Array): Uint8Array | undefined {
  try {
    return jsonToExport(signal, body);
  } catch (error) {
    if (error instanceof InvalidExport) return undefined;
    throw error;
  }
}

it('the reader refuses with one kind of error, or reads valid JSON as a valid request, whatever bytes are changed', () => {
  const found = { refused: 0, read: 0 };
  const property = fc.property(fc.constantFrom(...signals), fc.integer(), (signal, seed) => {
    const random = randomFrom(seed);
    const json = otlpJson(signal, randomRequest(schema.request(signal), random, { wild: false }));
    const body = mutated(Buffer.from(random(2) === 0 ? json : wildJson(JSON.parse(json), random)), random);
    const wire = readOrRefuse(signal, body);
    if (wire === undefined) found.refused++;
    else {
      found.read++;
      checkExport(signal, wire, { strictUtf8: true });
    }
    expect(wire === undefined || isJson(body) !== false).toBe(true);
  });
  fc.assert(property, { numRuns: 1500 });
  expect(found.refused).toBeGreaterThan(0);
  expect(found.read).toBeGreaterThan(0);
});

it('the reader accepts the same JSON as the platform in ignored fields', () => {
  const property = fc.property(fc.json({ maxDepth: 4, stringUnit: 'binary' }), fc.integer(), (json, seed) => {
    const random = randomFrom(seed);
    const inner = random(2) === 0 ? json : wildJson(JSON.parse(json), random);
    const changed = mutated(Buffer.from(inner), random);
    for (const value of [Buffer.from(inner), changed]) {
      const body = Buffer.concat([Buffer.from('{"x":'), value, Buffer.from('}')]);
      const isRead = readOrRefuse('traces', body) !== undefined;
      expect([body.toString(), isRead]).toEqual([body.toString(), isJson(body) ?? isRead]);
    }
  });
  fc.assert(property, { numRuns: 800 });
});

it('the reader refuses bytes of any kind', () => {
  const property = fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
    expect(readOrRefuse('logs', bytes) === undefined || isJson(bytes)).toBe(true);
  });
  fc.assert(property, { numRuns: 2000 });
});

it('the reader refuses realistic bodies that are cut off', () => {
  for (const { signal, json } of jsonBodies) {
    const step = Math.ceil(json.length / 120);
    for (let size = json.length - 1; size >= 0; size -= step) {
      expect(readOrRefuse(signal, json.subarray(0, size)), `${size}`).toBeUndefined();
    }
  }
});

it('the reader leaves prototypes alone', () => {
  const names = (): string[] =>
    [Object.prototype, Array.prototype, Map.prototype].flatMap(Object.getOwnPropertyNames);
  const before = names();
  const odd =
    '{"__proto__":{"a":1},"constructor":{"prototype":{"b":2}},"resourceSpans":[{"__proto__":[{"c":3}]}]}';
  jsonToExport('traces', Buffer.from(odd));
  expect(
    readOrRefuse('traces', Buffer.from('{"resourceSpans":[{"__proto__":{"a":1},"kind"}]}')),
  ).toBeUndefined();
  expect(names()).toEqual(before);
});
