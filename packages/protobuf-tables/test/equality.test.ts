import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { runEquality } from './equality-run.ts';
import { propertyRuns, propertyTimeout } from './property-runs.ts';
import { randomSchema, seeds } from './random-schema.ts';
import type { SchemaLimits } from './schema-writer.ts';

vi.setConfig({ testTimeout: propertyTimeout() });

interface Run {
  readonly schemas: number;
  readonly messages: number;
  readonly optionSets?: number;
  readonly limits?: SchemaLimits;
  readonly message?: Parameters<typeof runEquality>[1]['message'];
}

/** Compares random messages of random schemas. Stops at the first schema with differences. */
function compare({ schemas, messages, optionSets = 0, limits = {}, message = {} }: Run): number {
  let cases = 0;
  const property = fc.property(seeds(), (seed) => {
    const differences: string[] = [];
    const schema = randomSchema(seed, limits);
    cases += runEquality(schema, { messages, optionSets, message }, (text) => differences.push(text));
    expect(differences.slice(0, 3).join('\n\n')).toBe('');
  });
  fc.assert(property, { numRuns: propertyRuns(schemas) });
  return cases;
}

const SINGLE_WAYS = [
  'shuffled',
  'repeated',
  'split',
  'unknown',
  'repacked',
  'oddEntries',
  'bothMembers',
  'longVarints',
] as const;

test('the JSON equals that of @bufbuild/protobuf for any schema and message', () => {
  expect(compare({ schemas: 120, messages: 100 })).toBeGreaterThan(0);
});

test('the JSON equals that of @bufbuild/protobuf under every set of options', () => {
  expect(compare({ schemas: 80, messages: 50, optionSets: 6 })).toBeGreaterThan(0);
});

test.each(['proto3', 'proto2', 'editions'] as const)(
  'the JSON equals that of @bufbuild/protobuf for %s',
  (syntax) => {
    expect(compare({ schemas: 30, messages: 80, limits: { syntax } })).toBeGreaterThan(0);
  },
);

test.each(SINGLE_WAYS)('a legal but unusual encoding is read: %s', (way) => {
  const run = { schemas: 16, messages: 80, optionSets: 1, message: { ways: { [way]: true } } };
  expect(compare(run)).toBeGreaterThan(0);
});

test('messages that @bufbuild/protobuf refuses are refused', () => {
  const message = { invalidShare: 0.2 };
  expect(compare({ schemas: 60, messages: 40, message })).toBeGreaterThan(0);
});

test('messages of thousands of fields are written', () => {
  expect(compare({ schemas: 20, messages: 8, message: { size: 4000 } })).toBeGreaterThan(0);
});
