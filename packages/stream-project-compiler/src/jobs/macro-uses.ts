import { type Expression, type Join, type Macro, type Query, type Table, walkSql } from '@levada/stream-sql';

/** A macro of a query, and how the table is read there. */
export interface MacroUse {
  readonly macro: Macro;
  /** Where a name for the table can follow; undefined where it cannot, or has one. */
  readonly aliasAt: number | undefined;
  /** The columns of the right side that a temporal join compares; undefined for any other use. */
  readonly versionKey: readonly string[] | undefined;
}

/** The tables of a query. */
export interface QueryTables {
  /** Every macro as a table, in order of their places. */
  readonly uses: readonly MacroUse[];
  /** Names that tables of a job must not have: common tables, aliases, and tables that are named without a macro. */
  readonly taken: ReadonlySet<string>;
}

/** Looks at the tables of a query. */
export function queryTables(query: Query): QueryTables {
  const tables = new Map<Macro, Table>();
  const joins = new Map<Table, Join>();
  const macros: Macro[] = [];
  const taken = new Set<string>();
  walkSql(query, (node) => {
    if (node.kind === 'macro') macros.push(node);
    else if (node.kind === 'join' && node.right.kind === 'table') joins.set(node.right, node);
    else if (node.kind === 'common-table') taken.add(node.name.name);
    else if (node.kind === 'table-name') for (const part of node.path) taken.add(part.name);
    else if (node.kind === 'table') {
      if (node.source.kind === 'macro') tables.set(node.source, node);
      if (node.alias !== undefined) taken.add(node.alias.name);
    }
    return undefined;
  });
  const uses = macros
    .toSorted((one, other) => one.start - other.start)
    .map((macro) => useOf(macro, tables.get(macro), joins));
  return { uses, taken };
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
