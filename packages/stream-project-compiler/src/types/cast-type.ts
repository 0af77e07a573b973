import type { Cast } from '@levada/stream-sql';
import { type SqlType, withNullable } from './sql-type.ts';
import { reportMismatch, type TypeWalk, typeWords } from './type-context.ts';
import { familyOf, isInteger, isNumeric, isTime, type TypeFamily } from './type-families.ts';
import { typeOfDataType } from './type-of-data-type.ts';
import { checkConstruct } from './unknown-function.ts';

/** `CAST(a AS INT)`; what TRY_CAST gives may always be null. */
export function castType(
  { operand, type: written, attempt, ...span }: Cast,
  walk: TypeWalk,
): SqlType | undefined {
  const [from, to] = [walk.typeOf(operand), typeOfDataType(written)];
  if (from !== undefined && to !== undefined && !castable(from, to)) {
    const message = `CAST of ${typeWords(from)} to ${typeWords(to)}, which the engine does not convert`;
    reportMismatch(walk, span, message, castHint(from, to));
  }
  if (to?.name === 'VARIANT') checkConstruct('the type VARIANT', written, walk);
  return withNullable(to, attempt || (from?.nullable ?? true));
}

function castHint(from: SqlType, to: SqlType): string {
  if (isNumeric(from) && isTime(to)) return 'write TO_TIMESTAMP_LTZ(..., 3) for milliseconds, 0 for seconds';
  if (isTime(from) && isNumeric(to)) return 'write UNIX_TIMESTAMP(CAST(... AS STRING)) for seconds';
  return 'convert it to STRING first, or choose another type';
}

/** The casts that the engine allows beyond the same family. Everything can be cast to text. */
const CASTS: Readonly<Partial<Record<TypeFamily, readonly TypeFamily[]>>> = {
  array: [],
  binary: [],
  boolean: ['number'],
  date: ['timestamp'],
  map: [],
  multiset: [],
  number: ['boolean', 'interval'],
  row: [],
  text: ['binary', 'boolean', 'date', 'interval', 'number', 'time', 'timestamp', 'variant'],
  time: ['timestamp'],
  timestamp: ['date', 'time'],
};

/** Whether CAST and TRY_CAST may be written at all; the value may still not fit. True where there is doubt. */
export function castable(from: SqlType, to: SqlType): boolean {
  const [one, other] = [familyOf(from), familyOf(to)];
  if (from.name === 'ROW' && to.name === 'ROW') return from.fields.length === to.fields.length;
  return one === other || other === 'text' || (CASTS[one]?.includes(other) ?? true);
}

/** Integers and real numbers, from narrow to wide. */
const WIDTH = ['TINYINT', 'SMALLINT', 'INT', 'BIGINT', 'FLOAT', 'DOUBLE'];

/** The types to which a timestamp can be cast. */
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
