import { describe, expect, it } from 'vitest';
import { assignable } from './cast-type.ts';
import { comparable, orderable } from './comparable.ts';
import type { SqlType } from './sql-type.ts';
import { declaredType } from './type-of-data-type.ts';

function type(text: string): SqlType {
  const found = declaredType(text);
  if (found === undefined) throw new Error(`no type: ${text}`);
  return found;
}

const NULL: SqlType = { name: 'NULL', nullable: true };

describe('a column of a query', () => {
  it.each([
    ['CHAR(3)', 'STRING', true],
    ['STRING', 'VARCHAR(2)', true],
    ['CHAR(3)', 'CHAR(2)', true],
    ['STRING', 'CHAR(3)', false],
    ['INT', 'BIGINT', true],
    ['BIGINT', 'INT', false],
    ['BIGINT', 'FLOAT', true],
    ['TINYINT', 'DECIMAL(3, 0)', true],
    ['FLOAT', 'DOUBLE', true],
    ['DOUBLE', 'FLOAT', false],
    ['FLOAT', 'INT', false],
    ['DOUBLE', 'DECIMAL(10, 2)', true],
    ['DECIMAL(20, 4)', 'DECIMAL(10, 2)', true],
    ['DECIMAL(10, 2)', 'FLOAT', true],
    ['DECIMAL(10, 0)', 'BIGINT', false],
    ['INT', 'STRING', false],
    ['STRING', 'INT', false],
    ['TIMESTAMP(3)', 'TIMESTAMP_LTZ(6)', true],
    ['TIMESTAMP(3)', 'DATE', true],
    ['TIMESTAMP_LTZ(3)', 'TIMESTAMP(3)', true],
    ['TIMESTAMP_LTZ(3)', 'DATE', false],
    ['DATE', 'TIMESTAMP(3)', false],
    ['BOOLEAN', 'BOOLEAN', true],
    ['BOOLEAN', 'INT', false],
    ['BYTES', 'BINARY(3)', true],
    ['BYTES', 'STRING', false],
    ['ARRAY<INT>', 'ARRAY<INT>', true],
    ['ARRAY<STRING>', 'ARRAY<INT>', false],
    ['ARRAY<INT>', 'MULTISET<INT>', false],
    ['MAP<STRING, INT>', 'MAP<STRING, STRING>', false],
    ['ROW<a INT>', 'ROW<b INT>', true],
    ['ROW<a INT>', 'ROW<a INT, b INT>', false],
  ])('fits a query column of type %s to a column of type %s: %s', (from, to, fits) => {
    expect(assignable(type(from), type(to))).toBe(fits);
  });

  it('fits a NULL to every column', () => {
    expect(assignable(NULL, type('ROW<a INT>'))).toBe(true);
  });

  it('fits a query column with parts of unknown type, which cannot be disproved', () => {
    expect(assignable({ name: 'ARRAY', element: undefined, nullable: true }, type('ARRAY<INT>'))).toBe(true);
  });
});

describe('two values', () => {
  it.each([
    ['INT', 'DECIMAL(10, 2)', true, true],
    ['CHAR(3)', 'STRING', true, true],
    ['STRING', 'BOOLEAN', true, true],
    ['TIMESTAMP_LTZ(3)', 'STRING', true, true],
    ['TIMESTAMP(3)', 'TIMESTAMP_LTZ(3)', true, true],
    ['STRING', 'INT', false, true],
    ['DOUBLE', 'STRING', false, true],
    ['DATE', 'TIMESTAMP(3)', false, false],
    ['BOOLEAN', 'INT', false, false],
    ['BYTES', 'STRING', false, false],
    ['ARRAY<INT>', 'ARRAY<STRING>', true, true],
    ['ROW<a INT>', 'INT', false, false],
  ])('compares values of types %s and %s by "=": %s, by "<": %s', (one, other, equal, ordered) => {
    expect([comparable(type(one), type(other)), comparable(type(other), type(one))]).toEqual([equal, equal]);
    expect([orderable(type(one), type(other)), orderable(type(other), type(one))]).toEqual([
      ordered,
      ordered,
    ]);
  });

  it('can always be compared when one is NULL', () => {
    expect(comparable(NULL, type('MAP<STRING, INT>'))).toBe(true);
  });
});
