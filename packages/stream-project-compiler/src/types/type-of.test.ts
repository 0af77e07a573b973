import { type Expression, parseSql } from '@levada/stream-sql';
import { describe, expect, it } from 'vitest';
import { printType } from './print-type.ts';
import type { TypeContext, TypeMistake } from './type-context.ts';
import { typeOf, typeOfCondition } from './type-of.ts';
import { declaredType } from './type-of-data-type.ts';

const columns = new Map([
  ['n', declaredType('INT NOT NULL')],
  ['i', declaredType('INT')],
  ['s', declaredType('STRING')],
  ['ts', declaredType('TIMESTAMP(3)')],
  ['z', declaredType('TIMESTAMP_LTZ(3)')],
]);

function expressionOf(text: string): Expression {
  const body = parseSql(`SELECT ${text} FROM t`).query?.body;
  const item = body?.kind === 'select' ? body.items[0] : undefined;
  if (item === undefined) throw new Error(`no expression: ${text}`);
  return item.expression;
}

/** The type, and the mistakes in short. Names other than those of the columns are unknown. */
function look(text: string, more: Partial<TypeContext> = {}): { type: string; mistakes: string[] } {
  const mistakes: string[] = [];
  const report = ({ name }: TypeMistake): number => mistakes.push(name);
  const context: TypeContext = {
    column: ({ path }) => columns.get(path.at(-1)?.name ?? ''),
    subquery: () => declaredType('BIGINT NOT NULL'),
    report,
    ...more,
  };
  return { type: printType(typeOf(expressionOf(text), context)), mistakes };
}

describe('what is unknown', () => {
  it.each([
    'x',
    'x + 1',
    'CASE WHEN s = s THEN x ELSE 1 END',
    'COALESCE(x, 1)',
    'UPPER(x)',
    'ARRAY[x][1]',
    'x.y',
    'my_function(i)',
    'catalog_a.db.UPPER(s)',
    'ABS(my_function(i))',
    'i + ?',
    'CAST(i AS my_type)',
  ])('stays unknown in %s, without a mistake', (text) => {
    expect(look(text)).toEqual({ type: '?', mistakes: [] });
  });

  it.each([
    ['x = 1', 'BOOLEAN'],
    ['x IS NULL', 'BOOLEAN NOT NULL'],
    ['CAST(x AS INT)', 'INT'],
    ['CHAR_LENGTH(x)', 'INT'],
    ['COUNT(x)', 'BIGINT NOT NULL'],
    ['ARRAY[x]', 'ARRAY<?> NOT NULL'],
    ['x IN (1, 2)', 'BOOLEAN'],
    ["JSON_VALUE(x, '$.a')", 'STRING'],
  ])('does not matter to the type of %s, which may be null: %s', (text, type) => {
    expect(look(text)).toEqual({ type, mistakes: [] });
  });
});

describe('an aggregate', () => {
  it.each([
    ['MIN(n)', false, 'INT'],
    ['MIN(n)', true, 'INT NOT NULL'],
    ['MIN(i)', true, 'INT'],
    ['SUM(n) FILTER (WHERE i = 1)', true, 'INT'],
    ['SUM(n) OVER (ORDER BY ts)', false, 'INT NOT NULL'],
    ['SUM(CAST(n AS DECIMAL(10, 2)))', true, 'DECIMAL(38, 2) NOT NULL'],
    ['AVG(CAST(n AS DECIMAL(20, 8)))', true, 'DECIMAL(38, 8) NOT NULL'],
    ['COUNT(*)', false, 'BIGINT NOT NULL'],
  ])('%s in a query with GROUP BY (%s) is %s', (text, grouped, type) => {
    expect(look(text, { grouped })).toEqual({ type, mistakes: [] });
  });
});

describe('a window', () => {
  it.each([
    ["TUMBLE_START(z, INTERVAL '1' HOUR)", 'TIMESTAMP(3) NOT NULL'],
    ["HOP_END(ts, INTERVAL '1' HOUR, INTERVAL '2' HOUR)", 'TIMESTAMP(3) NOT NULL'],
    ["SESSION_ROWTIME(z, INTERVAL '1' HOUR)", 'TIMESTAMP_LTZ(3)'],
    ["TUMBLE_ROWTIME(ts, INTERVAL '1' HOUR)", 'TIMESTAMP(3)'],
    ["TUMBLE_PROCTIME(p, INTERVAL '1' HOUR)", 'TIMESTAMP_LTZ(3) NOT NULL'],
  ])('gives for %s %s', (text, type) => {
    expect(look(text)).toEqual({ type, mistakes: [] });
  });
});

describe('a measure of MATCH_RECOGNIZE', () => {
  it.each([
    ['FIRST(A.n)', 'INT NOT NULL'],
    ['FINAL LAST(B.i, 1)', 'INT'],
    ['SUM(A.n)', 'INT'],
    ['COUNT(A.n)', 'BIGINT NOT NULL'],
    ['MATCH_ROWTIME()', 'TIMESTAMP(3) NOT NULL'],
    ['MATCH_ROWTIME(z)', 'TIMESTAMP_LTZ(3)'],
    ['MATCH_PROCTIME()', 'TIMESTAMP_LTZ(3) NOT NULL'],
  ])('gives for %s %s', (text, type) => {
    expect(look(text)).toEqual({ type, mistakes: [] });
  });
});

describe('what the context tells', () => {
  it('takes the type of a subquery, which may have no row, from the context', () => {
    expect(look('(SELECT 1)').type).toBe('BIGINT');
    expect(look('n IN (SELECT 1)').type).toBe('BOOLEAN NOT NULL');
    expect(look('ARRAY(SELECT 1)').type).toBe('ARRAY<BIGINT NOT NULL> NOT NULL');
  });

  it('asks the context once for every query', () => {
    let asked = 0;
    const subquery = (): undefined => {
      asked++;
      return undefined;
    };
    look('(SELECT 1) + CASE WHEN EXISTS (SELECT 2) THEN i ELSE MAX((SELECT 3)) END', { subquery });
    expect(asked).toBe(3);
  });

  it('takes the type of a call that the engine does not define from the context', () => {
    const call = () => declaredType('ROW<score DOUBLE NOT NULL>');
    expect(look("ML_PREDICT('m', s).score", { call })).toEqual({ type: 'DOUBLE', mistakes: [] });
  });

  it('hides the names that variables were replaced by', () => {
    expect(look('NVL(i, 0)').mistakes).toEqual(['unknown-function']);
    expect(look('NVL(i, 0)', { shown: () => 'a variable' }).mistakes).toEqual([]);
  });
});

it('reports what is no condition where one must be', () => {
  const mistakes: string[] = [];
  const context: TypeContext = {
    column: () => declaredType('INT'),
    subquery: () => undefined,
    report: ({ message }) => mistakes.push(message),
  };
  typeOfCondition(expressionOf('i'), context);
  typeOfCondition(expressionOf('i = 1'), context);
  typeOfCondition(expressionOf('my_function(i)'), context);
  expect(mistakes).toEqual(['INT as a condition, expected BOOLEAN']);
});

it('reports one mistake for one mistake, however deep it is', () => {
  expect(look('UPPER(CONCAT(TRIM(s + 1), s)) || s')).toEqual({
    type: 'STRING',
    mistakes: ['type-mismatch'],
  });
});

it('takes a function named in backticks or in small letters for the same', () => {
  expect(look('`upper`(s)').type).toBe('STRING');
  expect(look('Char_Length(s)').type).toBe('INT');
});

it('takes the longest chains that the parser reads', () => {
  const text = Array.from({ length: 1400 }, () => 'i').join(' + ');
  expect(look(text)).toEqual({ type: 'INT', mistakes: [] });
});
