import type { Schema } from '@levada/connect-runtime-core';
import { type Decimal, logicalTypes, type SchemaType } from '@levada/connect-runtime-core/contract';
import { decimalText, isDecimal, javaDouble, javaFloat, javaTrim } from '@levada/connect-runtime-core/text';
import { isoText } from '../time/date-format.ts';
import { decimalNumber, int64, saturate, wholePart } from './big-decimal.ts';
import { dataFailure } from './failures.ts';
import { javaClass, typeOfValue } from './java-class.ts';
import { textOf } from './text.ts';

/** Types that can be cast, in Java's order. The target types are the same without bytes. */
const inputTypes: readonly SchemaType[] = [
  'int8',
  'int16',
  'int32',
  'int64',
  'float32',
  'float64',
  'boolean',
  'string',
  'bytes',
];

/** Target types, in the order of messages. */
export const castTypes: readonly SchemaType[] = inputTypes.filter((type) => type !== 'bytes');

/** Formats types as Java's messages do. */
export function typeList(types: readonly SchemaType[]): string {
  return `[${types.map((type) => type.toUpperCase()).join(', ')}]`;
}

/** A number as Java sees it, with or without a fraction. */
type JavaNumber =
  | { readonly kind: 'whole'; readonly value: bigint }
  | { readonly kind: 'floating'; readonly value: number }
  | { readonly kind: 'decimal'; readonly value: Decimal };

/** Converts a value to another type as Connect's `Cast` does. Null stays null. */
export function castValue(schema: Schema | null, value: unknown, target: SchemaType): unknown {
  if (value === null || value === undefined) return null;
  const type = schema === null ? typeOfValue(value) : schema.type;
  if (type === undefined) {
    throw dataFailure(
      `Cast transformation was passed a value of type class ${javaClass(schema, value)} which is not supported by Connect's data API`,
    );
  }
  if (!inputTypes.includes(type)) {
    throw dataFailure(
      `Cast transformation does not support casting from ${type.toUpperCase()}; supported types are ${typeList(inputTypes)}`,
    );
  }
  if (target === 'string') return stringOf(schema, value);
  const encoded = schema !== null && value instanceof Date ? encodeDate(schema, value) : value;
  const text = textOf(schema, encoded);
  if (text !== undefined) return fromText(text, target);
  if (typeof encoded === 'boolean') return target === 'boolean' ? encoded : encoded ? 1 : 0;
  const number = numberOf(schema, encoded);
  if (number === undefined)
    throw dataFailure(`Unexpected type in Cast transformation: class ${javaClass(schema, encoded)}`);
  return fromNumber(number, target);
}

const DAY_MS = 86_400_000;

/** The number that encodes a date or time. */
function encodeDate({ name }: Schema, value: Date): unknown {
  const time = value.getTime();
  if (name === logicalTypes.date) {
    if (time % DAY_MS !== 0)
      throw dataFailure('Kafka Connect Date type should not have any time fields set to non-zero values.');
    return time / DAY_MS;
  }
  if (name === logicalTypes.time && (time < 0 || time > DAY_MS))
    throw dataFailure('Kafka Connect Time type should not have any date fields set to non-zero values.');
  return time;
}

function numberOf(schema: Schema | null, value: unknown): JavaNumber | undefined {
  if (isDecimal(value)) return { kind: 'decimal', value };
  if (typeof value === 'bigint') return { kind: 'whole', value };
  if (typeof value !== 'number') return undefined;
  const floats = schema?.type === 'float32' || schema?.type === 'float64';
  return floats || !Number.isSafeInteger(value)
    ? { kind: 'floating', value }
    : { kind: 'whole', value: BigInt(value) };
}

const bits = { int8: 8, int16: 16, int32: 32, int64: 64 } as const;

function isIntegerType(type: SchemaType): type is keyof typeof bits {
  return Object.hasOwn(bits, type);
}

function fromNumber(number: JavaNumber, target: SchemaType): unknown {
  if (target === 'boolean') return wholeOf(number, 64) !== 0n;
  if (isIntegerType(target)) return int64(BigInt.asIntN(bits[target], wholeOf(number, bits[target])));
  const value = floatingOf(number);
  return target === 'float32' ? Math.fround(value) : value;
}

/** Java limits floating point numbers to 32 bits, or to 64 for a long, and then truncates. Other numbers are only truncated. */
function wholeOf(number: JavaNumber, width: number): bigint {
  if (number.kind === 'whole') return number.value;
  if (number.kind === 'decimal') return BigInt.asIntN(64, wholePart(number.value));
  const { value } = number;
  if (Number.isNaN(value)) return 0n;
  if (width < 64) return BigInt(Math.trunc(Math.min(Math.max(value, -2_147_483_648), 2_147_483_647)));
  return saturate(BigInt(Math.trunc(Math.min(Math.max(value, -1e19), 1e19))));
}

function floatingOf(number: JavaNumber): number {
  if (number.kind === 'decimal') return decimalNumber(number.value);
  return Number(number.value);
}

function fromText(text: string, target: SchemaType): unknown {
  if (target === 'boolean') return text.toLowerCase() === 'true';
  if (isIntegerType(target)) {
    const digits = /^[+-]?\d+$/.test(text) ? BigInt(text.replace(/^\+/, '')) : undefined;
    if (digits === undefined || BigInt.asIntN(bits[target], digits) !== digits) throw outOfRange(text);
    return int64(digits);
  }
  const number = floatingText(javaTrim(text));
  if (number === undefined) throw outOfRange(text);
  return target === 'float32' ? Math.fround(number) : number;
}

/** Parses the numbers that `Double.parseDouble` accepts, except hexadecimal ones. */
function floatingText(text: string): number | undefined {
  const [, number] =
    /^([+-]?(?:NaN|Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?=[fFdD]?$)))[fFdD]?$/.exec(text) ?? [];
  if (number === undefined) return undefined;
  return number.endsWith('NaN') ? Number.NaN : Number(number);
}

function outOfRange(text: string): Error {
  return dataFailure(`Value (${text}) was out of range for requested data type`);
}

function stringOf(schema: Schema | null, value: unknown): string {
  if (value instanceof Date) return isoText(value);
  if (isDecimal(value)) return decimalText(value);
  const text = textOf(schema, value);
  if (text !== undefined) return text;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (typeof value !== 'number') return String(value);
  if (schema?.type === 'float32') return javaFloat(value);
  return schema?.type === 'float64' || !Number.isSafeInteger(value) ? javaDouble(value) : String(value);
}
