/** Types without anything beside their name. */
type PlainTypeName =
  | 'BOOLEAN'
  | 'TINYINT'
  | 'SMALLINT'
  | 'INT'
  | 'BIGINT'
  | 'FLOAT'
  | 'DOUBLE'
  | 'DATE'
  | 'VARIANT';

/** A type with a length: `length` is undefined where there is no limit (`STRING`, `BYTES`). */
export type TextTypeName = 'CHAR' | 'VARCHAR' | 'BINARY' | 'VARBINARY';

/** Types of time with fractional seconds. */
export type TimeTypeName = 'TIME' | 'TIMESTAMP' | 'TIMESTAMP_LTZ';

interface TypeFacts {
  /** `NOT NULL` is false. */
  readonly nullable: boolean;
}

/**
 * The type of a value as the engine has it, whatever synonym was written: `VARCHAR` without a length is the same as `STRING`.
 * Undefined stands for an unknown type wherever a type is asked for.
 */
export type SqlType = TypeFacts &
  (
    | { readonly name: PlainTypeName }
    | { readonly name: TextTypeName; readonly length: number | undefined }
    | { readonly name: TimeTypeName; readonly precision: number }
    | { readonly name: 'DECIMAL'; readonly precision: number; readonly scale: number }
    | { readonly name: 'ARRAY' | 'MULTISET'; readonly element: SqlType | undefined }
    | { readonly name: 'MAP'; readonly key: SqlType | undefined; readonly value: SqlType | undefined }
    | { readonly name: 'ROW'; readonly fields: readonly RowField[] }
    | { readonly name: 'INTERVAL'; readonly unit: 'year-month' | 'day-time' }
    /** Of `NULL` alone. */
    | { readonly name: 'NULL' }
  );

export interface RowField {
  readonly name: string;
  readonly type: SqlType | undefined;
}

/** The type with this name, which may be null unless `nullable` is false. */
export function plain(name: PlainTypeName, nullable = true): SqlType {
  return { name, nullable };
}

/** A type with a length; `length` undefined means that there is no limit. */
export function text(name: TextTypeName, length?: number, nullable = true): SqlType {
  return { name, length, nullable };
}

/** A type of time with fractional seconds. */
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

/** A copy of the type with the given nullability. */
export function withNullable<T extends SqlType | undefined>(type: T, nullable: boolean): T {
  return type === undefined || type.nullable === nullable ? type : { ...type, nullable };
}
