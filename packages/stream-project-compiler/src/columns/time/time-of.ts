import type { Expression } from '@levada/stream-sql';
import type { RelationColumn, TimeState } from '../relations/relation.ts';

/** Functions whose value is a time attribute. */
const attributes: ReadonlyMap<string, TimeState> = new Map([
  ['PROCTIME', 'processing'],
  ['TUMBLE_ROWTIME', 'event'],
  ['HOP_ROWTIME', 'event'],
  ['SESSION_ROWTIME', 'event'],
  ['MATCH_ROWTIME', 'event'],
  ['TUMBLE_PROCTIME', 'processing'],
  ['HOP_PROCTIME', 'processing'],
  ['SESSION_PROCTIME', 'processing'],
  ['MATCH_PROCTIME', 'processing'],
]);

/** Whether a value is a time attribute: a column that is one, as it is, or a function that gives one. */
export function timeOf(expression: Expression, source: RelationColumn | undefined): TimeState {
  if (expression.kind === 'column') return source === undefined ? 'uncertain' : source.time;
  if (expression.kind !== 'call') return undefined;
  return attributes.get(expression.name.at(-1)?.name.toUpperCase() ?? '');
}
