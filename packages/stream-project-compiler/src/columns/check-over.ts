import { walkSql } from '../sql/analysis/walk-sql.ts';
import type { Call, WindowSpecification } from '../sql/tree/call.ts';
import type { Select } from '../sql/tree/query.ts';
import { type ExpressionIds, expressionIds } from './expression-ids.ts';
import type { QueryContext } from './query-context.ts';

/** Ranks may be ordered in any way: behind a filter by rank they are a Top-N, which is no window. */
const ranks: ReadonlySet<string> = new Set(['ROW_NUMBER', 'RANK', 'DENSE_RANK']);

interface OverCall {
  readonly call: Call;
  readonly name: string;
  readonly window: WindowSpecification;
}

/** Reports OVER windows that the engine does not run on streams: in descending order, and different ones side by side. */
export function checkOver(select: Select, context: QueryContext): void {
  const calls = overCalls(select).filter(({ name }) => !ranks.has(name));
  for (const { call, name, window } of calls) {
    const [first] = window.orderBy;
    if (first?.direction !== 'DESC') continue;
    context.report({
      name: 'over-window',
      message: `${name} is over rows in descending order, the engine takes windows in ascending order of time only`,
      hint: 'write ORDER BY without DESC',
      start: call.start,
      end: call.end,
    });
  }
  checkOneWindow(calls, context);
}

function checkOneWindow(calls: readonly OverCall[], context: QueryContext): void {
  const [first, ...others] = calls;
  if (first === undefined || others.length === 0) return;
  const ids = expressionIds(context);
  const wanted = windowKey(first.window, ids);
  const other = others.find(({ window }) => windowKey(window, ids) !== wanted);
  if (other === undefined) return;
  const { start, end } = other.call;
  context.report({
    name: 'over-window',
    message: `${other.name} is over another window than ${first.name}, the engine takes one window in each SELECT`,
    hint: 'compute one of them in a common table, and the other one over that',
    start,
    end,
  });
}

function windowKey({ partitionBy, orderBy }: WindowSpecification, ids: ExpressionIds): string {
  const order = orderBy.map(({ expression }) => ids(expression));
  return `${partitionBy.map(ids).join(' ')} by ${order.join(' ')}`;
}

function overCalls({ items, windows }: Select): readonly OverCall[] {
  const named = new Map(windows.map(({ name, window }) => [name.name, window]));
  return items.flatMap(({ expression }) => {
    const calls: OverCall[] = [];
    walkSql(expression, (node) => {
      if (node.kind === 'query') return 'skip';
      if (node.kind !== 'call' || node.over === undefined) return undefined;
      const window = node.over.kind === 'identifier' ? named.get(node.over.name) : node.over;
      const name = node.name.at(-1)?.name.toUpperCase() ?? '';
      if (window !== undefined && window.base === undefined) calls.push({ call: node, name, window });
      return undefined;
    });
    return calls;
  });
}
