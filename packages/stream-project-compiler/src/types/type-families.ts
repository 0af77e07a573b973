import type { SqlType } from './sql-type.ts';

/** The families of types that functions and operators distinguish. */
export type TypeFamily =
  | 'array'
  | 'binary'
  | 'boolean'
  | 'date'
  | 'interval'
  | 'map'
  | 'multiset'
  | 'null'
  | 'number'
  | 'row'
  | 'text'
  | 'time'
  | 'timestamp'
  | 'variant';

const FAMILIES: Readonly<Record<SqlType['name'], TypeFamily>> = {
  ARRAY: 'array',
  BIGINT: 'number',
  BINARY: 'binary',
  BOOLEAN: 'boolean',
  CHAR: 'text',
  DATE: 'date',
  DECIMAL: 'number',
  DOUBLE: 'number',
  FLOAT: 'number',
  INT: 'number',
  INTERVAL: 'interval',
  MAP: 'map',
  MULTISET: 'multiset',
  NULL: 'null',
  ROW: 'row',
  SMALLINT: 'number',
  TIME: 'time',
  TIMESTAMP: 'timestamp',
  TIMESTAMP_LTZ: 'timestamp',
  TINYINT: 'number',
  VARBINARY: 'binary',
  VARCHAR: 'text',
  VARIANT: 'variant',
};

/** The family of a type: `number` of `INT`, `text` of `STRING`. */
export function familyOf({ name }: SqlType): TypeFamily {
  return FAMILIES[name];
}

/** Whether it is a number of any kind. */
export function isNumeric(type: SqlType): boolean {
  return familyOf(type) === 'number';
}

/** Whether it is `CHAR`, `VARCHAR` or `STRING`. */
export function isText(type: SqlType): boolean {
  return familyOf(type) === 'text';
}

/** Whether it is a point in time with a date: `TIMESTAMP` or `TIMESTAMP_LTZ`, which time attributes are of. */
export function isTime(type: SqlType): boolean {
  return familyOf(type) === 'timestamp';
}

/** Digits of the integers as the engine counts them beside decimals, from narrow to wide. */
const INTEGER_DIGITS: ReadonlyMap<string, number> = new Map([
  ['TINYINT', 3],
  ['SMALLINT', 5],
  ['INT', 10],
  ['BIGINT', 19],
]);

/** Whether it is `TINYINT`, `SMALLINT`, `INT` or `BIGINT`. */
export function isInteger({ name }: SqlType): boolean {
  return INTEGER_DIGITS.has(name);
}

/** An exact number as decimal digits: `INT` as (10, 0). Undefined for what is no exact number. */
export function digitsOf(type: SqlType): { precision: number; scale: number } | undefined {
  if (type.name === 'DECIMAL') return { precision: type.precision, scale: type.scale };
  const precision = INTEGER_DIGITS.get(type.name);
  return precision === undefined ? undefined : { precision, scale: 0 };
}
