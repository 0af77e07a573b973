import type { Column, Identifier, SqlNode } from '@levada/stream-sql';

/** How names and values of a text are written. */
export interface TextFacts {
  readonly column: (node: Column) => string;
  /** A value as the file has it, where a variable may be part of it. */
  readonly literal: (node: Extract<SqlNode, { readonly kind: 'literal' }>) => string;
  /** Queries within expressions are not written out. */
  readonly isShort: boolean;
}

type Writer<K extends SqlNode['kind']> = (
  node: Extract<SqlNode, { readonly kind: K }>,
  facts: TextFacts,
) => string;

/** Expressions that people read. All others are written as what they hold. */
const writers: { readonly [K in SqlNode['kind']]?: Writer<K> } = {
  column: (node, { column }) => column(node),
  literal: (node, { literal }) => literal(node),
  identifier: ({ name }) => name,
  star: () => '*',
  macro: ({ name }) => name,
  argument: ({ name, keyword, value }, facts) =>
    [
      ...(keyword === undefined ? [] : [keyword]),
      ...(name === undefined ? [] : [`${upper(name)} =>`]),
      nodeText(value, facts),
    ].join(' '),
  'order-item': ({ expression, direction, nulls }, facts) =>
    [
      nodeText(expression, facts),
      ...(direction === 'DESC' ? ['DESC'] : []),
      ...(nulls === undefined ? [] : [`NULLS ${nulls}`]),
    ].join(' '),
  interval: ({ negative, value, qualifier }, facts) =>
    `INTERVAL ${negative ? '-' : ''}${nodeText(value, facts)} ${qualifier.from}${qualifier.to === undefined ? '' : ` TO ${qualifier.to}`}`,
  binary: ({ left, operator, right }, facts) =>
    `${operand(left, facts)} ${operator} ${operand(right, facts)}`,
  unary: ({ operator, operand: value }, facts) => `${operator} ${operand(value, facts)}`,
  logical: ({ operator, operands }, facts) =>
    operands.map((part) => operand(part, facts)).join(` ${operator} `),
  between: ({ operand: value, negated, symmetric, low, high }, facts) =>
    `${operand(value, facts)} ${negated ? 'NOT ' : ''}BETWEEN ${symmetric ? 'SYMMETRIC ' : ''}${operand(low, facts)} AND ${operand(high, facts)}`,
  call: (node, facts) => {
    const { name, quantifier, filter, over, arguments: all } = node;
    const others = [node.json, node.nulls, node.semantics, ...node.withinDistinct, ...node.orderBy];
    const written = [
      ...(quantifier === 'DISTINCT' ? ['DISTINCT'] : []),
      all.map((one) => nodeText(one, facts)).join(', '),
    ];
    return [
      `${name.map(upper).join('.')}(${written.join(' ')})`,
      ...others.flatMap((one) => (one === undefined ? [] : [valueText(one, facts)])),
      ...(filter === undefined ? [] : [`FILTER (${nodeText(filter, facts)})`]),
      ...(over === undefined ? [] : [`OVER (${nodeText(over, facts)})`]),
    ].join(' ');
  },
  query: (node, facts) => (facts.isShort ? 'SELECT …' : otherText(node, facts)),
  subquery: ({ query }, facts) => `(${nodeText(query, facts)})`,
  exists: ({ test, query }, facts) => `${test} (${nodeText(query, facts)})`,
  in: ({ operand: value, negated, candidates }, facts) =>
    `${operand(value, facts)} ${negated ? 'NOT ' : ''}IN (${valueText(candidates, facts)})`,
  case: ({ operand: value, branches, otherwise }, facts) => {
    const whens = branches.map(
      ({ when, result }) =>
        `WHEN ${when.map((one) => nodeText(one, facts)).join(', ')} THEN ${nodeText(result, facts)}`,
    );
    return [
      'CASE',
      ...(value === undefined ? [] : [nodeText(value, facts)]),
      ...whens,
      ...(otherwise === undefined ? [] : [`ELSE ${nodeText(otherwise, facts)}`]),
      'END',
    ].join(' ');
  },
  is: ({ operand: value, negated, test }, facts) =>
    `${operand(value, facts)} IS ${negated ? 'NOT ' : ''}${test}`,
  like: ({ operand: value, negated, operator, pattern, escape: mark }, facts) =>
    `${operand(value, facts)} ${negated ? 'NOT ' : ''}${operator} ${nodeText(pattern, facts)}${mark === undefined ? '' : ` ESCAPE ${nodeText(mark, facts)}`}`,
  element: ({ operand: value, index }, facts) => `${nodeText(value, facts)}[${nodeText(index, facts)}]`,
  field: ({ operand: value, name }, facts) => `${nodeText(value, facts)}.${name.name}`,
  cast: ({ attempt, operand: value, type }, facts) =>
    `${attempt ? 'TRY_' : ''}CAST(${nodeText(value, facts)} AS ${nodeText(type, facts)})`,
  type: (node, facts) => {
    const parameters = 'parameters' in node ? node.parameters : [];
    if (!('parameters' in node)) return otherText(node, facts);
    return `${node.type}${parameters.length === 0 ? '' : `(${parameters.join(', ')})`}`;
  },
  'window-frame': ({ unit, lower, upper }, facts) =>
    upper === undefined
      ? `${unit} ${nodeText(lower, facts)}`
      : `${unit} BETWEEN ${nodeText(lower, facts)} AND ${nodeText(upper, facts)}`,
  'frame-bound': ({ bound, offset }, facts) =>
    offset === undefined ? bound : `${nodeText(offset, facts)} ${bound}`,
  'pattern-variable': ({ name }) => name.name,
};

function upper({ name }: Identifier): string {
  return name.toUpperCase();
}

function operand(node: SqlNode, facts: TextFacts): string {
  const isCompound = node.kind === 'binary' || node.kind === 'logical' || node.kind === 'between';
  return isCompound ? `(${nodeText(node, facts)})` : nodeText(node, facts);
}

/** A part of SQL in one way of writing it: without comments, layout and case of letters. */
export function nodeText<K extends SqlNode['kind']>(
  node: Extract<SqlNode, { readonly kind: K }>,
  facts: TextFacts,
): string {
  const write: Writer<K> | undefined = writers[node.kind as K];
  return write === undefined ? otherText(node, facts) : write(node, facts);
}

const leftOut: ReadonlySet<string> = new Set([
  'kind',
  'start',
  'end',
  'nameStart',
  'nameEnd',
  'operatorStart',
  'operatorEnd',
  'quoted',
  'hints',
]);

function otherText(node: SqlNode, facts: TextFacts): string {
  const parts: string[] = [];
  for (const [key, value] of Object.entries(node)) {
    if (leftOut.has(key) || value === undefined || value === false) continue;
    if (Array.isArray(value) && value.length === 0) continue;
    const text = valueText(value, facts);
    parts.push(typeof value === 'object' || typeof value === 'string' ? text : `${key} ${text}`);
  }
  return `${node.kind.toUpperCase()}(${parts.join(', ')})`;
}

function valueText(value: unknown, facts: TextFacts): string {
  if (Array.isArray(value)) return value.map((one) => valueText(one, facts)).join(', ');
  if (typeof value === 'object' && value !== null) return nodeText(value as SqlNode, facts);
  return String(value);
}
