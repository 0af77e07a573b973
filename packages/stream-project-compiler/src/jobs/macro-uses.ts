import { type Expression, type Join, type Macro, type Query, type Table, walkSql } from '@levada/stream-sql';

/** A macro of a query, and how the table is read there. */
export interface MacroUse {
  readonly macro: Macro;
  /** Where a name for the table can follow; undefined where it cannot, or has one. */
  readonly aliasAt: number | undefined;
  /** The columns of the right side that a temporal join compares; undefined for any other use. */
  readonly versionKey: readonly string[] | undefined;
}

/** Every macro of a query as a table, in order of their places. */
export function macroUses(query: Query): readonly MacroUse[] {
  const tables = new Map<Macro, Table>();
  const joins = new Map<Table, Join>();
  const macros: Macro[] = [];
  walkSql(query, (node) => {
    if (node.kind === 'macro') macros.push(node);
    if (node.kind === 'table' && node.source.kind === 'macro') tables.set(node.source, node);
    if (node.kind === 'join' && node.right.kind === 'table') joins.set(node.right, node);
    return undefined;
  });
  return macros
    .toSorted((one, other) => one.start - other.start)
    .map((macro) => useOf(macro, tables.get(macro), joins));
}

/** Names of a query that tables of a job must not have: common tables, aliases, and tables that it names without a macro. */
export function takenNames(query: Query): ReadonlySet<string> {
  const names = new Set<string>();
  walkSql(query, (node) => {
    if (node.kind === 'common-table') names.add(node.name.name);
    if (node.kind === 'table' && node.alias !== undefined) names.add(node.alias.name);
    if (node.kind === 'table-name') for (const part of node.path) names.add(part.name);
    return undefined;
  });
  return names;
}

function useOf(macro: Macro, table: Table | undefined, joins: ReadonlyMap<Table, Join>): MacroUse {
  if (table === undefined) return { macro, aliasAt: undefined, versionKey: undefined };
  const { alias, matchRecognize, asOf, end } = table;
  const aliasAt = alias === undefined && matchRecognize === undefined ? end : undefined;
  const join = joins.get(table);
  const name = alias?.name ?? macro.name;
  const versionKey = asOf === undefined ? undefined : comparedColumns(join, name);
  return { macro, aliasAt, versionKey };
}

/** Columns of the right side of a join that its condition compares with `=`, each once. */
function comparedColumns(join: Join | undefined, alias: string): readonly string[] {
  if (join === undefined) return [];
  const found = join.condition === undefined ? [] : equalColumns(join.condition, alias);
  return [...new Set([...found, ...join.using.map(({ name }) => name)])];
}

function equalColumns(condition: Expression, alias: string): readonly string[] {
  if (condition.kind === 'logical' && condition.operator === 'AND') {
    return condition.operands.flatMap((operand) => equalColumns(operand, alias));
  }
  if (condition.kind !== 'binary' || condition.operator !== '=') return [];
  return [condition.left, condition.right].flatMap((side) => {
    if (side.kind !== 'column' || side.path.length !== 2) return [];
    const [table, column] = side.path;
    return table?.name === alias && column !== undefined ? [column.name] : [];
  });
}
