import { type Call, functionKind, type Query, type SqlNode, walkSql } from '@levada/stream-sql';

/** Whether any operator of a query keeps something from one row to the next. */
export function hasState(query: Query): boolean {
  let found = false;
  walkSql(query, (node) => {
    found ||= isStateful(node);
    return found ? 'skip' : undefined;
  });
  return found;
}

type StatefulWhen<K extends SqlNode['kind']> = (node: Extract<SqlNode, { kind: K }>) => boolean;

/** Parts of a query that keep something; those that are missing keep nothing themselves. */
const STATEFUL: { readonly [K in SqlNode['kind']]?: StatefulWhen<K> } = {
  join: () => true,
  'group-by': () => true,
  'match-recognize': () => true,
  'table-function': () => true,
  subquery: () => true,
  exists: () => true,
  quantified: () => true,
  in: ({ candidates }) => 'kind' in candidates,
  collection: ({ content }) => 'kind' in content,
  select: ({ quantifier, having }) => quantifier === 'DISTINCT' || having !== undefined,
  query: ({ orderBy, limit }) => orderBy.length > 0 || limit !== undefined,
  'set-operation': ({ operator, quantifier }) => operator !== 'UNION' || quantifier !== 'ALL',
  call: (call) => call.over !== undefined || isAggregate(call),
};

function isStateful<K extends SqlNode['kind']>(node: Extract<SqlNode, { kind: K }>): boolean {
  const holds: StatefulWhen<K> | undefined = STATEFUL[node.kind as K];
  return holds?.(node) ?? false;
}

function isAggregate(call: Call): boolean {
  if (call.over !== undefined) return false;
  const { quantifier, filter, orderBy, withinDistinct } = call;
  const isWritten =
    quantifier !== undefined || filter !== undefined || orderBy.length > 0 || withinDistinct.length > 0;
  return isWritten || functionKind(call.name.at(-1)?.name ?? '') === 'aggregate';
}
