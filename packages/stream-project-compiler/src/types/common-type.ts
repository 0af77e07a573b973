import {
  decimal,
  plain,
  type RowField,
  type SqlType,
  type TextTypeName,
  type TimeTypeName,
  text,
  time,
  withNullable,
} from './sql-type.ts';
import { digitsOf, familyOf } from './type-families.ts';

/** Result for types that have nothing in common, which the engine refuses. */
export type NoCommonType = 'none';

/**
 * The engine has two ways, which differ for real numbers and times: one for branches of CASE and elements, one for arguments of
 * functions such as COALESCE and GREATEST.
 */
type CommonWay = 'branches' | 'arguments';

type Named<N extends SqlType['name']> = Extract<SqlType, { readonly name: N }>;

/**
 * The type that holds all of these, as branches of CASE, elements of ARRAY and columns of UNION have it. Undefined when one of them is
 * unknown, `none` when they have nothing in common.
 */
export function commonType(
  types: readonly (SqlType | undefined)[],
  way: CommonWay = 'branches',
): SqlType | NoCommonType | undefined {
  let common: SqlType | undefined;
  let unknown = false;
  for (const type of types) {
    if (type === undefined) unknown = true;
    else if (common === undefined) common = type;
    else {
      const both = commonOfTwo(common, type, way);
      if (both === 'none') return 'none';
      if (both === undefined) unknown = true;
      else common = both;
    }
  }
  return unknown ? undefined : common;
}

function commonOfTwo(one: SqlType, other: SqlType, way: CommonWay): SqlType | NoCommonType | undefined {
  const nullable = one.nullable || other.nullable;
  if (one.name === 'NULL') return withNullable(other, true);
  if (other.name === 'NULL') return withNullable(one, true);
  const family = familyOf(one);
  if (way === 'arguments') {
    const merged = mergedArguments(one, other, nullable);
    if (merged !== undefined) return merged;
  }
  if (family !== familyOf(other)) return 'none';
  return COMMON[family]?.(one, other, nullable) ?? sameOrUnknown(one, other, nullable);
}

type Common = (one: SqlType, other: SqlType, nullable: boolean) => SqlType | NoCommonType | undefined;

const COMMON: Readonly<Partial<Record<ReturnType<typeof familyOf>, Common>>> = {
  number: commonNumber,
  text: commonText,
  binary: commonText,
  timestamp: commonTime,
  array: commonCollection,
  multiset: commonCollection,
  map: (one, other, nullable) => commonMap(one as Named<'MAP'>, other as Named<'MAP'>, nullable),
  row: (one, other, nullable) => commonRow(one as Named<'ROW'>, other as Named<'ROW'>, nullable),
};

function sameOrUnknown(one: SqlType, other: SqlType, nullable: boolean): SqlType | undefined {
  return one.name === other.name ? withNullable(one, nullable) : undefined;
}

const WIDTH = ['TINYINT', 'SMALLINT', 'INT', 'BIGINT', 'FLOAT', 'DOUBLE'];

/** Where integers end and real numbers begin. */
const REAL = WIDTH.indexOf('FLOAT');

/** The number that holds both. */
export function commonNumber(one: SqlType, other: SqlType, nullable: boolean): SqlType {
  if (one.name === 'DECIMAL' || other.name === 'DECIMAL') {
    const [a, b] = [digitsOf(one), digitsOf(other)];
    return a && b ? commonDecimal(a, b, nullable) : { name: 'DOUBLE', nullable };
  }
  // Of FLOAT and DOUBLE the engine takes the first, not the wider
  const [a, b] = [widthOf(one), widthOf(other)];
  return withNullable(a >= b || a >= REAL ? one : other, nullable);
}

function widthOf({ name }: SqlType): number {
  return WIDTH.indexOf(name);
}

type Lengthy = Named<TextTypeName>;

function commonText(one: SqlType, other: SqlType, nullable: boolean): SqlType {
  const [a, b] = [one as Lengthy, other as Lengthy];
  const fixed = a.name === b.name && a.length === b.length ? a.name : undefined;
  const longest = a.length === undefined || b.length === undefined ? undefined : Math.max(a.length, b.length);
  const varying = familyOf(one) === 'text' ? 'VARCHAR' : 'VARBINARY';
  return text(fixed ?? varying, longest, nullable);
}

function commonTime(one: SqlType, other: SqlType, nullable: boolean): Named<TimeTypeName> {
  const [a, b] = [one as Named<TimeTypeName>, other as Named<TimeTypeName>];
  const precision = Math.max(a.precision, b.precision);
  return { name: a.precision === b.precision ? a.name : b.name, precision, nullable };
}

/** The special rule for arguments; undefined where there is none. */
function mergedArguments(one: SqlType, other: SqlType, nullable: boolean): SqlType | undefined {
  const names = new Set([one.name, other.name]);
  if (names.has('FLOAT') && names.has('DOUBLE')) return plain('DOUBLE', nullable);
  if (one.name === 'DECIMAL' && other.name === 'FLOAT') return withNullable(other, nullable);
  if (names.has('TIMESTAMP') && names.has('DATE')) return plain('DATE', nullable);
  if (names.has('TIMESTAMP') && names.has('TIME')) return time('TIME', 0, nullable);
  if (!(names.has('TIMESTAMP') && names.has('TIMESTAMP_LTZ'))) return undefined;
  return { ...commonTime(one, other, nullable), name: 'TIMESTAMP_LTZ' };
}

type Listed = Named<'ARRAY' | 'MULTISET'>;

function commonCollection(one: SqlType, other: SqlType, nullable: boolean): SqlType | NoCommonType {
  const [a, b] = [one as Listed, other as Listed];
  const element = commonType([a.element, b.element]);
  return element === 'none' ? 'none' : { name: a.name, element, nullable };
}

function commonMap(one: Named<'MAP'>, other: Named<'MAP'>, nullable: boolean): SqlType | NoCommonType {
  const key = commonType([one.key, other.key]);
  const value = commonType([one.value, other.value]);
  return key === 'none' || value === 'none' ? 'none' : { name: 'MAP', key, value, nullable };
}

function commonRow(one: Named<'ROW'>, other: Named<'ROW'>, nullable: boolean): SqlType | NoCommonType {
  if (one.fields.length !== other.fields.length) return 'none';
  const fields: RowField[] = [];
  for (const [index, { name, type }] of one.fields.entries()) {
    const common = commonType([type, other.fields[index]?.type]);
    if (common === 'none') return 'none';
    fields.push({ name, type: common });
  }
  return { name: 'ROW', fields, nullable };
}

/** Digits in all, and those after the decimal point. */
interface Digits {
  readonly precision: number;
  readonly scale: number;
}

/** The maximum precision of the engine. */
const MAX_DIGITS = 38;

/** Digits after the decimal point that are kept when there are too many before it. */
const MIN_SCALE = 6;

/** How many digits the result of an operator has, before the limit. */
export const decimalResults: Readonly<
  Record<'+' | '-' | '*' | '/' | '%', (one: Digits, other: Digits) => Digits>
> = {
  '+': sum,
  '-': sum,
  '*': (one, other) => ({ precision: one.precision + other.precision + 1, scale: one.scale + other.scale }),
  '/': (one, other) => {
    const scale = Math.max(MIN_SCALE, one.scale + other.precision + 1);
    return { precision: one.precision - one.scale + other.scale + scale, scale };
  },
  '%': (one, other) => {
    const scale = Math.max(one.scale, other.scale);
    return { precision: Math.min(whole(one), whole(other)) + scale, scale };
  },
};

function whole({ precision, scale }: Digits): number {
  return precision - scale;
}

function sum(one: Digits, other: Digits): Digits {
  const { precision, scale } = widest(one, other);
  return { precision: precision + 1, scale };
}

function widest(one: Digits, other: Digits): Digits {
  const scale = Math.max(one.scale, other.scale);
  return { precision: Math.max(whole(one), whole(other)) + scale, scale };
}

/** The decimal of so many digits; of too many the fraction is cut, down to six digits. */
export function limitedDecimal({ precision, scale }: Digits, nullable: boolean): SqlType {
  if (precision <= MAX_DIGITS) return decimal(precision, scale, nullable);
  const kept = Math.max(MAX_DIGITS - (precision - scale), Math.min(scale, MIN_SCALE));
  return decimal(MAX_DIGITS, kept, nullable);
}

/** The decimal that holds both. Of too many digits those before the point are kept. */
function commonDecimal(one: Digits, other: Digits, nullable: boolean): SqlType {
  const before = Math.max(whole(one), whole(other));
  const scale = Math.min(Math.max(one.scale, other.scale), MAX_DIGITS - before);
  return decimal(before + scale, scale, nullable);
}
