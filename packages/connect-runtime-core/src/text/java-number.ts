/**
 * A 64-bit floating point number as Java prints it (`Double.toString`): `1.0`, `0.001`, `1.0E7`. Connect's converters
 * write numbers this way, and readers compare bytes.
 */
export function javaDouble(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  const shortest = size.toExponential();
  // Java prints two digits at least, and of those two the closest: 4.9E-324, not 5.0E-324.
  const two = size.toExponential(1);
  return signOf(value) + javaDecimal(!shortest.includes('.') && Number(two) === size ? two : shortest);
}

/** A 32-bit floating point number as Java prints it (`Float.toString`): as few digits as distinguish it from its neighbours. */
export function javaFloat(value: number): string {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return String(single);
  const size = Math.abs(single);
  let digits = 1;
  while (digits < 9 && Math.fround(Number(size.toExponential(digits))) !== size) digits += 1;
  return signOf(single) + javaDecimal(halfEven(size, digits));
}

/** Rounded to this many digits after the first. Of two that are as close Java takes the even one, JavaScript the larger. */
function halfEven(size: number, digits: number): string {
  const rounded = size.toExponential(digits);
  const longer = size.toExponential(digits + 1);
  const isTie = longer.includes('5e') && Number(longer) === size;
  return isTie ? rounded.replace(/[13579](?=e)/, (digit) => String(Number(digit) - 1)) : rounded;
}

/**
 * A number as Java prints it, given its schema's type. Without one, a whole number is printed without a point: there is
 * only one kind of number here, and whole ones are mostly counts.
 */
export function numberText(type: string | undefined, value: number): string {
  if (type === 'float32') return javaFloat(value);
  return type !== 'float64' && Number.isSafeInteger(value) ? String(value) : javaDouble(value);
}

function signOf(value: number): string {
  return value < 0 || Object.is(value, -0) ? '-' : '';
}

/** `d.ddde±x` in Java's form: plain from 0.001 to below ten million, scientific otherwise. */
function javaDecimal(scientific: string): string {
  const [mantissa = '', power = '0'] = scientific.split('e');
  const exponent = Number(power);
  const digits = trimZeros(mantissa.replace('.', ''));
  if (exponent < -3 || exponent > 6) return `${digits[0]}.${digits.slice(1) || '0'}E${exponent}`;
  if (exponent < 0) return `0.${'0'.repeat(-exponent - 1)}${digits}`;
  const padded = digits.padEnd(exponent + 2, '0');
  return `${padded.slice(0, exponent + 1)}.${padded.slice(exponent + 1)}`;
}

function trimZeros(digits: string): string {
  let end = digits.length;
  while (end > 1 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}
