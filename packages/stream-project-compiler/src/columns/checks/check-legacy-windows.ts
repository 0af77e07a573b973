import { type Call, type Expression, type Select, walkSql } from '@levada/stream-sql';
import { isTime } from '../../types/type-families.ts';
import { typeWords } from '../../types/type-walk.ts';
import { expressionIds } from '../scope/expression-ids.ts';
import { expressionType } from '../scope/expression-type.ts';
import type { ExpressionPlace } from '../scope/expression-use.ts';
import { hasUnresolved } from '../scope/has-unresolved.ts';
import { checkWindowTime } from './check-window-time.ts';

const windows: ReadonlySet<string> = new Set(['TUMBLE', 'HOP', 'SESSION']);

/** Reports windows of GROUP BY that stand elsewhere, that are several, or that are over no time. */
export function checkLegacyWindows(
  select: Select,
  items: readonly Expression[],
  place: ExpressionPlace,
): void {
  checkElsewhere(select, place);
  const calls = items.flatMap((item) => (item.kind === 'call' && isWindow(item) ? item : []));
  const [first, ...others] = calls;
  if (first === undefined) return;
  checkTime(select, first, place);
  checkLengths(first, place);
  const ids = expressionIds(place.context);
  const another = others.find((call) => ids(call) !== ids(first));
  if (another === undefined || [first, another].some((call) => hasUnresolved(call, place.context))) return;
  place.context.report({
    name: 'window-call',
    message: 'GROUP BY has a second window, the engine takes one in each SELECT',
    hint: 'write the other window over a query with this one',
    start: another.start,
    end: another.end,
  });
}

/** What was done to a time before hardly matters here: only its type, and whether a source has it as its time. */
function checkTime(select: Select, { arguments: [time] }: Call, place: ExpressionPlace): void {
  if (time === undefined || time.value.kind === 'query') return;
  const { value } = time;
  const column = value.kind === 'column' ? place.context.columns.get(value)?.column : undefined;
  if (value.kind === 'column' && column !== undefined) {
    const type = column.type;
    const isDate = type !== undefined && !isTime(type);
    if (isDate || (type !== undefined && readsOneNode(select))) checkWindowTime(value, column, place.context);
  } else if (value.kind === 'call') {
    const type = expressionType(value, { ...place, context: { ...place.context, report: () => undefined } });
    if (type === undefined || isTime(type)) return;
    const message = `the window is over ${typeWords(type)}, a time attribute was expected`;
    place.context.report({ name: 'window-type', message, start: value.start, end: value.end });
  }
}

function checkLengths(call: Call, { context }: ExpressionPlace): void {
  const [, ...lengths] = call.arguments;
  const name = nameOf(call);
  const wanted = name === 'HOP' ? 2 : 1;
  const wrong = lengths.find(({ value }) => value.kind === 'literal');
  if (lengths.length === wanted && wrong === undefined) return;
  const list = name === 'HOP' ? 'the time, the slide and the size' : 'the time and an interval';
  const message = `${name} in GROUP BY takes ${list}, as in INTERVAL '1' MINUTE`;
  const { start, end } = wrong ?? call;
  context.report({ name: 'window-arguments', message, start, end });
}

function readsOneNode({ from }: Select): boolean {
  return from?.kind === 'table' && from.source.kind === 'macro' && from.matchRecognize === undefined;
}

function checkElsewhere({ items, where, having }: Select, { context }: ExpressionPlace): void {
  for (const root of [...items.map(({ expression }) => expression), where, having]) {
    if (root === undefined) continue;
    walkSql(root, (node) => {
      if (node.kind === 'query') return 'skip';
      if (node.kind !== 'call' || !isWindow(node)) return undefined;
      context.report({
        name: 'window-call',
        message: `${nameOf(node)} stands for a window of GROUP BY, and has no value of its own`,
        hint: `write ${nameOf(node)}_START or ${nameOf(node)}_END with the same arguments`,
        start: node.start,
        end: node.end,
      });
      return 'skip';
    });
  }
}

function isWindow(call: Call): boolean {
  return windows.has(nameOf(call));
}

function nameOf({ name }: Call): string {
  return name.at(-1)?.name.toUpperCase() ?? '';
}
