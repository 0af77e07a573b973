import { nearestName } from '@levada/stream-project-schema';
import type { Star } from '@levada/stream-sql';
import { quote } from '../../diagnostics/quote.ts';
import { fieldType } from '../../types/collection-types.ts';
import type { ExpressionPlace } from '../scope/expression-use.ts';
import { through } from './merge-origins.ts';
import { firstOpen, type OpenRelation, type RelationColumn } from './relation.ts';

/** The columns of `*` and `t.*`. */
export interface StarColumns {
  readonly columns: readonly RelationColumn[];
  /** Present when a table may have more columns. */
  readonly open: OpenRelation | undefined;
}

/** The columns of `*` in the order of the tables; those of USING once and before the others. */
export function starColumns(star: Star, { scope, context }: ExpressionPlace): StarColumns {
  const [table] = star.qualifier;
  reportRepeated(star, { scope, context });
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
  const found = star.qualifier.length === 1 ? scope.find(table.name) : undefined;
  if (found?.kind === 'column' && found.column.type !== undefined && found.fields === undefined) {
    context.report({
      name: 'unknown-table-alias',
      message: `${quote(`${shown}.*`)} refers to a column that is not a ROW, expected a table of FROM`,
      start: table.start,
      end: table.end,
    });
  }
  if (found?.kind === 'missing') {
    const near = context.mayHint
      ? nearestName(
          table.name,
          scope.tables.flatMap(({ alias }) => alias ?? []),
        )
      : undefined;
    context.report({
      name: 'unknown-table-alias',
      message: `${quote(shown)} is not a table in FROM`,
      hint: near === undefined ? undefined : `did you mean ${quote(near)}?`,
      start: table.start,
      end: table.end,
    });
  }
  const reason = `it selects ${quote(`${shown}.*`)}, which is not a table of its SQL`;
  return { columns: [], open: { reason, range: context.rangeOf(star), nodes: [] } };
}

/** `*` names each column, so it asks for names that are not ambiguous. */
function reportRepeated(
  { qualifier, start, end }: Star,
  { scope, context }: Pick<ExpressionPlace, 'scope' | 'context'>,
): void {
  const [table] = qualifier;
  const only = table === undefined ? undefined : scope.tableAt(table.name);
  if (qualifier.length > 1 || (table !== undefined && only === undefined)) return;
  const tables = only === undefined ? scope.tables : scope.tables.slice(only, only + 1);
  for (const { relation } of tables) {
    const column = relation.columns.find(({ name }) => relation.find(name) === 'ambiguous');
    if (column === undefined) continue;
    context.report({
      name: 'ambiguous-column',
      message: `the column ${quote(column.written ?? column.name)} of * is ambiguous, more than one column in FROM has that name`,
      hint: 'add AS with another name to one of them, where they are selected',
      start,
      end,
    });
    return;
  }
}

/** `addr.*`, `t.addr.*` and `addr.geo.*`: the fields of a row. */
function rowColumns(star: Star, scope: ExpressionPlace['scope']): readonly RelationColumn[] | undefined {
  const [first, second, ...rest] = star.qualifier.map(({ name }) => name);
  if (first === undefined) return undefined;
  const place = second === undefined ? undefined : scope.tableAt(first);
  const found = place === undefined ? scope.find(first) : scope.findIn(place, second ?? '');
  if (found.kind !== 'column') return undefined;
  const fields = place !== undefined || second === undefined ? rest : [second, ...rest];
  const type = [...(found.fields ?? []), ...fields].reduce(fieldType, found.column.type);
  if (type?.name !== 'ROW') return undefined;
  const origins = through('transformation', found.column.origins);
  return type.fields.map((field) => at(star, { ...field, time: undefined, origins }));
}

function at({ start, end }: Star, column: RelationColumn): RelationColumn {
  const { repeats: _, ...facts } = column;
  return { ...facts, span: { start, end } };
}
