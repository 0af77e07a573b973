import type { PlainTypeName, SqlType, TextTypeName, TimeTypeName } from './sql-type.ts';

/** The type with this name, which may be null unless `nullable` is false. */
export function plain(name: PlainTypeName, nullable = true): SqlType {
  return { name, nullable };
}

/** A type with a length; `length` undefined means that there is no limit. */
export function text(name: TextTypeName, length?: number, nullable = true): SqlType {
  return { name, length, nullable };
}

/** A type of time with digits behind the second. */
export function time(name: TimeTypeName, precision: number, nullable = true): SqlType {
  return { name, precision, nullable };
}

/** `DECIMAL(precision, scale)`. */
export function decimal(precision: number, scale: number, nullable = true): SqlType {
  return { name: 'DECIMAL', precision, scale, nullable };
}

/** `ARRAY<element>`; an element of unknown type is undefined. */
export function array(element: SqlType | undefined, nullable = true): SqlType {
  return { name: 'ARRAY', element, nullable };
}

/** `MAP<key, value>`. */
export function map(key: SqlType | undefined, value: SqlType | undefined, nullable = true): SqlType {
  return { name: 'MAP', key, value, nullable };
}

/** The same type, which may be null or not. */
export function withNullable<T extends SqlType | undefined>(type: T, nullable: boolean): T {
  return type === undefined || type.nullable === nullable ? type : { ...type, nullable };
}
