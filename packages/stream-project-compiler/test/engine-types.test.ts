import { readFileSync } from 'node:fs';
import { type Expression, parseSql, type SqlNode, walkSql } from '@levada/stream-sql';
import { describe, expect, it } from 'vitest';
import { printType } from '../src/types/print-type.ts';
import type { TypeContext } from '../src/types/type-context.ts';
import { typeOf } from '../src/types/type-of.ts';
import { cells, jsonRows } from './rows.ts';
import { typedColumns, typeExpression } from './type-support/typed-columns.ts';

const columns = columnsOf('engine-types/expressions.tsv');
const divergences = new Map(
  cells('engine-types/divergences.tsv').map(([expression, ours]) => [expression, ours]),
);

/** The columns that the first line of a file names. */
function columnsOf(path: string) {
  const [first = ''] = readFileSync(new URL(path, import.meta.url), 'utf8').split('\n');
  const [, text = ''] = /^# columns: (.*); over: p PROCTIME$/.exec(first) ?? [];
  return typedColumns(`${text}, p TIMESTAMP_LTZ(3) NOT NULL`);
}

/** As the files write it; `!` for what is refused. */
function ours(expression: string): string {
  const { type, mistakes, readable } = typeExpression(expression, columns);
  return mistakes.length > 0 || !readable ? '!' : printType(type);
}

/** Whether a column is a time attribute is a property of the column, not of its type. */
function withoutTimeAttribute(type: string): string {
  return type.replace(/ \*\w+\*$/, '');
}

describe('every expression of the corpus', () => {
  const rows = cells('corpus/engine/types.tsv').filter(([kind]) => kind !== 'kind');
  const accepted = rows.filter(([, , , theirs]) => theirs?.startsWith('!') === false);
  const refused = rows.filter(([, , , theirs]) => theirs?.startsWith('!'));

  it.each(accepted)('%s %s has the type of the planner', (_kind, expression = '', _old, theirs = '') => {
    expect(ours(expression)).toBe(divergences.get(expression) ?? withoutTimeAttribute(theirs));
  });

  it.each(refused)('%s %s has no type, or a mistake', (_kind, expression = '') => {
    expect(['!', '?', divergences.get(expression)]).toContain(ours(expression));
  });
});

describe('expressions of all operators and functions', () => {
  const rows = cells('engine-types/expressions.tsv');
  const accepted = rows.filter(([, theirs]) => theirs !== '!');
  const refused = rows.filter(([, theirs]) => theirs === '!');

  it('infers the type of the planner for each expression that the planner takes', () => {
    const differing = accepted.filter(
      ([expression = '', theirs = '']) =>
        ours(expression) !== (divergences.get(expression) ?? withoutTimeAttribute(theirs)),
    );
    expect(differing).toEqual([]);
    expect(accepted.length).toBeGreaterThan(1200);
  });

  it('refuses all that the planner refuses but the expressions that are listed', () => {
    const missed = refused.filter(([expression = '']) => !['!', '?'].includes(ours(expression)));
    expect(refused.length).toBeGreaterThan(2000);
    expect(missed.map(([expression]) => expression)).toEqual(
      cells('engine-types/unrefused.tsv').map(([expression]) => expression),
    );
  });
});

describe('queries that the engine runs', () => {
  const runs = jsonRows<{ sql: string; expect: { engine_rejects?: string } }>('corpus/sql.jsonl').filter(
    ({ expect: { engine_rejects } }) => engine_rejects === undefined,
  );

  it.each(runs)('hold no mistake that shows without their columns: $sql', ({ sql }) => {
    expect(mistakesWithoutColumns(sql)).toEqual([]);
  });
});

/** What is reported of all expressions of a query when no column is known. */
function mistakesWithoutColumns(sql: string): string[] {
  const mistakes: string[] = [];
  const context: TypeContext = {
    column: () => undefined,
    subquery: () => undefined,
    report: ({ message }) => mistakes.push(message),
  };
  const { query } = parseSql(sql);
  if (query === undefined) throw new Error(`no query: ${sql}`);
  walkSql(query, (node) => {
    if (node.kind !== 'select-item' && node.kind !== 'argument') return undefined;
    const value = node.kind === 'select-item' ? node.expression : node.value;
    if (isCalculation(value)) typeOf(value, context);
    return undefined;
  });
  return mistakes;
}

const CALCULATIONS = ['binary', 'call', 'case', 'cast', 'unary'] as const;

function isCalculation(
  node: SqlNode,
): node is Extract<Expression, { readonly kind: (typeof CALCULATIONS)[number] }> {
  return (CALCULATIONS as readonly string[]).includes(node.kind);
}

it('knows every divergence', () => {
  const known = new Map([
    ...cells('engine-types/expressions.tsv').map(([expression, theirs]) => [expression, theirs] as const),
    ...cells('corpus/engine/types.tsv').map(([, expression, , theirs]) => [expression, theirs] as const),
  ]);
  for (const [expression, said] of divergences) {
    expect(known.has(expression)).toBe(true);
    expect(known.get(expression)).not.toBe(said);
  }
});
