import {
  type Between,
  type Binary,
  type Expression,
  type In,
  type Is,
  type Like,
  type Literal,
  queryFeatures,
  type Select,
  type Span,
} from '@levada/stream-sql';
import type { ModelSql } from '../resolve/model-sql.ts';

/** A column, with the names of the fields that lead into it. */
export type ViewPath = readonly string[];

/** A value of a condition: a column, or a literal as text, so that no digit is lost. */
export type ViewOperand =
  | { readonly column: ViewPath }
  | { readonly value: string; readonly type: Exclude<Literal['type'], 'null'> };

const comparisons = ['=', '<>', '<', '<=', '>', '>='] as const;

type Comparison = (typeof comparisons)[number];

/** Which records a virtual topic has. As in SQL, a comparison with null is neither true nor false. */
export type ViewFilter =
  | { readonly op: 'and' | 'or'; readonly conditions: readonly ViewFilter[] }
  | { readonly op: 'not'; readonly condition: ViewFilter }
  | { readonly op: Comparison; readonly left: ViewOperand; readonly right: ViewOperand }
  | { readonly op: 'in'; readonly operand: ViewOperand; readonly values: readonly ViewOperand[] }
  | { readonly op: 'like'; readonly operand: ViewOperand; readonly pattern: string; readonly escape?: string }
  | { readonly op: 'is_null' | 'is_true' | 'is_false'; readonly operand: ViewOperand };

/** A column of a virtual topic, and the one that it shows. */
export interface ViewColumn {
  readonly name: string;
  readonly from: ViewPath;
}

/** What the SQL of a virtual topic says. */
export interface VirtualView {
  /** Undefined: all columns, under their own names. */
  readonly columns: readonly ViewColumn[] | undefined;
  /** Undefined: all records. */
  readonly filter: ViewFilter | undefined;
}

/** A part of a model's SQL that a virtual topic cannot have. */
export interface ViewLoss {
  /** In a few words: `a join`, `arithmetic`. */
  readonly what: string;
  readonly span: Span;
}

/** A construct that ends the translation; never leaves this file. */
class Inexpressible extends Error {
  readonly loss: ViewLoss;

  constructor(what: string, span: Span) {
    super(what);
    this.loss = { what, span };
  }
}

/**
 * The SQL of a model as a view of one topic: a list of columns and a condition, or the first part of it that is neither. Undefined
 * for SQL that has mistakes or reads no table.
 */
export function virtualView({ kind, parsed }: ModelSql): VirtualView | ViewLoss | undefined {
  const { query, diagnostics } = parsed;
  if (diagnostics.length > 0 || kind?.readsTable !== true) return undefined;
  const [fact] = kind.facts;
  if (fact !== undefined) return { what: queryFeatures[fact.feature].title, span: fact };
  let body = query?.body;
  while (body?.kind === 'query') body = body.body;
  if (body?.kind !== 'select') return { columns: undefined, filter: undefined };
  try {
    return viewOf(body);
  } catch (thrown) {
    if (thrown instanceof Inexpressible) return thrown.loss;
    throw thrown;
  }
}

/** Whether it is the part that is lost. */
export function isLoss(view: VirtualView | ViewLoss | undefined): view is ViewLoss {
  return view !== undefined && 'what' in view;
}

function viewOf({ items, from, where, hints, windows, qualify }: Select): VirtualView {
  const table = from?.kind === 'table' ? from : undefined;
  const [renamed] = table?.columns ?? [];
  if (renamed !== undefined) throw new Inexpressible('names for the columns of its table', renamed);
  if (qualify !== undefined) throw new Inexpressible('QUALIFY', qualify);
  if (table?.asOf !== undefined) throw new Inexpressible('FOR SYSTEM_TIME AS OF', table.asOf);
  const [hint] = [...hints, ...(table?.hints ?? [])];
  if (hint !== undefined) throw new Inexpressible('a hint', hint);
  const [window] = windows;
  if (window !== undefined) throw new Inexpressible('WINDOW', window);
  const source = table?.source.kind === 'macro' ? table.source.name : undefined;
  const name = table?.alias?.name ?? source;
  return {
    columns: columnsOf(items, name),
    filter: where === undefined ? undefined : filterOf(where, name),
  };
}

function columnsOf(items: Select['items'], table: string | undefined): readonly ViewColumn[] | undefined {
  const [first, second] = items;
  if (first?.expression.kind === 'star' && second === undefined) return undefined;
  const taken = new Set<string>();
  return items.map((item) => {
    const { expression, alias } = item;
    if (expression.kind === 'star') throw new Inexpressible('"*" beside other columns', item);
    if (expression.kind !== 'column') throw new Inexpressible(titleOf(expression), expression);
    const from = pathOf(expression.path, table);
    const name = alias?.name ?? from.at(-1) ?? '';
    if (taken.has(name)) throw new Inexpressible('two columns of one name', item);
    taken.add(name);
    return { name, from };
  });
}

function pathOf(path: readonly { readonly name: string }[], table: string | undefined): ViewPath {
  const names = path.map(({ name }) => name);
  return names.length > 1 && names[0] === table ? names.slice(1) : names;
}

function filterOf(expression: Expression, table: string | undefined): ViewFilter {
  const filter = (part: Expression) => filterOf(part, table);
  const operand = (part: Expression) => operandOf(part, table);
  if (expression.kind === 'logical') {
    const { operator, operands } = expression;
    return { op: operator === 'AND' ? 'and' : 'or', conditions: operands.map(filter) };
  }
  if (expression.kind === 'unary' && expression.operator === 'NOT') {
    return { op: 'not', condition: filter(expression.operand) };
  }
  if (expression.kind === 'binary') return comparisonOf(expression, operand);
  if (expression.kind === 'between') return betweenOf(expression, operand);
  if (expression.kind === 'in') return inOf(expression, operand);
  if (expression.kind === 'like') return likeOf(expression, operand);
  if (expression.kind === 'is') {
    const { test, negated } = expression;
    const op = tests[test];
    if (op !== undefined) return negatedIf(negated, { op, operand: operand(expression.operand) });
  }
  if (expression.kind === 'column') {
    return { op: '=', left: operand(expression), right: { value: 'TRUE', type: 'boolean' } };
  }
  throw new Inexpressible(titleOf(expression), expression);
}

const tests: Readonly<Partial<Record<Is['test'], 'is_null' | 'is_true' | 'is_false'>>> = {
  NULL: 'is_null',
  TRUE: 'is_true',
  FALSE: 'is_false',
};

type ReadOperand = (part: Expression) => ViewOperand;

function negatedIf(negated: boolean, condition: ViewFilter): ViewFilter {
  return negated ? { op: 'not', condition } : condition;
}

function comparisonOf(expression: Binary, operand: ReadOperand): ViewFilter {
  const op = comparisons.find((one) => one === expression.operator);
  if (op === undefined) throw new Inexpressible(titleOf(expression), expression);
  return { op, left: operand(expression.left), right: operand(expression.right) };
}

function betweenOf(expression: Between, operand: ReadOperand): ViewFilter {
  const { negated, symmetric, low, high } = expression;
  if (symmetric) throw new Inexpressible('BETWEEN SYMMETRIC', expression);
  const value = operand(expression.operand);
  return negatedIf(negated, {
    op: 'and',
    conditions: [
      { op: '>=', left: value, right: operand(low) },
      { op: '<=', left: value, right: operand(high) },
    ],
  });
}

function inOf(expression: In, operand: ReadOperand): ViewFilter {
  const { candidates, negated } = expression;
  if (!Array.isArray(candidates)) throw new Inexpressible('a subquery', expression);
  const values = (candidates as readonly Expression[]).map(operand);
  return negatedIf(negated, { op: 'in', operand: operand(expression.operand), values });
}

function likeOf(expression: Like, operand: ReadOperand): ViewFilter {
  const { operator, negated, pattern, escape: escaping } = expression;
  if (operator !== 'LIKE') throw new Inexpressible(operator, expression);
  const [text, mark] = [pattern, escaping].map((part) =>
    part?.kind === 'literal' && part.type === 'string' ? part.value : undefined,
  );
  if (text === undefined) throw new Inexpressible('a pattern that is not a text', pattern);
  if (escaping !== undefined && mark === undefined) {
    throw new Inexpressible('an escape character that is not a text', escaping);
  }
  return negatedIf(negated, {
    op: 'like',
    operand: operand(expression.operand),
    pattern: text,
    ...(mark === undefined ? {} : { escape: mark }),
  });
}

function operandOf(expression: Expression, table: string | undefined): ViewOperand {
  if (expression.kind === 'column') return { column: pathOf(expression.path, table) };
  if (expression.kind === 'literal' && expression.type !== 'null') {
    return { value: expression.value, type: expression.type };
  }
  if (expression.kind === 'unary' && expression.operator === '-' && expression.operand.kind === 'literal') {
    const { value, type } = expression.operand;
    if (type === 'integer' || type === 'decimal' || type === 'approximate')
      return { value: `-${value}`, type };
  }
  throw new Inexpressible(titleOf(expression), expression);
}

/** Expressions in a few words. */
const titles: Readonly<Partial<Record<Expression['kind'], string>>> = {
  literal: 'a fixed value',
  call: 'a function',
  case: 'CASE',
  cast: 'CAST',
  unary: 'arithmetic',
  binary: 'arithmetic',
  interval: 'an interval',
  subquery: 'a subquery',
  exists: 'a subquery',
};

function titleOf({ kind, operator }: Pick<Expression, 'kind'> & { readonly operator?: string }): string {
  if (kind === 'binary' && operator !== undefined && !/^[-+*/%]$/.test(operator)) return `"${operator}"`;
  return titles[kind] ?? 'an expression';
}
