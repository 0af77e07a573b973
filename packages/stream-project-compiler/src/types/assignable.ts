import type { SqlType } from './sql-type.ts';
import { familyOf, isInteger, isTime, type TypeFamily } from './type-families.ts';

/** Integers and real numbers, from narrow to wide. */
const WIDTH = ['TINYINT', 'SMALLINT', 'INT', 'BIGINT', 'FLOAT', 'DOUBLE'];

/** What a timestamp may be written into. */
const FROM_TIMESTAMP: ReadonlySet<string> = new Set(['TIMESTAMP', 'TIMESTAMP_LTZ', 'DATE', 'TIME']);

/**
 * Whether the engine writes a column of the query into a column of a table without CAST. Null values are not looked at. Parts of unknown
 * type count as fitting.
 */
export function assignable(from: SqlType, to: SqlType): boolean {
  return (RULES[familyOf(from)] ?? partsFit)(from, to);
}

type Fits = (from: SqlType, to: SqlType) => boolean;

const RULES: Readonly<Partial<Record<TypeFamily, Fits>>> = {
  null: () => true,
  text: (from, to) => to.name === 'VARCHAR' || (to.name === 'CHAR' && from.name === 'CHAR'),
  binary: (_, to) => familyOf(to) === 'binary',
  number: numberFits,
  timestamp: (from, to) => (from.name === 'TIMESTAMP' ? FROM_TIMESTAMP.has(to.name) : isTime(to)),
};

function numberFits(from: SqlType, to: SqlType): boolean {
  if (to.name === 'DECIMAL') return true;
  if (from.name === 'DECIMAL') return to.name === 'FLOAT' || to.name === 'DOUBLE';
  if (!isInteger(from) && isInteger(to)) return false;
  return WIDTH.includes(to.name) && WIDTH.indexOf(to.name) >= WIDTH.indexOf(from.name);
}

function partsFit(from: SqlType, to: SqlType): boolean {
  if (from.name === 'MAP' && to.name === 'MAP') {
    return optionalFits(from.key, to.key) && optionalFits(from.value, to.value);
  }
  if (from.name === 'ROW' && to.name === 'ROW') {
    return (
      from.fields.length === to.fields.length &&
      from.fields.every(({ type }, index) => optionalFits(type, to.fields[index]?.type))
    );
  }
  if ((from.name === 'ARRAY' || from.name === 'MULTISET') && from.name === to.name) {
    return optionalFits(from.element, to.element);
  }
  return from.name === to.name;
}

function optionalFits(from: SqlType | undefined, to: SqlType | undefined): boolean {
  return from === undefined || to === undefined || assignable(from, to);
}
