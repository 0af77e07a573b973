import { describe, expect, it } from 'vitest';
import { type Expression, parseSql } from '../src/index.ts';
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

/** Writes an expression as the engine does when asked for every parenthesis. */
function printed(node: Expression): string {
  switch (node.kind) {
    case 'column':
      return node.path.map(({ name }) => name).join('.');
    case 'literal':
      return node.type === 'string' ? `'${node.value}'` : node.value;
    case 'unary':
      return `(${node.operator} ${printed(node.operand)})`;
    case 'binary': {
      const operator = node.operator.startsWith('MULTISET') ? `${node.operator} ALL` : node.operator;
      return `(${printed(node.left)} ${operator} ${printed(node.right)})`;
    }
    case 'logical':
      return node.operands.map(printed).reduce((left, right) => `(${left} ${node.operator} ${right})`);
    case 'between':
      return `(${printed(node.operand)} BETWEEN ASYMMETRIC ${printed(node.low)} AND ${printed(node.high)})`;
    case 'in': {
      const candidates = 'kind' in node.candidates ? '' : node.candidates.map(printed).join(', ');
      return `(${printed(node.operand)} ${node.negated ? 'NOT IN' : 'IN'} (${candidates}))`;
    }
    case 'like':
      return `(${printed(node.operand)} ${node.negated ? 'NOT ' : ''}${node.operator} ${printed(node.pattern)})`;
    case 'is':
      return `(${printed(node.operand)} IS ${node.negated ? 'NOT ' : ''}${node.test})`;
    case 'element':
      return `${printed(node.operand)}[${printed(node.index)}]`;
    case 'call':
      return `${node.name.map(({ name }) => name).join('.')}(${node.arguments.map(({ value }) => ('kind' in value && value.kind === 'column' ? printed(value) : '')).join(', ')})`;
    default:
      throw new Error(`no ${node.kind} among the expressions`);
  }
}
