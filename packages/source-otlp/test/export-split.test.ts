// What parts of a request hold, as @bufbuild/protobuf reads it.
import { fromBinary, type Message } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createCheckExport } from '../src/export/check-export.ts';
import { createSplitExport } from '../src/export/split-export.ts';
import { otlpSchema } from '../src/model/otlp-schema.ts';
import type { SignalName } from '../src/model/signals.ts';
import { randomFrom, randomRequest } from './random-request.ts';

const schema = otlpSchema();
const split = createSplitExport(schema);
const check = createCheckExport(schema);

type Tree = Message & Readonly<Record<string, unknown>>;

const listNames: ReadonlySet<string> = new Set(
  'resourceSpans resourceMetrics resourceLogs scopeSpans scopeMetrics scopeLogs spans metrics logRecords dataPoints'.split(
    ' ',
  ),
);

/** Marks a metric without points. */
const METRIC = 'metric';

/** Each item of a request with all that is beside it, on every level, as text. */
function itemsOf(signal: SignalName, request: Uint8Array): string[] {
  const found: string[] = [];
  visit(fromBinary(schema.request(signal), request) as Tree, '', found);
  return found;
}

function visit(message: Tree, around: string, found: string[]): void {
  const data = message['data'] as { readonly case?: string; readonly value?: Tree } | undefined;
  if (data !== undefined) {
    const before = found.length;
    if (data.value !== undefined)
      visit(data.value, `${around}/${data.case}${textOf({ ...message, data: undefined })}`, found);
    if (found.length === before) found.push(`${METRIC}${around}/${textOf(message)}`);
    return;
  }
  const name = Object.keys(message).find((key) => listNames.has(key));
  if (name === undefined) found.push(`${around}/${textOf(message)}`);
  else {
    const beside = textOf({ ...message, [name]: undefined });
    for (const inner of message[name] as readonly Tree[]) visit(inner, `${around}/${beside}`, found);
  }
}

function textOf(value: object): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === 'bigint' || typeof inner === 'number')
      return Object.is(inner, -0) ? '-0' : `${inner}`;
    return inner instanceof Uint8Array ? Buffer.from(inner).toString('hex') : inner;
  });
}

const cases = fc.record({
  signal: fc.constantFrom('traces' as const, 'metrics' as const, 'logs' as const),
  mode: fc.constantFrom('request' as const, 'resource' as const, 'item' as const),
  seed: fc.integer(),
  wild: fc.boolean(),
  /** In percent of the request's length. */
  limit: fc.integer({ min: 1, max: 110 }),
});

it('the splitter puts each item that fits into one part, in order, with equal resource, scope and schema URLs', () => {
  let divided = 0;
  fc.assert(
    fc.property(cases, ({ signal, mode, seed, wild, limit }) => {
      const options = { wild: wild && signal !== 'metrics', otherWireTypes: false };
      const request = randomRequest(schema.request(signal), randomFrom(seed), options);
      const fits = (part: Uint8Array): boolean => part.length * 100 <= limit * request.length;
      const { parts, oversized } = split(signal, request, { mode, fits });
      const items = itemsOf(signal, request);
      const inParts = parts.map((part) => itemsOf(signal, part.request));
      if (parts.length > 1) divided++;
      expect(parts.filter((part) => !fits(part.request))).toEqual([]);
      expect(inParts.map(({ length }) => length)).toEqual(parts.map((part) => part.items));
      expect(inParts.flat().length + oversized).toBe(items.length);
      expect(inParts.flat()).toEqual(withoutOversized(items, inParts.flat()));
      for (const part of parts) {
        const points = itemsOf(signal, part.request).filter((item) => !item.startsWith(METRIC));
        expect(check(signal, part.request, { strictUtf8: true }).items).toBe(points.length);
      }
    }),
    { numRuns: 1000 },
  );
  expect(divided).toBeGreaterThan(200);
});

/** The items that are in the parts, in order; oversized ones are missing. */
function withoutOversized(items: readonly string[], inParts: readonly string[]): string[] {
  const found: string[] = [];
  for (const item of items) if (item === inParts[found.length]) found.push(item);
  return found;
}

it('the splitter leaves out only items that do not fit alone', () => {
  fc.assert(
    fc.property(cases, ({ signal, mode, seed, limit }) => {
      const request = randomRequest(schema.request(signal), randomFrom(seed), { wild: false });
      const fits = (part: Uint8Array): boolean => part.length * 100 <= limit * request.length;
      const items = new Set(itemsOf(signal, request));
      const { oversized } = split(signal, request, { mode, fits });
      const alone: Uint8Array[] = [];
      split(signal, request, {
        mode: 'item',
        fits: (part) => {
          const [item, ...others] = itemsOf(signal, part);
          // not what is asked about what parts have in common: a metric that had its points taken out
          if (item !== undefined && others.length === 0 && items.has(item)) alone.push(part);
          return others.length === 0;
        },
      });
      expect(oversized).toBe(alone.filter((part) => !fits(part)).length);
    }),
    { numRuns: 400 },
  );
});

it.each(['traces', 'metrics', 'logs'] as const)(
  'the splitter makes one part of each item of %s when asked',
  (signal) => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const request = randomRequest(schema.request(signal), randomFrom(seed), { wild: false });
        const { parts, oversized } = split(signal, request, { mode: 'item', fits: () => true });
        const messages = parts.map((part) => fromBinary(schema.request(signal), part.request) as Tree);
        expect(oversized).toBe(0);
        expect(
          messages.map((message) => countOf(message, signal === 'metrics' ? 'metrics' : undefined)),
        ).toEqual(parts.map(() => 1));
      }),
      { numRuns: 200 },
    );
  },
);

/** How many items the message has, or messages of the list of this name. */
function countOf(message: Tree, stopAt: string | undefined): number {
  const name = Object.keys(message).find((key) => listNames.has(key));
  if (name === undefined) return 1;
  const list = message[name] as readonly Tree[];
  return name === stopAt ? list.length : list.reduce((sum, inner) => sum + countOf(inner, stopAt), 0);
}
