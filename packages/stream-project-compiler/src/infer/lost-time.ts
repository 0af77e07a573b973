import { type Query, type Span, walkSql } from '@levada/stream-sql';
import type { EventTime, LostTime } from '../columns/nodes/node-columns.ts';
import type { RelationColumn } from '../columns/relations/relation.ts';
import type { NodeId } from '../resolve/node-id.ts';
import type { ResolvedModel } from '../resolve/resolved-project.ts';

/** What makes plain values of event times, and where it is. */
interface Loss extends Span {
  readonly what: string;
}

/**
 * Where a model's SQL makes a plain value of the event time of what it reads, for each column that still has its values. Readers of
 * such a column cannot have windows over it.
 */
export function lostTimes(
  { sql, definition }: ResolvedModel,
  columns: readonly RelationColumn[],
  eventTimeOf: (node: NodeId) => EventTime | undefined,
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
  const loss = plain.length === 0 ? undefined : firstLoss(query);
  if (loss === undefined) return found;
  const { path, object } = definition;
  const range = sql.rangeOf(loss);
  for (const { name } of plain) found.set(name, { range, path: `${path}.sql`, object, name, by: loss.what });
  return found;
}

/** The first part of a query that time attributes do not survive. */
function firstLoss(query: Query): Loss | undefined {
  let found: Loss | undefined;
  const lose = (what: string, { start, end }: Span) => {
    if (found === undefined || start < found.start) found = { what, start, end };
  };
  walkSql(query, (node) => {
    if (node.kind === 'join' && !(node.right.kind === 'table' && node.right.asOf !== undefined))
      lose('JOIN', node.right);
    if (node.kind === 'group-by') lose('GROUP BY', node);
    if (node.kind === 'select' && node.quantifier === 'DISTINCT') lose('DISTINCT', node);
    if (node.kind === 'set-operation' && node.quantifier !== 'ALL') lose(node.operator, node);
    if (node.kind === 'exists' || node.kind === 'in') lose(node.kind === 'in' ? 'IN' : 'EXISTS', node);
    return undefined;
  });
  return found;
}
