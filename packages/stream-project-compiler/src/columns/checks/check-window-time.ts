import type { Column } from '@levada/stream-sql';
import { quote } from '../../diagnostics/quote.ts';
import { typeName } from '../../types/print-type.ts';
import { type LostTime, takesWatermark } from '../nodes/node-columns.ts';
import type { QueryContext } from '../query-context.ts';
import type { RelationColumn } from '../relations/relation.ts';

/** Reports a window over a column that is not a time attribute. */
export function checkWindowTime(
  node: Column,
  { type, time, lost, origins }: RelationColumn,
  context: QueryContext,
): void {
  const name = node.path.at(-1);
  if (time !== undefined || name === undefined) return;
  if (lost !== undefined && lost.by === undefined) {
    reportLostTime(node, lost, context);
    return;
  }
  const isTime = type === undefined || type.name === 'TIMESTAMP' || type.name === 'TIMESTAMP_LTZ';
  const what = type === undefined ? '' : ` of type ${typeName(type)}`;
  context.report({
    name: isTime ? 'window-without-time-attribute' : 'window-type',
    message: `the window is over ${quote(context.shown(name))}${what}, which is not a time attribute${afterLoss(lost)}`,
    hint: lossHint(lost) ?? (isTime ? timeHint({ type, origins }, context) : OTHER_COLUMN),
    unsure: type === undefined,
    start: node.start,
    end: node.end,
  });
}

const OTHER_COLUMN = 'use a column that a source names in "event_time", and select it unchanged';

/** Where a time was lost, as the end of a message. */
export function afterLoss(lost: LostTime | undefined): string {
  if (lost?.by === undefined) return '';
  const { file, start } = lost.range;
  return `: it ceases to be one at ${lost.by} of ${ownerOf(lost)} (${file}:${start.line}:${start.column})`;
}

/** What to do about a time that was lost in another model. */
export function lossHint(lost: LostTime | undefined): string | undefined {
  if (lost?.by === undefined) return undefined;
  return `put the window before ${lost.by}; or name the column in "advanced.event_time.column" of ${ownerOf(lost)}: its topic is then read again, and rows that come too late are left out`;
}

/** `model "orders"`. */
function ownerOf({ object }: LostTime): string {
  const [kind = '', ...name] = object.split(':');
  return `${kind} ${quote(name.join(':'))}`;
}

/** Where the project says that it is an event time: at what it comes from unchanged, else at a model that computes it. */
function timeHint(
  { type, origins }: Pick<RelationColumn, 'type' | 'origins'>,
  { mayHint, tableOf }: QueryContext,
): string {
  const named = 'name it in "advanced.event_time.column" of that model, and read that model here';
  if (type !== undefined && !takesWatermark(type)) {
    return `compute CAST(... AS ${type.name}(3)) in a model of its own, ${named}`;
  }
  const [origin, another] = origins;
  const apart = `compute it in a model of its own, ${named}`;
  if (!mayHint || origin?.through !== 'identity' || another !== undefined) return apart;
  const isSource = origin.node.startsWith('source:');
  const name = origin.node.slice(origin.node.indexOf(':') + 1);
  const macro = {
    macro: isSource ? 'source' : 'ref',
    name,
    nameStart: 0,
    nameEnd: 0,
    start: 0,
    end: 0,
  } as const;
  const column = tableOf({ kind: 'macro', ...macro }).find(origin.column);
  // The query itself made a plain value of it
  if (column === undefined || column === 'ambiguous' || column.time !== undefined) return apart;
  if (!isSource)
    return `name ${quote(origin.column)} in "advanced.event_time.column" of model ${quote(name)}`;
  return `name ${quote(origin.column)} in "event_time.column" of source ${quote(name)}, or of a second source with its topic if it has another event time`;
}

/** Reports the CAST that made a plain value of a time, once for all that read it. */
export function reportLostTime({ start, end }: Column, lost: LostTime, context: QueryContext): void {
  const own = lost.object === context.owner.object;
  context.report({
    name: 'event-time-lost',
    message: `${quote(lost.name)} is not a time attribute after CAST, but a window or temporal join that reads it needs one`,
    hint: own
      ? 'use the column without CAST'
      : 'select the column without CAST, or name it in "advanced.event_time.column" of this model',
    at: lost,
    start,
    end,
  });
}
