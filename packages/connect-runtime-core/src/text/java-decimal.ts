/** An exact decimal number, as the contract's `Decimal`. */
interface DecimalParts {
  readonly unscaled: bigint;
  readonly scale: number;
}

/** Whether a value is a decimal, and not a map or struct. */
export function isDecimal(value: unknown): value is DecimalParts {
  if (typeof value !== 'object' || value === null) return false;
  const { unscaled, scale } = value as Partial<DecimalParts>;
  return typeof unscaled === 'bigint' && typeof scale === 'number';
}

/** As Java's `BigDecimal.toString` prints it: plain, or with an exponent when it is very small or has a negative scale. */
export function decimalText({ unscaled, scale }: DecimalParts): string {
  const sign = unscaled < 0n ? '-' : '';
  const digits = String(unscaled < 0n ? -unscaled : unscaled);
  if (scale === 0) return sign + digits;
  const exponent = digits.length - 1 - scale;
  if (scale > 0 && exponent >= -6) {
    const padded = digits.padStart(scale + 1, '0');
    return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
  }
  const mantissa = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits;
  return exponent === 0 ? sign + mantissa : `${sign}${mantissa}E${exponent > 0 ? '+' : ''}${exponent}`;
}

/** The bytes of a whole number as Java's `BigInteger.toByteArray` gives them: two's complement, as few as possible, highest first. */
export function integerBytes(value: bigint): Uint8Array {
  let width = 8;
  while (BigInt.asIntN(width, value) !== value) width += 8;
  const hex = BigInt.asUintN(width, value)
    .toString(16)
    .padStart(width / 4, '0');
  return Uint8Array.from({ length: width / 8 }, (_, index) =>
    Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16),
  );
}
