import { type Call, type Expression, type Select, walkSql } from '@levada/stream-sql';
import { expressionIds } from '../scope/expression-ids.ts';
import type { ExpressionPlace } from '../scope/expression-use.ts';
import { groupedExpressions } from '../scope/grouped-expressions.ts';
import { hasUnresolved } from '../scope/has-unresolved.ts';
import { checkLegacyWindows } from './check-legacy-windows.ts';

/** Reports groups by one end of a window, and calls that belong to no window of GROUP BY. */
export function checkWindowGroups(select: Select, place: ExpressionPlace): void {
  const items = groupedExpressions(select.groupBy?.items ?? []);
  checkEdges(select, items, place);
  checkCumulate(items, place);
  checkAuxiliary(select, items, place);
  checkLegacyWindows(select, items, place);
}

function checkEdges(
  { groupBy }: Select,
  items: readonly Expression[],
  { context, scope }: ExpressionPlace,
): void {
  const flat = items.flatMap((item) => (item.kind === 'row' ? item.fields : [item]));
  const columns = flat.flatMap((item) =>
    item.kind === 'column' ? (context.columns.get(item)?.column ?? []) : [],
  );
  const edges = columns.flatMap(({ edge }) => edge ?? []);
  const [first] = items;
  if (groupBy === undefined || first === undefined) return;
  if (edges.includes('start') && edges.includes('end')) {
    const refused = columns.flatMap(({ refusedInGroups }) => refusedInGroups ?? [])[0];
    if (refused !== undefined) context.report(refused);
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
        ? 'rows of windows are grouped without the window, so that results are updated for ever and their state only grows'
        : `rows of windows are grouped without "${missing}", so that results are updated for ever and their state only grows`,
    hint: 'group by both window_start and window_end',
    start: first.start,
    end: items.at(-1)?.end ?? first.end,
  });
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
    if (windows.has(keyOf(call, kind))) continue;
    context.report({
      name: 'window-call',
      message: `${nameOf(call)} belongs to no window of GROUP BY, ${kind} with the same arguments was expected there`,
      hint: `write the same arguments as ${kind} in GROUP BY has`,
      start: call.start,
      end: call.end,
    });
  }
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
