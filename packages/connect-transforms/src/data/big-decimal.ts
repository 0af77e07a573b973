import type { Decimal } from '@levada/connect-runtime-core/contract';

/** Largest power of ten that is expanded. */
const MOST_DIGITS = 10_000;

/** Parses a text as Java's `BigDecimal` does. Undefined if it is not a number, or too long to expand. */
export function parseDecimal(text: string): Decimal | undefined {
  const [, sign = '', whole = '', point = '', fraction = '', power = '0'] =
    /^([+-]?)(\d*)(\.?)(\d*)(?:[eE]([+-]?\d{1,9}))?$/.exec(text) ?? [];
  if (whole === '' && fraction === '') return undefined;
  if (point === '' && fraction !== '') return undefined;
  const scale = fraction.length - Number(power);
  if (Math.abs(scale) > MOST_DIGITS || whole.length + fraction.length > MOST_DIGITS) return undefined;
  const unscaled = BigInt(whole + fraction);
  return { unscaled: sign === '-' ? -unscaled : unscaled, scale };
}

/** The integer part. */
export function wholePart({ unscaled, scale }: Decimal): bigint {
  return scale <= 0 ? unscaled * 10n ** BigInt(-scale) : unscaled / 10n ** BigInt(scale);
}

/** Whether the fraction is zero. */
export function isWhole({ unscaled, scale }: Decimal): boolean {
  return scale <= 0 || unscaled % 10n ** BigInt(scale) === 0n;
}

/** The nearest double. */
export function decimalNumber(decimal: Decimal): number {
  return Number(`${decimal.unscaled}e${-decimal.scale}`);
}

/** An int64 value: a number if that is exact. */
export function int64(value: bigint): number | bigint {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(value)
    : value;
}

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** Limits a value to 64 bits, as Java's conversions of floating point numbers and time units do. */
export function saturate(value: bigint): bigint {
  if (value < INT64_MIN) return INT64_MIN;
  return value > INT64_MAX ? INT64_MAX : value;
}
