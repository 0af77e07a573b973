import { withNullable } from './make-type.ts';
import type { SqlType } from './sql-type.ts';

/** The type of a field of a row: `r.f`. Null where the row is. Undefined for what is no row, or has no such field. */
export function fieldType(row: SqlType | undefined, name: string): SqlType | undefined {
  if (row?.name !== 'ROW') return undefined;
  const type = row.fields.find((field) => field.name === name)?.type;
  return type === undefined ? undefined : withNullable(type, type.nullable || row.nullable);
}
