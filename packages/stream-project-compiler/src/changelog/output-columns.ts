import type { Column, Expression, Select, Star } from '@levada/stream-sql';
import { expressionIds } from '../columns/scope/expression-ids.ts';
import type { ExpressionPlace } from '../columns/scope/expression-use.ts';
import type { ChangesContext, ChangesPlace } from './changes-context.ts';

/** A column of a table of FROM: equal texts are equal columns. Columns that USING makes one of have an id of their own. */
export type ColumnId = string;

/** The columns that a SELECT gives, as columns of its FROM; undefined for an expression of others. */
export type Output = readonly (ColumnId | undefined)[];

/** The id of a column by its table and its name, as names in expressions are resolved to. */
export function columnId(place: number, name: string): ColumnId {
  return `${place} ${name}`;
}

/** The output of a SELECT; undefined where the columns of a table are not known. */
export function outputOf(select: Select, context: ChangesContext): Output | undefined {
  const at = context.selects.get(select);
  const isOpen = select.items.some(
    ({ expression }) =>
      expression.kind === 'star' &&
      starPlaces(expression, at)?.some((place) => at?.scope.tables[place]?.relation.open !== undefined),
  );
  return isOpen ? undefined : listedOutput(select, context);
}

/** The columns that are known to be in the output of a SELECT. */
export function listedOutput(select: Select, { selects, columns }: ChangesContext): Output | undefined {
  const at = selects.get(select);
  if (at === undefined) return undefined;
  const output: (ColumnId | undefined)[] = [];
  for (const { expression } of select.items) {
    if (expression.kind === 'star') {
      const all = starIds(expression, at);
      if (all === undefined) return undefined;
      output.push(...all);
    } else output.push(idOf(expression, at, columns.columns));
  }
  return output;
}

/** The column that an expression is; undefined when it is one of a query around it, or no column. */
export function idOf(
  expression: Expression,
  { scope }: ExpressionPlace,
  columns: ReadonlyMap<Column, { readonly id: string; readonly scope: unknown } | undefined>,
): ColumnId | undefined {
  if (expression.kind !== 'column') return undefined;
  const found = columns.get(expression);
  return found?.scope === scope ? found.id : undefined;
}

/** The tables that `*` takes the columns of; undefined where one is not in FROM. */
function starPlaces({ qualifier }: Star, at: ExpressionPlace | undefined): readonly number[] | undefined {
  if (at === undefined) return undefined;
  const [table, another] = qualifier;
  if (table === undefined) return [...at.scope.tables.keys()];
  const place = another === undefined ? at.scope.tableAt(table.name) : undefined;
  return place === undefined ? undefined : [place];
}

function starIds(star: Star, at: ExpressionPlace): readonly ColumnId[] | undefined {
  const { scope } = at;
  const known = starPlaces(star, at);
  if (known === undefined) return undefined;
  const [table] = star.qualifier;
  const idsOf = (place: number): readonly string[] =>
    scope.columnsOf(place).map(({ name }) => columnId(place, name));
  if (table !== undefined) return known.flatMap(idsOf);
  const merged = new Set(scope.mergedColumns().map(({ name }) => name));
  const others = known.flatMap((place) =>
    scope
      .columnsOf(place)
      .filter(({ name }) => !merged.has(name))
      .map(({ name }) => columnId(place, name)),
  );
  const first = scope.allColumns().slice(0, scope.allColumns().length - others.length);
  return [...first.map(({ name }) => `using ${name}`), ...others];
}

/** A SELECT, and where it is. */
export interface SelectPlace extends ChangesPlace {
  readonly select: Select;
  readonly at: ExpressionPlace;
  readonly output: Output | undefined;
}

/** Where an expression is selected as it is. */
export function positionOf(
  expression: Expression,
  { select, at, output, context }: SelectPlace,
): number | undefined {
  const id = idOf(expression, at, context.columns.columns);
  if (id !== undefined) {
    const position = output?.indexOf(id) ?? -1;
    return position < 0 ? undefined : position;
  }
  if (select.items.some((item) => item.expression.kind === 'star')) return undefined;
  const ids = expressionIds(context.columns);
  const wanted = ids(expression);
  const position = select.items.findIndex((item) => ids(item.expression) === wanted);
  return position < 0 ? undefined : position;
}
