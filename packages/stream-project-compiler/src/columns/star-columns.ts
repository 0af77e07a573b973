import { nearestName } from '@levada/stream-project-schema';
import { quote } from '../diagnostics/quote.ts';
import type { Star } from '../sql/tree/expression.ts';
import type { ExpressionPlace } from './expression-use.ts';
import { through } from './merge-origins.ts';
import { firstOpen, type OpenRelation, type RelationColumn } from './relation.ts';

/** What `*` and `t.*` stand for. */
export interface StarColumns {
  readonly columns: readonly RelationColumn[];
  /** Present when a table may have more columns. */
  readonly open: OpenRelation | undefined;
}

/** The columns of `*` in the order of the tables; those of USING once and before the others. */
export function starColumns(star: Star, { scope, context }: ExpressionPlace): StarColumns {
  const [table] = star.qualifier;
  if (table === undefined) {
    const open = firstOpen(scope.tables.map(({ relation }) => relation));
    return { columns: scope.allColumns().map((column) => at(star, column)), open };
  }
  const place = star.qualifier.length === 1 ? scope.tableAt(table.name) : undefined;
  const relation = place === undefined ? undefined : scope.tables[place]?.relation;
  if (place !== undefined && relation !== undefined) {
    return { columns: scope.columnsOf(place).map((column) => at(star, column)), open: relation.open };
  }
  const fields = rowColumns(star, scope);
  if (fields !== undefined) return { columns: fields, open: undefined };
  const shown = context.shown(table);
  if (star.qualifier.length === 1 && scope.find(table.name).kind === 'missing') {
    const near = context.mayHint
      ? nearestName(
          table.name,
          scope.tables.flatMap(({ alias }) => alias ?? []),
        )
      : undefined;
    context.report({
      name: 'unknown-table-alias',
      message: `${quote(shown)} is no table in FROM`,
      hint: near === undefined ? undefined : `did you mean ${quote(near)}?`,
      start: table.start,
      end: table.end,
    });
  }
  const reason = `it selects ${quote(`${shown}.*`)}, which is no table of its SQL`;
  return { columns: [], open: { reason, range: context.rangeOf(star), nodes: [] } };
}

/** `addr.*` and `t.addr.*`: the fields of a row. */
function rowColumns(star: Star, scope: ExpressionPlace['scope']): readonly RelationColumn[] | undefined {
  const [first, second] = star.qualifier;
  const place = first === undefined ? undefined : scope.tableAt(first.name);
  const isName =
    place === undefined ? star.qualifier.length === 1 : second !== undefined && star.qualifier.length === 2;
  if (first === undefined || !isName) return undefined;
  const found = place === undefined ? scope.find(first.name) : scope.findIn(place, second?.name ?? '');
  const type = found.kind === 'column' ? found.column.type : undefined;
  if (found.kind !== 'column' || type?.name !== 'ROW') return undefined;
  const origins = through('transformation', found.column.origins);
  return type.fields.map((field) => at(star, { ...field, time: undefined, origins }));
}

function at({ start, end }: Star, column: RelationColumn): RelationColumn {
  return { ...column, span: { start, end } };
}
