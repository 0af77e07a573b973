import type { JobTable } from '../jobs/create-table.ts';
import { identifier, literal, literalWithVariables } from '../jobs/text/sql-words.ts';
import type { TableColumn } from '../jobs/topic-table.ts';
import { plain, type SqlType, text, time } from '../types/sql-type.ts';

const string: SqlType = text('VARCHAR');

/** The shape of a record of the violations topic, but for the record itself. */
interface ViolationRow {
  readonly test: string;
  readonly assertion: string;
  readonly column: string | undefined;
  readonly severity: string;
  /** For the inside of a literal. */
  readonly expected: string;
}

/** Columns of a window that is a violation. */
export const windowColumns: readonly TableColumn[] = [
  { name: 'window_start', type: time('TIMESTAMP', 3) },
  { name: 'window_end', type: time('TIMESTAMP', 3) },
  { name: 'records', type: plain('BIGINT') },
  { name: 'measured', type: plain('DOUBLE') },
];

/** Names what a later violation replaces; only of those that can be withdrawn. */
const keyColumn = 'violation';

interface ViolationTable {
  readonly name: string;
  readonly topic: string;
  /** Columns of the record. */
  readonly columns: readonly TableColumn[];
  /** Whether a violation may be replaced or withdrawn. */
  readonly changes: boolean;
}

/** The table of violations of one shape. All of them are one topic. */
export function violationTable({ name, topic, columns, changes }: ViolationTable): JobTable {
  const row: SqlType = {
    name: 'ROW',
    fields: columns.map((column) => ({ name: column.name, type: fieldType(column.type) })),
    nullable: true,
  };
  return {
    name,
    topic,
    at: 'platform',
    rows: changes ? 'upsert' : 'append',
    format: 'json',
    columns: [
      ...(changes ? [{ name: keyColumn, type: string }] : []),
      { name: 'test', type: string },
      { name: 'assertion', type: string },
      { name: 'column', type: string },
      { name: 'severity', type: string },
      { name: 'expected', type: string },
      { name: 'record', type: row },
      { name: 'detected_at', type: time('TIMESTAMP_LTZ', 3) },
    ],
    key: changes ? [keyColumn] : [],
    eventTime: undefined,
    group: undefined,
  };
}

/** The type of a column as a field of a row: it has no length that anything keeps, and may be null. */
export function fieldType(type: SqlType): SqlType {
  return type.name === 'CHAR' || type.name === 'VARCHAR' ? string : { ...type, nullable: true };
}

/** Where violations are found. */
interface ViolationQuery extends ViolationRow {
  /** Values of the record's columns, as SQL. */
  readonly values: readonly string[];
  readonly from: string;
  readonly where: string | undefined;
  /** What a later violation replaces, as SQL. */
  readonly key?: string | undefined;
}

/** The SELECT that gives violations. `CURRENT_TIMESTAMP` is the engine's clock for each row. */
export function violationSelect({ values, from, where, key, ...row }: ViolationQuery): string {
  const facts = [
    ...(key === undefined ? [] : [key]),
    literal(row.test),
    literal(row.assertion),
    row.column === undefined ? 'CAST(NULL AS STRING)' : literal(row.column),
    literal(row.severity),
    literalWithVariables(row.expected),
  ];
  return [
    `SELECT ${facts.join(', ')},`,
    `  ROW(${values.join(', ')}),`,
    '  CURRENT_TIMESTAMP',
    `FROM ${from}`,
    ...(where === undefined ? [] : [`WHERE ${where}`]),
  ].join('\n');
}

/** A column of a record as violations show it: of a hidden one only whether there is a value. */
export function shownColumn(column: TableColumn, isHidden: boolean): TableColumn {
  return isHidden ? { ...column, type: string } : column;
}

/** The value of a column as violations show it. */
export function shownSql({ name }: TableColumn, isHidden: boolean): string {
  const value = identifier(name);
  return isHidden ? `IF(${value} IS NULL, CAST(NULL AS STRING), '***')` : value;
}

/** The values of columns as they are. */
export function plainValues(columns: readonly TableColumn[]): readonly string[] {
  return columns.map(({ name }) => identifier(name));
}
