import { quote } from '../../diagnostics/quote.ts';
import type { Column } from '../../sql/tree/expression.ts';
import { printType } from '../../types/print-type.ts';
import type { QueryContext } from '../query-context.ts';
import type { RelationColumn } from '../relations/relation.ts';

/** Reports a window over a column that is no time attribute. */
export function checkWindowTime(node: Column, { type, time }: RelationColumn, context: QueryContext): void {
  const name = node.path.at(-1);
  if (time !== undefined || name === undefined) return;
  const isTime = type === undefined || type.name === 'TIMESTAMP' || type.name === 'TIMESTAMP_LTZ';
  const what = type === undefined ? '' : ` of type ${printType(type, { notNull: false })}`;
  context.report({
    name: isTime ? 'window-without-time-attribute' : 'window-type',
    message: `the window is over ${quote(context.shown(name))}${what}, which is no time attribute`,
    hint: 'take a column that a source names in "event_time", and hand it on as it is',
    start: node.start,
    end: node.end,
  });
}
