import type { Schema } from '@levada/connect-runtime-core';
import { type Decimal, logicalTypes } from '@levada/connect-runtime-core/contract';
import { entriesOf } from '@levada/connect-runtime-core/converter';
import { failedAt, mismatch, type Path } from './failure.ts';

const DAY_MS = 86_400_000;

/** Range of integers of each type, inclusive. */
const ranges = {
  int8: [-128, 127],
  int16: [-32_768, 32_767],
  int32: [-2_147_483_648, 2_147_483_647],
} as const;

/** A value of an int8, int16 or int32 schema. */
export function smallInteger(type: keyof typeof ranges, value: unknown, path: Path): number {
  const [min, max] = ranges[type];
  const whole = typeof value === 'bigint' ? Number(value) : value;
  if (typeof whole === 'number' && Number.isInteger(whole) && whole >= min && whole <= max) return whole;
  throw mismatch(type, value, path);
}

/** A value of an int64 schema. A number beyond 2^53 has lost its precision; such values must be bigints. */
export function longInteger(value: unknown, path: Path): bigint {
  if (typeof value === 'bigint' && BigInt.asIntN(64, value) === value) return value;
  if (Number.isSafeInteger(value)) return BigInt(value as number);
  throw mismatch('int64', value, path);
}

export function float(type: 'float32' | 'float64', value: unknown, path: Path): number {
  if (typeof value === 'number') return value;
  throw mismatch(type, value, path);
}

export function boolean(value: unknown, path: Path): boolean {
  if (typeof value === 'boolean') return value;
  throw mismatch('boolean', value, path);
}

export function bytes(value: unknown, path: Path): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw mismatch('bytes', value, path);
}

/** A string, or its UTF-8 bytes if it is stored that way. */
export function text(value: unknown, path: Path): string | Uint8Array {
  if (typeof value === 'string' || value instanceof Uint8Array) return value;
  throw mismatch('string', value, path);
}

export function list(value: unknown, path: Path): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw mismatch('array', value, path);
}

export function entries(value: unknown, path: Path): readonly (readonly [unknown, unknown])[] {
  const found = entriesOf(value);
  if (found !== undefined) return found;
  throw mismatch('map', value, path);
}

/** Whether null becomes the default of its schema. */
export interface NullRule {
  readonly ignoreDefaultForNullables: boolean;
}

/**
 * The values of a struct in the order of its fields. Null and absent values become the default of the field, as in Connect's
 * `Struct.get`. Throws for an unknown field.
 */
export function structValues(schema: Schema, value: unknown, rule: NullRule, path: Path): unknown[] {
  const fields = schema.fields ?? [];
  const found = entriesOf(value);
  if (found === undefined) throw mismatch('struct', value, path);
  const given = value instanceof Map ? value : new Map(found);
  const values: unknown[] = [];
  let used = 0;
  for (const { field, schema: of } of fields) {
    const own: unknown = given.get(field);
    if (own !== undefined || given.has(field)) used += 1;
    values.push(orDefault(of, own, rule));
  }
  if (used === given.size) return values;
  const names = new Set(fields.map(({ field }) => field));
  const unknown = [...given.keys()].find((name) => !names.has(String(name)));
  throw failedAt(path, `"${String(unknown)}" is not a field of the struct`);
}

/** Null and absent values become the default of their schema. */
export function orDefault(schema: Schema, value: unknown, rule: NullRule): unknown {
  if (value !== undefined && value !== null) return value;
  if (rule.ignoreDefaultForNullables && schema.optional) return null;
  return schema.default ?? null;
}

/**
 * The encoded number of a date, time or timestamp: days, milliseconds of a day, or milliseconds since 1970. Undefined for other
 * schemas.
 */
export function timeNumber(schema: Schema, value: unknown, path: Path): number | undefined {
  const { name } = schema;
  if (name === undefined) return undefined;
  if (name !== logicalTypes.date && name !== logicalTypes.time && name !== logicalTypes.timestamp) {
    return undefined;
  }
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) throw mismatch('a date', value, path);
  const ms = value.getTime();
  if (name === logicalTypes.timestamp) return ms;
  if (name === logicalTypes.date) {
    if (ms % DAY_MS !== 0) throw failedAt(path, 'a date may have no time of day');
    return ms / DAY_MS;
  }
  if (ms < 0 || ms >= DAY_MS) throw failedAt(path, 'a time must be within one day after 1970-01-01');
  return ms;
}

/** A value of a decimal schema. Throws if its scale differs. */
export function decimal(schema: Schema, value: unknown, path: Path): Decimal {
  const given = value as Partial<Decimal> | null;
  if (typeof given?.unscaled !== 'bigint' || typeof given.scale !== 'number')
    throw mismatch('decimal', value, path);
  const { unscaled, scale } = given;
  const wanted = scaleOf(schema, path);
  if (scale !== wanted) {
    throw failedAt(path, `the decimal has the scale ${scale}, its schema says ${wanted}`);
  }
  return { unscaled, scale };
}

/** The scale of a decimal schema. Throws if it is missing. */
export function scaleOf(schema: Schema, path: Path): number {
  const scale = Number(schema.parameters?.['scale'] ?? Number.NaN);
  if (!Number.isInteger(scale)) throw failedAt(path, 'the schema of a decimal needs the parameter "scale"');
  return scale;
}

export function isDecimal(schema: Schema): boolean {
  return schema.name === logicalTypes.decimal && schema.type === 'bytes';
}

/** The shortest two's complement, big-endian bytes of an integer: Java's `BigInteger.toByteArray`. */
export function integerBytes(value: bigint): Uint8Array {
  let size = 1;
  while (BigInt.asIntN(size * 8, value) !== value) size += 1;
  const hex = BigInt.asUintN(size * 8, value).toString(16);
  return Buffer.from(hex.padStart(size * 2, '0'), 'hex');
}

/** A decimal in plain notation, valid in JSON. */
export function decimalText({ unscaled, scale }: Decimal): string {
  if (scale <= 0) return scale === 0 ? String(unscaled) : `${unscaled}e${-scale}`;
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}
