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

/** Compares random messages of random schemas, and stops at the first schema that shows differences. */
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

test('writes what @bufbuild/protobuf writes, for any schema and message', () => {
  expect(compare({ schemas: 120, messages: 100 })).toBeGreaterThan(0);
});

test('writes what @bufbuild/protobuf writes, under every set of options', () => {
  expect(compare({ schemas: 80, messages: 50, optionSets: 6 })).toBeGreaterThan(0);
});

test.each(['proto3', 'proto2', 'editions'] as const)(
  'writes what @bufbuild/protobuf writes for %s',
  (syntax) => {
    expect(compare({ schemas: 30, messages: 80, limits: { syntax } })).toBeGreaterThan(0);
  },
);

test.each(SINGLE_WAYS)('reads messages whose encoding is legal but unusual: %s', (way) => {
  const run = { schemas: 16, messages: 80, optionSets: 1, message: { ways: { [way]: true } } };
  expect(compare(run)).toBeGreaterThan(0);
});

test('refuses what @bufbuild/protobuf refuses', () => {
  const message = { invalidShare: 0.2 };
  expect(compare({ schemas: 60, messages: 40, message })).toBeGreaterThan(0);
});

test('writes messages of thousands of fields', () => {
  expect(compare({ schemas: 20, messages: 8, message: { size: 4000 } })).toBeGreaterThan(0);
});
