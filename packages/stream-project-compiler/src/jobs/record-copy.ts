import type { Query } from '@levada/stream-sql';
import { type SqlType, text } from '../types/sql-type.ts';
import { columnType } from './create-table.ts';
import type { ReadColumn } from './read-columns.ts';
import { identifier, literal } from './text/sql-words.ts';
import type { TableColumn } from './topic-table.ts';

/** Columns of a table whose records are handed on as they are. */
export interface RecordColumns {
  readonly key: string;
  readonly value: string;
}

/**
 * Whether a query hands on whole rows of one table, `SELECT * FROM t WHERE ...`. Where nothing says which columns there are, its
 * job copies the records.
 */
export function isCopy({ with: common, body, orderBy, limit }: Query): boolean {
  if (common.length > 0 || orderBy.length > 0 || limit !== undefined || body.kind !== 'select') return false;
  const { items, from, quantifier, groupBy, having, windows, qualify, hints } = body;
  const [item, another] = items;
  if (item?.expression.kind !== 'star' || another !== undefined || from?.kind !== 'table') return false;
  const isPlain = from.source.kind === 'macro' && from.asOf === undefined && from.columns.length === 0;
  const isSimple = [quantifier, groupBy, having, qualify, from.matchRecognize].every(
    (part) => part === undefined,
  );
  return isPlain && isSimple && windows.length === 0 && hints.length === 0;
}

/** Names for key and value that no column of the query has. */
export function recordColumns(columns: readonly Pick<ReadColumn, 'name'>[]): RecordColumns {
  const names = new Set(columns.map(({ name }) => name));
  const give = (name: string) => {
    let given = name;
    while (names.has(given)) given = `${given}_`;
    return given;
  };
  return { key: give('record_key'), value: give('record') };
}

const bytes: SqlType = text('VARBINARY');
const string: SqlType = text('VARCHAR');

/** The columns of a table of records, of which some are JSON values that the query names. */
export function recordTable(
  { key, value }: RecordColumns,
  columns: readonly ReadColumn[] = [],
): readonly TableColumn[] {
  return [
    { name: key, type: bytes },
    { name: value, type: columns.length === 0 ? bytes : string },
    ...columns.map(({ name, type, metadata }) =>
      metadata === undefined
        ? { name, type, computed: jsonValue(name, type, value) }
        : { name, type, metadata, exact: true },
    ),
  ];
}

/** A value within a JSON record. A record that is no JSON ends the job, as it does where columns are declared. */
function jsonValue(name: string, type: SqlType, record: string): string {
  const path = `${identifier(record)}, ${literal(pathTo(name))}`;
  const otherwise = 'NULL ON EMPTY ERROR ON ERROR';
  const found = `JSON_VALUE(${path} ${otherwise})`;
  // RETURNING DOUBLE ends the job at a number without a fraction
  return type.name === 'VARCHAR' ? found : `CAST(${found} AS ${columnType(type)})`;
}

/** Without "lax" a record that does not have the field is an error. */
function pathTo(name: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return `lax $.${name}`;
  return `lax $['${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}']`;
}
