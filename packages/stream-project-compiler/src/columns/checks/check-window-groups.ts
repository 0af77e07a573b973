import { type Call, type Expression, type Select, walkSql } from '@levada/stream-sql';
import { typeWords } from '../../types/type-context.ts';
import { isTime } from '../../types/type-families.ts';
import type { QueryContext } from '../query-context.ts';
import { expressionIds, groupedExpressions } from '../scope/expression-ids.ts';
import { expressionType } from '../scope/expression-type.ts';
import { type ExpressionPlace, hasUnresolved } from '../scope/expression-use.ts';
import { checkWindowTime } from './check-window-time.ts';

/** Reports groups by one end of a window, and calls that belong to no window of GROUP BY. */
export function checkWindowGroups(select: Select, place: ExpressionPlace): void {
  const items = groupedExpressions(select.groupBy?.items ?? []);
  checkEdges(select, items, place);
  checkCumulate(items, place);
  checkAuxiliary(select, items, place);
  checkLegacyWindows(select, items, place);
}

function checkEdges(select: Select, items: readonly Expression[], { context, scope }: ExpressionPlace): void {
  const { groupBy } = select;
  const flat = items.flatMap((item) => (item.kind === 'row' ? item.fields : [item]));
  const columns = flat.flatMap((item) =>
    item.kind === 'column' ? (context.columns.get(item)?.column ?? []) : [],
  );
  const edges = columns.flatMap(({ edge }) => edge?.of ?? []);
  const [first] = items;
  if (groupBy === undefined || first === undefined) return;
  if (edges.includes('start') && edges.includes('end')) {
    const refused = columns.flatMap(({ refusedInGroups }) => refusedInGroups ?? [])[0];
    if (refused !== undefined) context.report(refused);
    const [window] = columns.flatMap(({ edge }) => edge ?? []);
    // Sessions of parts may be those of other groups, whose results are updated
    if (window?.isByPart === false) checkMerged(select, window.window.split(' ')[0] ?? '', context);
    return;
  }
  const windowed = scope.tables.some(({ relation }) =>
    relation.columns.some(({ edge }) => edge !== undefined),
  );
  if (!windowed) return;
  const missing = edges.includes('start') ? 'window_end' : edges.includes('end') ? 'window_start' : undefined;
  context.report({
    name: 'window-grouping',
    message:
      missing === undefined
        ? 'rows of windows are grouped without the window, so that results are updated forever and their state only grows'
        : `rows of windows are grouped without "${missing}", so that results are updated forever and their state only grows`,
    hint: 'group by both window_start and window_end',
    start: first.start,
    end: items.at(-1)?.end ?? first.end,
  });
}

/** Windows whose results are put together of those of smaller ones. */
const merged: ReadonlySet<string> = new Set(['HOP', 'CUMULATE', 'SESSION']);
/** Aggregates that cannot be put together. */
const unmerged: ReadonlySet<string> = new Set(['FIRST_VALUE', 'LAST_VALUE', 'JSON_ARRAYAGG']);

function checkMerged({ items, having }: Select, window: string, { report }: QueryContext): void {
  if (!merged.has(window)) return;
  const parts = [...items.map(({ expression }) => expression), ...(having === undefined ? [] : [having])];
  for (const call of parts.flatMap(callsIn)) {
    if (call.over !== undefined || !unmerged.has(nameOf(call))) continue;
    report({
      name: 'function-not-on-streams',
      message: `function ${nameOf(call)}, which the engine does not compute in windows of ${window}`,
      hint: 'use windows of TUMBLE, or number the rows with ROW_NUMBER() OVER (...)',
      start: call.start,
      end: call.end,
    });
  }
}

/** There is no group window of this kind: the planner fails. */
function checkCumulate(items: readonly Expression[], { context }: ExpressionPlace): void {
  for (const item of items) {
    if (item.kind !== 'call' || nameOf(item) !== 'CUMULATE') continue;
    context.report({
      name: 'window-call',
      message: 'CUMULATE in GROUP BY, which the engine does not have; it is a table function',
      hint: 'write FROM TABLE(CUMULATE(TABLE t, DESCRIPTOR(time), step, size)), and group by window_start and window_end',
      start: item.start,
      end: item.end,
    });
  }
}

const auxiliary = /^(TUMBLE|HOP|SESSION)_(START|END|ROWTIME|PROCTIME)$/;

/** `TUMBLE_START(ts, i)` belongs to `TUMBLE(ts, i)` in GROUP BY, with the same arguments. */
function checkAuxiliary(select: Select, items: readonly Expression[], { context }: ExpressionPlace): void {
  const calls = select.items.flatMap(({ expression }) => callsIn(expression));
  const used = calls.filter((call) => auxiliary.test(nameOf(call)));
  if (used.length === 0) return;
  const ids = expressionIds(context);
  const keyOf = (call: Call, name: string) => `${name} ${call.arguments.map(ids).join(' ')}`;
  const windows = new Set(items.flatMap((item) => (item.kind === 'call' ? keyOf(item, nameOf(item)) : [])));
  const unresolved = [...used, ...items].some((node) => hasUnresolved(node, context));
  if (unresolved) return;
  for (const call of used) {
    const [, kind = ''] = auxiliary.exec(nameOf(call)) ?? [];
    if (windows.has(keyOf(call, kind))) {
      checkRowtime(call, context);
      continue;
    }
    context.report({
      name: 'window-call',
      message: `no matching window in GROUP BY for ${nameOf(call)}, expected ${kind} with the same arguments`,
      hint: `use the arguments of ${kind} in GROUP BY`,
      start: call.start,
      end: call.end,
    });
  }
}

function checkRowtime(call: Call, { columns, report }: QueryContext): void {
  const time = call.arguments[0]?.value;
  const column = time?.kind === 'column' ? columns.get(time)?.column : undefined;
  if (column?.time !== 'processing' || !nameOf(call).endsWith('_ROWTIME')) return;
  report({
    name: 'window-call',
    message: `${nameOf(call)} of a window of processing time, which has no event time`,
    hint: `write ${nameOf(call).replace('_ROWTIME', '_PROCTIME')}`,
    start: call.start,
    end: call.end,
  });
}

function callsIn(expression: Expression): readonly Call[] {
  const calls: Call[] = [];
  walkSql(expression, (node) => {
    if (node.kind === 'query') return 'skip';
    if (node.kind === 'call') calls.push(node);
    return undefined;
  });
  return calls;
}

function nameOf({ name }: Call): string {
  return name.at(-1)?.name.toUpperCase() ?? '';
}

const windows: ReadonlySet<string> = new Set(['TUMBLE', 'HOP', 'SESSION']);

/** Reports windows of GROUP BY that are used elsewhere, that are several, or that have no time. */
function checkLegacyWindows(select: Select, items: readonly Expression[], place: ExpressionPlace): void {
  checkElsewhere(select, place);
  const calls = items.flatMap((item) => (item.kind === 'call' && isWindow(item) ? item : []));
  const [first, ...others] = calls;
  if (first === undefined) return;
  checkTime(select, first, place);
  checkMerged(select, nameOf(first), place.context);
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
    const message = `the window is over ${typeWords(type)}, expected a time attribute`;
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
        message: `${nameOf(node)} is a window of GROUP BY and has no value`,
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
