import type { SqlType } from './sql-type.ts';
import { familyOf } from './type-families.ts';

const NUMBERS = ['TINYINT', 'SMALLINT', 'INT', 'BIGINT'] as const satisfies readonly SqlType['name'][];

/** Types of values that are taken for one of another type without CAST, beside its own. */
const TAKEN: Readonly<Partial<Record<SqlType['name'], readonly SqlType['name'][]>>> = {
  VARCHAR: ['CHAR'],
  VARBINARY: ['BINARY'],
  SMALLINT: NUMBERS.slice(0, 1),
  INT: NUMBERS.slice(0, 2),
  BIGINT: NUMBERS.slice(0, 3),
  FLOAT: [...NUMBERS, 'DECIMAL'],
  DOUBLE: [...NUMBERS, 'DECIMAL', 'FLOAT'],
  DECIMAL: [...NUMBERS, 'FLOAT', 'DOUBLE'],
  DATE: ['TIMESTAMP'],
  TIME: ['TIMESTAMP'],
  TIMESTAMP: ['TIMESTAMP_LTZ'],
  TIMESTAMP_LTZ: ['TIMESTAMP'],
};

/**
 * Whether the engine takes a value for one of another type as an argument of a function whose argument has exactly one type.
 * Lengths and digits make no difference, and neither does NULL. True where that is not known.
 */
export function isTakenFor(value: SqlType | undefined, other: SqlType | undefined): boolean {
  if (value === undefined || other === undefined || value.name === 'NULL') return true;
  if (value.name === 'ARRAY' && other.name === 'ARRAY') return isTakenFor(value.element, other.element);
  if (value.name === other.name) return true;
  return TAKEN[other.name]?.includes(value.name) ?? (familyOf(value) === familyOf(other) && !isListed(other));
}

/** Every number, text, time and binary is judged by the table. */
function isListed(type: SqlType): boolean {
  return ['number', 'text', 'binary', 'timestamp', 'date', 'time'].includes(familyOf(type));
}
