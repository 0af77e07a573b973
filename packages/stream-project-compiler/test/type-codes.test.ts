import { expect, test } from 'vitest';
import { findCode } from '../src/index.ts';
import { typeCodes } from '../src/types/type-codes.ts';
import { type TypeFixture, typeCodeColumns, typeFixtures } from './type-codes.ts';
import { typedColumns, typeExpression } from './type-support/typed-columns.ts';

const columns = typedColumns(typeCodeColumns);
const before = 'SELECT '.length;

test.each(Object.keys(typeCodes) as (keyof typeof typeCodes)[])('%s has a code and a fixture', (name) => {
  expect(findCode(name)).toMatch(/^LV41[12]\d$/);
  expect(typeFixtures[name].length).toBeGreaterThan(0);
});

const fixtures = Object.entries(typeFixtures).flatMap(([name, all]) =>
  all.map((fixture): [string, string, TypeFixture] => [name, fixture.expression, fixture]),
);

test.each(fixtures)('%s is reported once, at its place: %s', (name, expression, fixture) => {
  const { mistakes } = typeExpression(expression, columns);
  const found = mistakes.map(({ name: found, message, hint, start, end }) => {
    const at = expression.slice(start - before, end - before);
    return { name: found, at, message, ...(hint === undefined ? {} : { hint }) };
  });
  const { at, message, hint } = fixture;
  expect(found).toEqual([{ name, at, message, ...(hint === undefined ? {} : { hint }) }]);
});
