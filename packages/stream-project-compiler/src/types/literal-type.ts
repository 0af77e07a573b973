import type { Literal } from '@levada/stream-sql';
import { decimal, plain, type SqlType, type TextTypeName, text, time } from './sql-type.ts';

type TypeOfText = (value: string) => SqlType | undefined;

const LITERALS: Readonly<Record<Literal['type'], TypeOfText>> = {
  string: (value) => text('CHAR', value.length, false),
  binary: (value) => text('BINARY', Math.ceil(value.length / 2), false),
  integer: integerType,
  decimal: decimalType,
  approximate: () => plain('DOUBLE', false),
  boolean: (value) => plain('BOOLEAN', value === 'UNKNOWN'),
  null: () => ({ name: 'NULL', nullable: true }),
  date: () => plain('DATE', false),
  time: () => time('TIME', 0, false),
  timestamp: (value) => time('TIMESTAMP', fractionOf(value), false),
  timestamp_ltz: (value) => time('TIMESTAMP_LTZ', fractionOf(value), false),
};

/** The type of a value as it is written. Undefined for numbers that are too large for any type. */
export function literalType({ type, value }: Literal): SqlType | undefined {
  return LITERALS[type](value);
}

const MAX_INT = 2n ** 31n - 1n;
const MAX_BIGINT = 2n ** 63n - 1n;

function integerType(value: string): SqlType | undefined {
  if (value.length > 40 || !/^\d+$/.test(value)) return undefined;
  const number = BigInt(value);
  if (number > MAX_BIGINT) return undefined;
  return plain(number > MAX_INT ? 'BIGINT' : 'INT', false);
}

/** Digits as written, the zero before the point as well: `0.5` has two, `.5` has one. */
function decimalType(value: string): SqlType | undefined {
  const [whole = '', fraction = ''] = value.replace(/^[+-]/, '').split('.');
  const digits = whole.length + fraction.length;
  if (fraction === '' && value.endsWith('.')) return integerType(whole);
  return digits > 38 ? undefined : decimal(digits, fraction.length, false);
}

/** Digits of fractional seconds. */
function fractionOf(value: string): number {
  const [, fraction = ''] = /\.(\d+)\s*$/.exec(value) ?? [];
  return Math.min(fraction.length, 9);
}

type TextType = Extract<SqlType, { readonly name: TextTypeName }>;

/** The type of two texts joined by `||`, as long as both together. Undefined for what is no text. */
export function joinedText(left: SqlType, right: SqlType): TextType | undefined {
  if (
    (left.name !== 'CHAR' && left.name !== 'VARCHAR') ||
    (right.name !== 'CHAR' && right.name !== 'VARCHAR')
  ) {
    return undefined;
  }
  const nullable = left.nullable || right.nullable;
  const limited = left.length !== undefined && right.length !== undefined;
  const length = limited ? left.length + right.length : undefined;
  const name = limited && left.name === 'CHAR' && right.name === 'CHAR' ? 'CHAR' : 'VARCHAR';
  return { name, length, nullable };
}
