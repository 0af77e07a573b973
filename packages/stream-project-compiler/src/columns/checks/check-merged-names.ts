import {
  type Column,
  type FromItem,
  type Join,
  type OrderItem,
  type Select,
  type SqlNode,
  walkSql,
} from '@levada/stream-sql';
import { checkConstruct } from '../../types/unknown-function.ts';
import { nameInSql } from '../nodes/report-columns.ts';
import type { ColumnMistake, QueryContext } from '../query-context.ts';
import { groupedExpressions } from '../scope/expression-ids.ts';
import type { ExpressionPlace } from '../scope/expression-use.ts';

/**
 * Reports names without a table for columns that USING and NATURAL make one of, where the engine finds both instead: it makes one of
 * them in the select list and GROUP BY only, and for USING of the last join.
 */
export function checkMergedNames(select: Select, place: ExpressionPlace): void {
  const { from, items, where, groupBy, having, qualify, windows } = select;
  if (from?.kind !== 'join') return;
  checkUsingAgain(from, place.context);
  const last = from.using.map(({ name }) => name);
  const isOne = ({ path }: Column) => last.includes(path[0]?.name ?? '');
  for (const { expression, alias } of items) {
    // With a name of its own the engine does not make one of them
    const renamed = alias !== undefined && expression.kind === 'column';
    reportMerged(expression, { ...place, from }, renamed ? undefined : isOne);
  }
  for (const expression of groupedExpressions(groupBy?.items ?? []))
    reportMerged(expression, { ...place, from }, isOne);
  const others = [where, having, qualify, ...windows.map(({ window }) => window)];
  for (const node of others) if (node !== undefined) reportMerged(node, { ...place, from });
}

/** Reports the names of a USING that a join before it has, too. Joins may be many, and are gone through from the last one. */
function checkUsingAgain(last: Join, context: QueryContext): void {
  const later = new Map<string, Join['using'][number]>();
  for (let item: FromItem = last; item.kind === 'join'; item = item.left) {
    for (const name of item.using) {
      const again = later.get(name.name);
      if (again !== undefined) checkConstruct('USING of a column of an earlier USING', again, context);
      later.set(name.name, name);
    }
  }
}

/** Reports them in the condition of a join. */
export function checkMergedCondition(join: Join, place: ExpressionPlace): void {
  if (join.condition !== undefined) reportMerged(join.condition, { ...place, from: join });
}

/** Reports them in the order of the rows, where a name may be that of a selected column. */
export function checkMergedOrder(
  { items, from }: Select,
  orderBy: readonly OrderItem[],
  place: ExpressionPlace,
): void {
  const selected = new Set(
    items.flatMap(({ expression, alias }) => {
      const named = expression.kind === 'column' ? expression.path.at(-1) : undefined;
      return (alias ?? named)?.name ?? [];
    }),
  );
  const isStar = items.some(({ expression }) => expression.kind === 'star');
  if (isStar) return;
  const isSelected = ({ path }: Column) => selected.has(path[0]?.name ?? '');
  for (const { expression } of orderBy) reportMerged(expression, { ...place, from }, isSelected);
}

/** Where an expression is, and the tables that it reads. */
interface MergedPlace extends Pick<ExpressionPlace, 'context' | 'scope'> {
  readonly from: FromItem | undefined;
}

/** Reports the merged columns in an expression, without queries within it, apart from those that the engine finds. */
function reportMerged(
  expression: SqlNode,
  { context, scope, from }: MergedPlace,
  isFound: (column: Column) => boolean = () => false,
): void {
  walkSql(expression, (node) => {
    if (node.kind === 'query') return 'skip';
    if (node.kind !== 'column') return undefined;
    const found = context.columns.get(node);
    const isMerged = found?.scope === scope && scope.isMerged(found.id);
    if (isMerged && !isFound(node)) context.report(mistake(node, { context, scope, from }));
    return undefined;
  });
}

function mistake(column: Column, { context, scope, from }: MergedPlace): ColumnMistake {
  const { start, end } = column;
  const [name] = column.path;
  const shown = name === undefined ? '' : context.shown(name);
  const value =
    context.mayHint && from !== undefined && name !== undefined
      ? mergedValue(from, name.name, scope.tables)
      : undefined;
  const hint = value?.sql === undefined ? 'write its table before it' : `write ${value.sql}`;
  return {
    name: 'ambiguous-column',
    message: `the column "${shown}" is ambiguous: here the engine does not make one of those that USING or NATURAL compares`,
    hint,
    start,
    end,
  };
}

type ScopeTables = ExpressionPlace['scope']['tables'];

/**
 * What a merged column is: that of the side of which all rows are kept, and of FULL the one that is there. Undefined where a table without
 * a name has it. `tables` begin with those of the item.
 */
function mergedValue(
  item: FromItem,
  name: string,
  tables: ScopeTables,
): { readonly sql: string | undefined } | undefined {
  if (item.kind === 'table') {
    const [table] = tables;
    if (table?.relation.find(name) === undefined) return undefined;
    return { sql: table.alias === undefined ? undefined : `${nameInSql(table.alias)}.${nameInSql(name)}` };
  }
  const left = mergedValue(item.left, name, tables);
  const right = mergedValue(item.right, name, tables.slice(tablesIn(item.left)));
  if (left === undefined || right === undefined) return left ?? right;
  if (item.type === 'RIGHT') return right;
  if (item.type !== 'FULL' || left.sql === undefined || right.sql === undefined) return left;
  return { sql: `COALESCE(${left.sql}, ${right.sql})` };
}

function tablesIn(item: FromItem): number {
  let count = 1;
  for (let at = item; at.kind === 'join'; at = at.left) count += tablesIn(at.right);
  return count;
}
