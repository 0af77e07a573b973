import { nearestName } from '@levada/stream-project-schema';
import { type Call, type Column, type Identifier, isReservedWord } from '@levada/stream-sql';
import { quote } from '../../diagnostics/quote.ts';
import type { QueryContext } from '../query-context.ts';
import type { RelationColumn } from '../relations/relation.ts';
import type { Found, FromScope } from '../scope/from-scope.ts';

interface Reporting {
  readonly scope: FromScope;
  readonly context: QueryContext;
}

/** Reports a name that is no column of any table. */
export function reportUnknown(column: Identifier, scope: FromScope, context: QueryContext): void {
  const candidates = context.isFull() ? [] : scope.tables.flatMap(({ relation }) => relation.columns);
  context.report({
    name: 'unknown-column',
    message: `no table in FROM has a column ${quote(context.shown(column))}`,
    hint: scope.selected.has(column.name)
      ? 'it is a name of the select list: repeat its expression here'
      : nearHint(column.name, candidates, context),
    unsure: scope.tables.some(({ relation }) => relation.undeclared),
    ...spanOf(column),
  });
}

/** Reports the name of a machine-learning model in the place of a column. */
export function reportModelName(name: Identifier, call: Call, context: QueryContext): void {
  const says = call.name.at(-1)?.name.toUpperCase() ?? '';
  context.report({
    name: 'model-name-quotes',
    message: `the machine-learning model ${quote(context.shown(name))} is used without quotes, expected text`,
    hint: context.mayHint ? `write ${says}('${name.name}', ...)` : undefined,
    ...spanOf(name),
  });
}

interface QualifiedColumn {
  readonly node: Column;
  readonly table: Identifier;
  readonly column: Identifier;
  readonly scope: FromScope;
  readonly place: number;
}

/** Reports a column that a table does not have, or has twice. */
export function reportQualified(
  { node, table, column, scope, place }: QualifiedColumn,
  { kind }: Found,
  context: QueryContext,
): undefined {
  if (kind === 'ambiguous') {
    reportAmbiguous(node, column, { scope, context });
    return undefined;
  }
  const candidates = scope.tables[place]?.relation.columns ?? [];
  context.report({
    name: 'unknown-column',
    message: `the table ${quote(context.shown(table))} has no column ${quote(context.shown(column))}`,
    hint: nearHint(column.name, candidates, context),
    unsure: scope.tables[place]?.relation.undeclared === true,
    ...spanOf(column),
  });
  return undefined;
}

/** Tables that a hint names at most. */
const MAX_HINTS = 5;

/** Reports a name that several columns have. */
export function reportAmbiguous(node: Column, column: Identifier, { scope, context }: Reporting): void {
  const tables: string[] = [];
  for (const { relation, alias } of context.isFull() ? [] : scope.tables) {
    const found = relation.find(column.name);
    if (alias !== undefined && found !== undefined && found !== 'ambiguous') tables.push(alias);
    if (tables.length === MAX_HINTS) break;
  }
  const isAlone = node.path[0] === column;
  const written = tables.map((alias) => `${nameInSql(alias)}.${nameInSql(column.name)}`);
  const hint = !context.mayHint
    ? undefined
    : isAlone && written.length > 0
      ? `write ${written.join(' or ')}`
      : 'give each of them a name of its own with AS, in the query that selects both';
  context.report({
    name: 'ambiguous-column',
    message: `the column ${quote(context.shown(column))} is ambiguous, more than one column in FROM has that name`,
    hint,
    ...spanOf(column),
  });
}

/** Reports the first of several names, which is neither a table nor a column. */
export function reportUnknownTable(node: Column, table: Identifier, { scope, context }: Reporting): void {
  const aliases: string[] = [];
  for (
    let level: FromScope | undefined = context.isFull() ? undefined : scope;
    level !== undefined;
    level = level.outer
  ) {
    aliases.push(...level.tables.flatMap(({ alias }) => alias ?? []));
  }
  const near = context.mayHint ? nearestName(table.name, aliases) : undefined;
  const known = aliases.map((alias) => quote(alias)).join(', ');
  const others =
    !context.mayHint || aliases.length === 0 || aliases.length > 5 ? undefined : `FROM has ${known}`;
  context.report({
    name: 'unknown-table-alias',
    message: `${quote(context.shown(table))} is neither a table nor a column in FROM`,
    hint: near === undefined ? others : `did you mean ${quote(near)}?`,
    ...spanOf(node.path[0] ?? node),
  });
}

/** A name as SQL takes it: in backticks unless it is a plain word. */
export function nameInSql(name: string): string {
  const isPlain = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !isReservedWord(name.toUpperCase());
  return isPlain ? name : `\`${name.replaceAll('`', '``')}\``;
}

interface FieldReporting {
  readonly column: RelationColumn;
  readonly names: readonly string[];
  readonly context: QueryContext;
}

/** Reports a field that a column does not have. */
export function reportUnknownField(field: Identifier, { column, names, context }: FieldReporting): void {
  const near = context.mayHint && column.written === undefined ? nearestName(field.name, names) : undefined;
  context.report({
    name: 'unknown-column',
    message:
      names.length === 0
        ? `the column of ${quote(context.shown(field))} is not a ROW and has no fields`
        : `the row has no field ${quote(context.shown(field))}`,
    hint: near === undefined ? undefined : `did you mean ${quote(near)}?`,
    ...spanOf(field),
  });
}

function nearHint(
  name: string,
  candidates: readonly RelationColumn[],
  { mayHint, isFull }: QueryContext,
): string | undefined {
  if (!mayHint || isFull()) return undefined;
  const names = candidates.filter(({ written }) => written === undefined).map((column) => column.name);
  const near = nearestName(name, names);
  return near === undefined ? undefined : `did you mean ${quote(near)}?`;
}

function spanOf({ start, end }: { readonly start: number; readonly end: number }): {
  start: number;
  end: number;
} {
  return { start, end };
}
