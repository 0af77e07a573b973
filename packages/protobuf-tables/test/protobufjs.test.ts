// Compares the JSON with a second implementation: protobufjs 8.8 and its ProtoJSON. Its gaps are left out:
// - implicit defaults, original names, integer enums: compared without defaults, under the default names;
// - proto2, editions, groups, extensions, and names that no compiler accepts;
// - an implicit -0 is absent in its JSON, unlike in other implementations;
// - it refuses groups of unknown numbers, and accepts an empty google.protobuf.Value;
// - it compiles code from the schema, which fails for some schemas: those are skipped and counted.
import type { DescMessage, JsonValue, Registry } from '@bufbuild/protobuf';
import fc from 'fast-check';
import type protobuf from 'protobufjs';
import protojson from 'protobufjs/ext/protojson.js';
import { expect, test, vi } from 'vitest';
import { wireToJson } from '../src/index.ts';
import { attempt } from './equality.ts';
import { expectedJson } from './expected-json.ts';
import { mismatch } from './match-json.ts';
import { propertyRuns, propertyTimeout } from './property-runs.ts';
import { protobufjsRoot } from './protobufjs-root.ts';
import { randomMessage, type WireWays } from './random-message.ts';
import { type RandomSchema, randomSchema, seeds } from './random-schema.ts';

vi.setConfig({ testTimeout: propertyTimeout() });

const LIMITS = { syntax: 'proto3', groups: false, extensions: false, oddJsonNames: false } as const;
const WAYS: Partial<WireWays> = { unknown: false, oddEntries: false };

/** The compiled type in protobufjs; undefined if it cannot be compiled. */
function typeOf({ registry, root }: RandomSchema): protobuf.Type | undefined {
  try {
    const type = protobufjsRoot(registry).lookupType(root.typeName);
    type.decode(new Uint8Array());
    return type;
  } catch {
    return undefined; // counted by the caller
  }
}

interface Subject {
  readonly desc: DescMessage;
  readonly registry: Registry;
  readonly type: protobuf.Type;
}

function difference({ desc, registry, type }: Subject, wire: Uint8Array): string | undefined {
  const text = attempt(() =>
    Buffer.from(wireToJson(desc, { registry, defaults: false }).convert(wire)).toString(),
  );
  const value: JsonValue | Error = attempt(() => protojson.toJson(type, type.decode(wire)));
  const hex = Buffer.from(wire).toString('hex');
  if (text instanceof Error || value instanceof Error) {
    const both = text instanceof Error && value instanceof Error;
    const theirs = value instanceof Error ? value.message : JSON.stringify(value);
    return both ? undefined : `${hex}: ours ${String(text)}\nbut ${theirs}`;
  }
  if (/:-0[,}]/.test(text)) return undefined;
  const problem = mismatch(text, expectedJson(desc, value, { registry }), 'any');
  return problem && `${hex}: ${problem}\nexpected ${JSON.stringify(value)}\ngot      ${text}`;
}

test('the JSON equals that of protobufjs', () => {
  let compared = 0;
  let passedOver = 0;
  const property = fc.property(seeds(), (seed) => {
    const schema = randomSchema(seed, LIMITS);
    const { root: desc, registry } = schema;
    const type = typeOf(schema);
    if (type === undefined) {
      passedOver += 1;
      return;
    }
    for (let message = 0; message < 40; message += 1) {
      const wire = randomMessage(desc, seed + message, { registry, ways: WAYS, invalidShare: 0 });
      expect(difference({ desc, registry, type }, wire)).toBeUndefined();
      compared += 1;
    }
  });
  fc.assert(property, { numRuns: propertyRuns(60) });
  expect(compared).toBeGreaterThan(passedOver * 40 * 3);
});
