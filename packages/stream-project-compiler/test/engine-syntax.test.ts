import { type Argument, type Expression, parseSql } from '@levada/stream-sql';
import { describe, expect, it } from 'vitest';
import { jsonRows } from './rows.ts';

interface Text {
  readonly sql: string;
  readonly engine: 'accepts' | 'refuses';
}

const divergences = new Map(
  jsonRows<{ sql: string; reason: string }>('engine-syntax/divergences.jsonl').map((row) => [
    row.sql,
    row.reason,
  ]),
);

describe('texts that the parser of the engine has seen', () => {
  const texts = jsonRows<Text>('engine-syntax/texts.jsonl');

  it.each(texts.filter(({ sql }) => !divergences.has(sql)))('$engine $sql', ({ sql, engine }) => {
    expect(parseSql(sql).diagnostics.length === 0 ? 'accepts' : 'refuses').toBe(engine);
  });

  it.each([...divergences])('says otherwise of %s: %s', (sql) => {
    const engine = texts.find((text) => text.sql === sql)?.engine;
    expect(parseSql(sql).diagnostics.length === 0 ? 'accepts' : 'refuses').not.toBe(engine);
    expect(engine).toBeDefined();
  });
});

describe('expressions that the parser of the engine has read', () => {
  it.each(jsonRows<{ expression: string; tree: string }>('engine-syntax/trees.jsonl'))(
    '$expression is $tree',
    ({ expression, tree }) => {
      const body = parseSql(`SELECT ${expression} FROM t`).query?.body;
      const item = body?.kind === 'select' ? body.items[0] : undefined;
      if (item === undefined) throw new Error('no expression');
      expect(printed(item.expression).replaceAll(/\s+/g, ' ')).toBe(tree.replaceAll(/\s+/g, ' '));
    },
  );
});

type Print<K extends Expression['kind']> = (node: Extract<Expression, { kind: K }>) => string;

const PRINT: { readonly [K in Expression['kind']]?: Print<K> } = {
  between: (node) =>
    `(${printed(node.operand)} BETWEEN ASYMMETRIC ${printed(node.low)} AND ${printed(node.high)})`,
  binary: ({ operator, left, right }) =>
    `(${printed(left)} ${operator}${operator.startsWith('MULTISET') ? ' ALL' : ''} ${printed(right)})`,
  call: (node) =>
    `${node.name.map(({ name }) => name).join('.')}(${node.arguments.map(argument).join(', ')})`,
  column: (node) => node.path.map(({ name }) => name).join('.'),
  element: (node) => `${printed(node.operand)}[${printed(node.index)}]`,
  in: ({ operand, negated, candidates }) =>
    `(${printed(operand)} ${negated ? 'NOT IN' : 'IN'} (${'kind' in candidates ? '' : candidates.map(printed).join(', ')}))`,
  is: (node) => `(${printed(node.operand)} IS ${node.negated ? 'NOT ' : ''}${node.test})`,
  like: (node) =>
    `(${printed(node.operand)} ${node.negated ? 'NOT ' : ''}${node.operator} ${printed(node.pattern)})`,
  literal: (node) => (node.type === 'string' ? `'${node.value}'` : node.value),
  logical: ({ operator, operands }) =>
    operands.map(printed).reduce((left, right) => `(${left} ${operator} ${right})`),
  unary: (node) => `(${node.operator} ${printed(node.operand)})`,
};

/** Writes an expression as the engine does when asked for every parenthesis. */
function printed<K extends Expression['kind']>(node: Extract<Expression, { kind: K }>): string {
  const print: Print<K> | undefined = PRINT[node.kind as K];
  if (print === undefined) throw new Error(`no ${node.kind} was expected`);
  return print(node);
}

function argument({ value }: Argument): string {
  if (value.kind !== 'column') throw new Error(`no ${value.kind} was expected`);
  return printed(value);
}
