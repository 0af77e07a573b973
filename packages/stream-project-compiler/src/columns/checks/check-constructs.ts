import { type Call, type Join, type Select, type SqlNode, type Table, walkSql } from '@levada/stream-sql';
import { checkConstruct } from '../../types/unknown-function.ts';
import type { QueryContext } from '../query-context.ts';

/** Reports parts of a SELECT, without queries within it, that the version of the engine does not have. */
export function checkConstructs(select: Select, context: QueryContext): void {
  if (select.qualify !== undefined) checkConstruct('QUALIFY', select.qualify, context);
  walkSql(select, (node) => {
    if (node.kind === 'query') return 'skip';
    checkNode(node, context);
    return undefined;
  });
}

function checkNode(node: SqlNode, context: QueryContext): void {
  if (node.kind === 'table') checkTable(node, context);
  else if (node.kind === 'join') checkElements(node, context);
  else if (node.kind === 'hint') checkHint(node, context);
  else if (node.kind === 'unnest' && node.ordinality) checkConstruct('WITH ORDINALITY', node, context);
  else if (node.kind === 'call') checkWatermarkCall(node, context);
  else if (node.kind === 'interval' && node.qualifier.from === 'WEEK')
    checkConstruct('WEEK as the unit of an interval', node, context);
}

/** The argument is a column of event time, also one that is so by its type alone, or an expression of one. */
function checkWatermarkCall({ name, arguments: [argument] }: Call, context: QueryContext): void {
  const value = argument?.value;
  if (name.length > 1 || name[0]?.name.toUpperCase() !== 'CURRENT_WATERMARK' || value === undefined) return;
  if (value.kind === 'column') {
    const column = context.columns.get(value)?.column;
    const isEvent = column?.time === 'event' || column?.time === 'uncertain' || column?.marked === true;
    if (column === undefined || isEvent || column.type === undefined) return;
  } else if (value.kind !== 'cast' && value.kind !== 'literal') return;
  context.report({
    name: 'type-mismatch',
    message: 'CURRENT_WATERMARK of a value that is not an event time, expected a time attribute',
    hint: 'use a column that a source names in "event_time", or a model in "advanced.event_time"',
    start: value.start,
    end: value.end,
  });
}

function checkHint(hint: Extract<SqlNode, { readonly kind: 'hint' }>, context: QueryContext): void {
  if (hint.name.name.toUpperCase() === 'STATE_TTL') checkConstruct('the hint STATE_TTL', hint, context);
}

function checkTable({ source, columns }: Table, context: QueryContext): void {
  const [name] = columns;
  if (source.kind === 'table-function' && name !== undefined) {
    checkConstruct('new names for the columns of a window', name, context);
  }
}

function checkElements({ type, right }: Join, context: QueryContext): void {
  if (type !== 'LEFT' || right.kind !== 'table' || right.source.kind !== 'unnest') return;
  if (right.source.ordinality) checkConstruct('WITH ORDINALITY in LEFT JOIN', right.source, context);
}
