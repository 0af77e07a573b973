import {
  type Call,
  childNodes,
  type Expression,
  functionKind,
  type Identifier,
  type Query,
  type SqlNode,
  type WindowSpecification,
  walkSql,
} from '@levada/stream-sql';
import type { ColumnInfluence, ColumnOrigin } from '../nodes/node-columns.ts';
import type { QueryContext, QueryPlace } from '../query-context.ts';
import { influencesBy, mergeInfluences, mergeOrigins, through } from '../relations/merge-origins.ts';
import { queryRelation } from '../relations/query-relation.ts';
import type { FromScope } from './from-scope.ts';
import { resolveColumn } from './resolve-column.ts';

/** Where an expression is written: its query, and the tables whose columns it may name. */
export interface ExpressionPlace extends QueryPlace {
  readonly scope: FromScope;
  /** Facts from its SELECT; undefined outside of one. */
  readonly select?: SelectFacts | undefined;
}

/** What the types of expressions in a SELECT follow from, in addition to its tables. */
export interface SelectFacts {
  readonly grouped: boolean;
  readonly leftOut: ((part: Expression) => boolean) | undefined;
  readonly window: (name: Identifier) => WindowSpecification | undefined;
}

interface ExpressionUse {
  readonly origins: readonly ColumnOrigin[];
  /** Columns that decide about the rows that its aggregates and subqueries see. */
  readonly influences: readonly ColumnInfluence[];
}

/** How a part of an expression is used: for its value, or to decide which rows count. */
type Purpose = 'value' | ColumnInfluence['by'];

interface Waiting {
  readonly node: SqlNode;
  readonly how: ColumnOrigin['through'];
  readonly purpose: Purpose;
}

/** Resolves every column of an expression, and says what its value is made of. */
export function useOf(expression: Expression, place: ExpressionPlace): ExpressionUse {
  const origins: (readonly ColumnOrigin[])[] = [];
  const influences: (readonly ColumnInfluence[])[] = [];
  const how = expression.kind === 'column' ? 'identity' : 'transformation';
  const waiting: Waiting[] = [{ node: expression, how, purpose: 'value' }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, purpose } = next;
    if (node.kind === 'column') {
      const found = resolveColumn(node, place.scope, place.context);
      const from = through(next.how, found?.column.origins ?? []);
      if (purpose === 'value') origins.push(from);
      else influences.push(influencesBy(purpose, from));
    } else if (node.kind === 'query') {
      const relation = expressionQuery(node, place);
      const from = relation.columns.flatMap((column) => through(next.how, column.origins));
      if (purpose === 'value') origins.push(from);
      else influences.push(influencesBy(purpose, from));
      influences.push(relation.influences);
    } else if (node.kind === 'exists') {
      influences.push(expressionQuery(node.query, place).influences);
    } else waiting.push(...partsOf(node, next, place.select).reverse());
  }
  return { origins: joined(origins), influences: mergeInfluences(influences) };
}

/** Merges lists of origins, and removes duplicates, also from a single list. */
function joined(lists: readonly (readonly ColumnOrigin[])[]): readonly ColumnOrigin[] {
  return lists.length === 1 && (lists[0]?.length ?? 0) < 2 ? (lists[0] ?? []) : mergeOrigins([...lists, []]);
}

/** Infers a query within an expression once. It may read the columns of the query around it. */
export function expressionQuery(query: Query, place: ExpressionPlace) {
  const known = place.context.relations.get(query);
  if (known !== undefined) return known;
  const { context, common, scope } = place;
  const relation = queryRelation(query, { context, common, outer: scope });
  context.relations.set(query, relation);
  return relation;
}

function partsOf(node: SqlNode, { how, purpose }: Waiting, select: SelectFacts | undefined): Waiting[] {
  if (node.kind === 'call') return partsOfCall(node, { how, purpose }, select);
  return childNodes(node).map((child) => ({ node: child, how, purpose }));
}

/** Columns in `FILTER` and `OVER` decide about rows and are not part of the value. */
function partsOfCall(
  call: Call,
  { how, purpose }: Omit<Waiting, 'node'>,
  select: SelectFacts | undefined,
): Waiting[] {
  const inner = aggregates(call) ? 'aggregation' : how;
  const decides = (by: ColumnInfluence['by']): Purpose => (purpose === 'value' ? by : purpose);
  const window = namedWindow(call, select);
  const named = window === undefined ? [] : [{ node: window, how: inner, purpose: decides('window') }];
  const parts = childNodes(call).map((node) => {
    if (node === call.filter) return { node, how: inner, purpose: decides('filter') };
    if (node === call.over) return { node, how: inner, purpose: decides('window') };
    if (node.kind === 'order-item') return { node, how: inner, purpose: decides('order') };
    return { node, how: inner, purpose };
  });
  return [...parts, ...named];
}

/** The definition of `w` in WINDOW, for `OVER w` and `OVER (w ...)`. */
function namedWindow({ over }: Call, select: SelectFacts | undefined): WindowSpecification | undefined {
  const name = over?.kind === 'identifier' ? over : over?.base;
  return name === undefined ? undefined : select?.window(name);
}

/** Whether the value is made of many rows. Functions of the user's own are aggregates where they are written as such. */
function aggregates(call: Call): boolean {
  const kind = functionKind(call.name.at(-1)?.name ?? '');
  return (
    kind === 'aggregate' ||
    kind === 'over' ||
    call.over !== undefined ||
    call.quantifier !== undefined ||
    call.filter !== undefined ||
    call.withinDistinct.length > 0
  );
}

/** Whether an expression names a column that there is not, which was reported: what follows from it is not worth saying. */
export function hasUnresolved(node: Expression, { columns }: QueryContext): boolean {
  let found = false;
  walkSql(node, (part) => {
    found ||= part.kind === 'column' && columns.get(part) === undefined;
    return found ? 'skip' : undefined;
  });
  return found;
}
