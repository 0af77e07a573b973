import { describe, expect, it } from 'vitest';
import { bareTree } from '../test/bare-tree.ts';
import { parseSqlType } from './parse-sql.ts';

describe('parseSqlType', () => {
  it.each([
    ['string', 'STRING', []],
    ['VARCHAR', 'VARCHAR', []],
    ['CHARACTER VARYING(5)', 'VARCHAR', [5]],
    ['DEC(5)', 'DECIMAL', [5]],
    ['NUMERIC(8, 3)', 'DECIMAL', [8, 3]],
    ['INTEGER', 'INT', []],
    ['DOUBLE PRECISION', 'DOUBLE', []],
    ['TIMESTAMP', 'TIMESTAMP', []],
    ['TIMESTAMP(3) WITHOUT TIME ZONE', 'TIMESTAMP', [3]],
    ['TIMESTAMP(3) WITH LOCAL TIME ZONE', 'TIMESTAMP_LTZ', [3]],
    ['TIMESTAMP_LTZ(3)', 'TIMESTAMP_LTZ', [3]],
    ['BINARY VARYING(9)', 'VARBINARY', [9]],
    ['VARIANT', 'VARIANT', []],
  ])('%s is parsed as %s%j', (text, type, parameters) => {
    expect(parseSqlType(text)).toMatchObject({ type: { type, parameters, start: 0 }, diagnostics: [] });
  });

  it('nested types keep their nullability', () => {
    const { type, diagnostics } = parseSqlType(
      'MAP<STRING NOT NULL, ARRAY<ROW<`a b` INT NULL, c DATE>>> NOT NULL',
    );
    expect(diagnostics).toEqual([]);
    expect(bareTree(type)).toMatchObject({
      type: 'MAP',
      nullable: false,
      key: { type: 'STRING', nullable: false },
      value: {
        type: 'ARRAY',
        element: {
          type: 'ROW',
          fields: [
            { name: { name: 'a b' }, type: { type: 'INT', nullable: true } },
            { name: { name: 'c' }, type: { type: 'DATE' } },
          ],
        },
      },
    });
  });

  it('STRING ARRAY equals ARRAY<STRING>, and ROW(a INT) equals ROW<a INT>', () => {
    for (const [one, other] of [
      ['STRING ARRAY', 'ARRAY<STRING>'],
      ['ROW(a INT, b DATE)', 'ROW<a INT, b DATE>'],
      ['INT MULTISET', 'MULTISET<INT>'],
    ] as const) {
      expect(bareTree(parseSqlType(one).type)).toEqual(bareTree(parseSqlType(other).type));
    }
  });

  it.each([
    ['TEXT', 0, 'write STRING'],
    ['BOOL', 0, 'write BOOLEAN'],
    ['INT64', 0, 'write BIGINT'],
    ['STRUCT<a INT>', 0, 'write ROW<...>'],
    ['STRING(10)', 6, 'write VARCHAR(n)'],
    ['TIMESTAMP(3) WITH TIME ZONE', 13, 'write TIMESTAMP(3) WITH LOCAL TIME ZONE or TIMESTAMP_LTZ(3)'],
  ])('%s is refused with a hint at the right type', (text, start, hint) => {
    expect(parseSqlType(text).diagnostics).toMatchObject([{ start, hint }]);
  });

  it.each([
    'STRING) WITH (',
    'INT; DROP TABLE t',
    '',
    'ARRAY<INT',
    'ROW<a>',
    'DECIMAL(1, 2, 3)',
    'ROW',
    'NULL',
  ])('%j is refused, or the text after the type is', (text) => {
    expect(parseSqlType(text).diagnostics).toHaveLength(1);
  });

  it('comments after a type are ignored', () => {
    expect(parseSqlType('INT -- of pieces').diagnostics).toEqual([]);
  });
});
