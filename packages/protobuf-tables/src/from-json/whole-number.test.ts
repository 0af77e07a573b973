import { expect, it } from 'vitest';
import { BEYOND, FITS, NONE, wholeNumber } from './whole-number.ts';

/** The value without its sign, or the other result. */
function foundIn(text: string): bigint | number {
  const json = Buffer.from(`[${text}]`);
  const registers = { src: json, low: 0, high: 0 };
  const found = wholeNumber(registers, 1, json.length - 1);
  const { low, high } = registers;
  return found === FITS ? (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0) : found;
}

it.each([
  ['0', 0n],
  ['-0.0e-5', 0n],
  ['12', 12n],
  ['1.20e1', 12n],
  ['-120e-1', 12n],
  ['0.0012e4', 12n],
  ['1.02e2', 102n],
  ['18446744073709551615', 2n ** 64n - 1n],
  ['1844674407370955161.5e1', 2n ** 64n - 1n],
  ['18446744073709551616', BEYOND],
  ['99999999999999999999', BEYOND],
  ['1e20', BEYOND],
  ['-1e99999999999999999999', BEYOND],
  ['1e19', 10n ** 19n],
  ['0e99999999999999999999', 0n],
  ['1.5', NONE],
  ['15e-2', NONE],
  ['1e-99999999999999999999', NONE],
  ['123456789012345678901234567890.5', NONE],
  ['12345678901234567890123456789000e-2', BEYOND],
  [`1${'0'.repeat(1000)}e-1000`, 1n],
  [`0.${'0'.repeat(1000)}7e1001`, 7n],
  [`${'9'.repeat(1000)}e-1000`, NONE],
])('%s is read as %s', (text, value) => {
  expect(foundIn(text)).toBe(value);
});
