import { Ajv } from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { leafSchema, variableSchema } from '../src/derived/json-schema.ts';
import { allFields, editorKeywords, isLeaf, jsonSchema, valueProblem } from '../src/index.ts';

const leaves = allFields().flatMap(({ path, field }) =>
  isLeaf(field) && field.status !== 'planned' ? [{ path, row: field }] : [],
);

/** Values at the edges of rows: bounds, words, formats, and other kinds. */
const values = fc.oneof(
  fc.constantFrom(null, true, false, '', 'true', '1', 0, 1, -1, 0.5, 10, 100_000, 100_001, 2 ** 53, [], {}),
  fc.constantFrom(
    'orders',
    'a b',
    'http://x',
    'a:1',
    '1 HOUR',
    '2027-01-31',
    '0 6 * * *',
    'io.x.Y',
    '@daily',
  ),
  fc.constantFrom(...leaves.flatMap(({ row }) => (row.type === 'enum' ? Object.keys(row.values) : []))),
  fc.string(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
);

const ajv = new Ajv({ strict: true });
ajv.addVocabulary([...editorKeywords]);

const variable = '$' + '{X}';
const withVariables = [variable, `a-${variable}-b`, variable.replace('}', ':-1}')];

test.each(leaves)('the check of $path and its JSON Schema agree', ({ row }) => {
  const accepted = ajv.compile({ ...leafSchema(row, 'draft-07'), definitions: { variable: variableSchema } });
  for (const text of withVariables) expect(accepted(text)).toBe(true);
  fc.assert(
    fc.property(values, (value) => {
      fc.pre(!(typeof value === 'string' && value.includes('$')));
      const problem = valueProblem(row, value);
      expect(accepted(value)).toBe(problem === undefined || problem.kind === 'advice');
    }),
    { numRuns: 60 },
  );
});

test('writes new schemas at each call', () => {
  expect(jsonSchema()).toEqual(jsonSchema());
  expect(jsonSchema()).not.toBe(jsonSchema());
});
