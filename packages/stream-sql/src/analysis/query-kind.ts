import type { Span } from '../text/span.ts';
import type { Call } from '../tree/call.ts';
import type { Expression } from '../tree/expression.ts';
import type { Query, Select } from '../tree/query.ts';
import type { SqlNode } from '../tree/sql-node.ts';
import { functionKind, isModelFunction } from './function-kinds.ts';
import { walkSql } from './walk-sql.ts';

/** Features that a query may use, and whether each needs a job of the engine. */
export const queryFeatures = {
  window: { title: 'a window', needsEngine: true },
  'group-by': { title: 'GROUP BY', needsEngine: true },
  aggregate: { title: 'an aggregate function', needsEngine: true },
  join: { title: 'a join', needsEngine: true },
  distinct: { title: 'DISTINCT', needsEngine: true },
  'set-operation': { title: 'a set operation', needsEngine: true },
  over: { title: 'an OVER window', needsEngine: true },
  'order-by': { title: 'ORDER BY', needsEngine: true },
  subquery: { title: 'a subquery in an expression', needsEngine: true },
  unnest: { title: 'UNNEST', needsEngine: true },
  'table-function': { title: 'a table function', needsEngine: true },
  'match-recognize': { title: 'MATCH_RECOGNIZE', needsEngine: true },
  'ml-call': { title: 'a call of a machine learning function', needsEngine: true },
  'derived-table': { title: 'a query in FROM', needsEngine: false },
  cte: { title: 'WITH', needsEngine: false },
  limit: { title: 'LIMIT', needsEngine: false },
} as const satisfies Record<string, { readonly title: string; readonly needsEngine: boolean }>;

export type QueryFeature = keyof typeof queryFeatures;

/** One use of a feature. */
export interface QueryFact extends Span {
  readonly feature: QueryFeature;
}

/** How a query has to be run. */
export interface QueryKind {
  /** Every use of a feature in order of the text, including subqueries and common tables. */
  readonly facts: readonly QueryFact[];
  /** The first use of a feature that needs a job. Undefined if rows can be processed one by one. */
  readonly reason: QueryFact | undefined;
  readonly readsTable: boolean;
}

/** Determines how a query has to be run, from its tree alone: comments, literals and names do not count. */
export function queryKind(query: Query): QueryKind {
  const facts: QueryFact[] = [];
  let readsTable = false;
  walkSql(query, (node) => {
    facts.push(...factsOf(node));
    readsTable ||= node.kind === 'table' || node.kind === 'explicit-table';
    return undefined;
  });
  facts.sort((one, other) => one.start - other.start);
  return { facts, reason: facts.find(({ feature }) => queryFeatures[feature].needsEngine), readsTable };
}

type FactsOf<K extends SqlNode['kind']> = (node: Extract<SqlNode, { kind: K }>) => QueryFact[];

/** Features by kind of node. */
const FACTS: { readonly [K in SqlNode['kind']]?: FactsOf<K> } = {
  call: callFacts,
  collection: ({ content }) => subqueryFacts(content),
  'derived-table': (node) => [fact('derived-table', node)],
  exists: (node) => [fact('subquery', node)],
  'group-by': (node) => [fact('group-by', node)],
  in: ({ candidates }) => subqueryFacts(candidates),
  join: ({ operatorStart: start, operatorEnd: end }) => [fact('join', { start, end })],
  'match-recognize': (node) => [fact('match-recognize', node)],
  quantified: ({ candidates }) => subqueryFacts(candidates),
  query: queryFacts,
  select: selectFacts,
  'set-operation': ({ operatorStart: start, operatorEnd: end }) => [fact('set-operation', { start, end })],
  subquery: (node) => [fact('subquery', node)],
  'table-function': (node) =>
    functionKind(lastName(node.call)) === 'window' ? [] : [fact('table-function', node)],
  unnest: (node) => [fact('unnest', node)],
};

function factsOf<K extends SqlNode['kind']>(node: Extract<SqlNode, { kind: K }>): QueryFact[] {
  const facts: FactsOf<K> | undefined = FACTS[node.kind as K];
  return facts?.(node) ?? [];
}

function subqueryFacts(content: Query | readonly Expression[]): QueryFact[] {
  return 'kind' in content ? [fact('subquery', content)] : [];
}

function fact(feature: QueryFeature, { start, end }: Span): QueryFact {
  return { feature, start, end };
}

function queryFacts(query: Query): QueryFact[] {
  const facts = query.with.map((table) => fact('cte', table));
  const [first] = query.orderBy;
  const last = query.orderBy.at(-1);
  if (first !== undefined && last !== undefined) {
    facts.push(fact('order-by', { start: first.start, end: last.end }));
  }
  if (query.limit !== undefined) facts.push(fact('limit', query.limit));
  return facts;
}

function selectFacts({ quantifier, having, groupBy, start, end }: Select): QueryFact[] {
  const facts = quantifier === 'DISTINCT' ? [fact('distinct', { start, end })] : [];
  // Without GROUP BY the whole table is one group
  if (having !== undefined && groupBy === undefined) facts.push(fact('group-by', having));
  return facts;
}

function lastName(call: Call): string {
  return call.name.at(-1)?.name ?? '';
}

function callFacts(call: Call): QueryFact[] {
  const name = lastName(call);
  if (isModelFunction(name)) return [fact('ml-call', call)];
  if (call.over !== undefined) return [fact('over', call)];
  const kind = functionKind(name) ?? (aggregates(call) ? 'aggregate' : undefined);
  return kind === undefined ? [] : [fact(kind, call)];
}

/** A user-defined function counts as an aggregate if it is called like one. */
function aggregates({ quantifier, filter, orderBy, withinDistinct }: Call): boolean {
  return quantifier !== undefined || filter !== undefined || orderBy.length > 0 || withinDistinct.length > 0;
}
