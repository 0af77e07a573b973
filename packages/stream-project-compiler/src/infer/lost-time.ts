import { type Join, type Query, type Span, walkSql } from '@levada/stream-sql';
import type { EventTime, LostTime } from '../columns/nodes/node-columns.ts';
import type { QueryContext } from '../columns/query-context.ts';
import type { RelationColumn } from '../columns/relations/relation.ts';
import type { NodeId } from '../resolve/node-id.ts';
import type { ResolvedModel } from '../resolve/resolved-project.ts';
import { comparesTimes, joinsByTime } from './time-joins.ts';

/** What makes plain values of event times, and where it is. */
interface Loss extends Span {
  readonly what: string;
}

interface TimeFacts {
  readonly eventTimeOf: (node: NodeId) => EventTime | undefined;
  /** Of the model's query; undefined where it was not inferred. */
  readonly context: QueryContext | undefined;
}

/**
 * Where a model's SQL makes a plain value of the event time of what it reads, for each column that still has its values. Readers of
 * such a column cannot have windows over it.
 */
export function lostTimes(
  { sql, definition }: ResolvedModel,
  columns: readonly RelationColumn[],
  { eventTimeOf, context }: TimeFacts,
): ReadonlyMap<string, LostTime> {
  const found = new Map<string, LostTime>();
  const query = sql?.parsed.query;
  if (sql === undefined || query === undefined) return found;
  const isEventTime = ({ time, lost, origins }: RelationColumn) =>
    time === undefined &&
    lost === undefined &&
    origins.some(
      ({ node, column, through }) => through !== 'transformation' && eventTimeOf(node)?.column === column,
    );
  const plain = columns.filter(isEventTime);
  const loss = plain.length === 0 ? undefined : firstLoss(query, context);
  if (loss === undefined) return found;
  const { path, object } = definition;
  const range = sql.rangeOf(loss);
  for (const { name } of plain) found.set(name, { range, path: `${path}.sql`, object, name, by: loss.what });
  return found;
}

/** The first part of a query that time attributes do not survive. */
function firstLoss(query: Query, context: QueryContext | undefined): Loss | undefined {
  let found: Loss | undefined;
  const lose = (what: string, { start, end }: Span) => {
    if (found === undefined || start < found.start) found = { what, start, end };
  };
  const keepers = context === undefined ? new Set() : joinsThatKeepTime(query, context);
  walkSql(query, (node) => {
    if (node.kind === 'join' && !keepers.has(node)) lose('JOIN', node.right);
    if (node.kind === 'group-by') lose('GROUP BY', node);
    if (node.kind === 'select' && node.quantifier === 'DISTINCT') lose('DISTINCT', node);
    if (node.kind === 'set-operation' && node.quantifier !== 'ALL') lose(node.operator, node);
    if (node.kind === 'exists') lose('EXISTS', node);
    if (node.kind === 'in' && 'kind' in node.candidates) lose('IN', node);
    return undefined;
  });
  return found;
}

/** Temporal joins, and joins of an interval, whose condition may be in WHERE. */
function joinsThatKeepTime(query: Query, context: QueryContext): ReadonlySet<Join> {
  const parts = new Map(context.parts.flatMap((part) => (part.kind === 'join' ? [[part.join, part]] : [])));
  const found = new Set<Join>();
  walkSql(query, (node) => {
    if (node.kind === 'join' && joinsByTime(node, parts.get(node), context)) found.add(node);
    if (node.kind !== 'select' || node.from === undefined || node.where === undefined) return undefined;
    if (!comparesTimes(node.where, context)) return undefined;
    walkSql(node.from, (inner) => {
      if (inner.kind === 'query') return 'skip';
      if (inner.kind === 'join' && inner.condition === undefined) found.add(inner);
      return undefined;
    });
    return undefined;
  });
  return found;
}
