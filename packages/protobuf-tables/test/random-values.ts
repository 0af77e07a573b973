import { ScalarType } from '@bufbuild/protobuf';
import type { RandomSource } from './random-source.ts';
import {
  append,
  type Bytes,
  I32,
  I64,
  LEN,
  putDouble,
  putFixed32,
  putFixed64,
  putFloat,
  putVarint,
  VARINT,
  varintSize,
} from './wire-bytes.ts';

const WIRE_TYPES: Partial<Record<ScalarType, number>> = {
  [ScalarType.STRING]: LEN,
  [ScalarType.BYTES]: LEN,
  [ScalarType.FIXED32]: I32,
  [ScalarType.SFIXED32]: I32,
  [ScalarType.FLOAT]: I32,
  [ScalarType.FIXED64]: I64,
  [ScalarType.SFIXED64]: I64,
  [ScalarType.DOUBLE]: I64,
};

/** How a value of a scalar type travels. */
export function wireTypeOf(type: ScalarType): number {
  return WIRE_TYPES[type] ?? VARINT;
}

/** Legal but unusual encodings of one value. */
export interface ValueWays {
  /** Varints longer than necessary, and 32-bit ones with more than 32 bits. */
  readonly longVarints: boolean;
  /** Text that is not UTF-8. */
  readonly invalidText: boolean;
}

/** A random value of a scalar type, without its tag. */
export function putRandomScalar(out: Bytes, type: ScalarType, random: RandomSource, ways: ValueWays): void {
  PUT[type](out, random, ways);
}

type Put = (out: Bytes, random: RandomSource, ways: ValueWays) => void;

const putInt32: Put = (out, random, ways) =>
  putPadded(out, wrapInt32(randomInt32(random), random, ways), random, ways);
const putInt64: Put = (out, random, ways) => putPadded(out, randomInt64(random), random, ways);
const putFixedInt32: Put = (out, random) => putFixed32(out, randomInt32(random));
const putFixedInt64: Put = (out, random) => putFixed64(out, randomInt64(random));

const PUT: Readonly<Record<ScalarType, Put>> = {
  [ScalarType.STRING]: (out, random, ways) => {
    const invalid = ways.invalidText && random.chance(0.3);
    putText(out, invalid ? invalidText(random) : randomText(random), random, ways);
  },
  [ScalarType.BYTES]: (out, random, ways) => putText(out, randomBytes(random), random, ways),
  [ScalarType.BOOL]: (out, random, ways) => putPadded(out, random.below(2), random, ways),
  [ScalarType.INT32]: putInt32,
  [ScalarType.UINT32]: (out, random, ways) => putPadded(out, randomInt32(random) >>> 0, random, ways),
  [ScalarType.SINT32]: (out, random, ways) => {
    const value = randomInt32(random);
    putPadded(out, ((value << 1) ^ (value >> 31)) >>> 0, random, ways);
  },
  [ScalarType.FIXED32]: putFixedInt32,
  [ScalarType.SFIXED32]: putFixedInt32,
  [ScalarType.INT64]: putInt64,
  [ScalarType.UINT64]: putInt64,
  [ScalarType.SINT64]: (out, random, ways) => {
    const value = randomInt64(random);
    putPadded(out, (value << 1n) ^ (value >> 63n), random, ways);
  },
  [ScalarType.FIXED64]: putFixedInt64,
  [ScalarType.SFIXED64]: putFixedInt64,
  [ScalarType.FLOAT]: (out, random) => randomFloat(out, random),
  [ScalarType.DOUBLE]: (out, random) => randomDouble(out, random),
};

/**
 * A 32-bit value as servers write it: a negative one is extended to 64 bits. In unusual encodings it ends at the 32nd bit or has
 * random bits above.
 */
function wrapInt32(value: number, random: RandomSource, ways: ValueWays): bigint | number {
  if (ways.longVarints && random.chance(0.3)) return (BigInt(random.bits()) << 32n) | BigInt(value >>> 0);
  return ways.longVarints && random.chance(0.3) ? value >>> 0 : value;
}

/** An enum's number, encoded like an int32. */
export function putEnumNumber(out: Bytes, value: number, random: RandomSource, ways: ValueWays): void {
  putPadded(out, wrapInt32(value, random, ways), random, ways);
}

export function putPadded(out: Bytes, value: bigint | number, random: RandomSource, ways: ValueWays): void {
  const padding = ways.longVarints && random.chance(0.4) ? random.below(11 - varintSize(value)) : 0;
  putVarint(out, value, padding);
}

/** Writes the length, then the bytes. */
export function putText(out: Bytes, bytes: ArrayLike<number>, random: RandomSource, ways: ValueWays): void {
  const padding = ways.longVarints && random.chance(0.3) ? random.below(6 - varintSize(bytes.length)) : 0;
  putVarint(out, bytes.length, padding);
  append(out, bytes);
}

const INT32_EDGES = [
  0, 0, 1, -1, 9, 10, 99, 100, 127, 128, 255, 256, 16_383, 16_384, 2147483647, -2147483648, -128,
];

export function randomInt32(random: RandomSource): number {
  if (random.chance(0.3)) return random.pick(INT32_EDGES);
  if (random.chance(0.2)) return (10 ** random.below(10) + random.below(3) - 1) | 0;
  return ((random.bits() >>> random.below(32)) * (random.chance(0.3) ? -1 : 1)) | 0;
}

const INT64_EDGES = [
  0n,
  0n,
  1n,
  -1n,
  2n ** 31n,
  2n ** 32n - 1n,
  2n ** 32n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
  1n - 2n ** 53n,
  -(2n ** 53n),
  2n ** 63n - 1n,
  -(2n ** 63n),
  -(2n ** 63n) + 1n,
];

export function randomInt64(random: RandomSource): bigint {
  if (random.chance(0.3)) return random.pick(INT64_EDGES);
  const sign = random.chance(0.3) ? -1n : 1n;
  if (random.chance(0.2))
    return BigInt.asIntN(64, sign * (10n ** BigInt(random.below(20)) + BigInt(random.below(3) - 1)));
  const wide = (BigInt(random.bits()) << 32n) | BigInt(random.bits());
  return BigInt.asIntN(64, sign * (wide >> BigInt(random.below(64))));
}

const REAL_EDGES = [
  0,
  -0,
  1,
  -1,
  0.5,
  0.1,
  -0.1,
  1e21,
  1e-7,
  1e-6,
  123456789.125,
  100000,
  16777216,
  16777217,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
];
const DOUBLE_EDGES = [
  ...REAL_EDGES,
  Number.MAX_VALUE,
  Number.MIN_VALUE,
  -Number.MIN_VALUE,
  2.2250738585072014e-308,
  2.225073858507201e-308,
  2 ** 53,
  2 ** 31,
  -(2 ** 31),
  2 ** 32,
  2 ** 63,
  0.30000000000000004,
  4.35,
  1.005,
  999999999999999900000,
  5e-324,
];
const FLOAT_EDGES = [
  ...REAL_EDGES,
  3.4028234663852886e38,
  1.401298464324817e-45,
  1.1754943508222875e-38,
  2 ** -44,
  8388608.5,
];

function randomDecimal(random: RandomSource): number {
  return ((random.bits() >>> random.below(32)) * (random.chance(0.3) ? -1 : 1)) / 10 ** random.below(9);
}

function randomFloat(out: Bytes, random: RandomSource): void {
  const kind = random.below(3);
  if (kind === 0) putFloat(out, random.pick(FLOAT_EDGES));
  else if (kind === 1) putFloat(out, randomDecimal(random));
  else putFixed32(out, random.bits());
}

function randomDouble(out: Bytes, random: RandomSource): void {
  const kind = random.below(4);
  if (kind === 0) putDouble(out, random.pick(DOUBLE_EDGES));
  else if (kind === 1) putDouble(out, randomDecimal(random));
  else if (kind === 2) putDouble(out, Math.fround(randomDecimal(random)));
  else putFixed64(out, (BigInt(random.bits()) << 32n) | BigInt(random.bits()));
}

/** A double that JSON numbers can hold. */
export function putFiniteDouble(out: Bytes, random: RandomSource): void {
  putDouble(
    out,
    random.chance(0.3) ? random.pick(DOUBLE_EDGES.filter(Number.isFinite)) : randomDecimal(random),
  );
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:<>&';
const SPECIAL = Array.from(
  '"\\/\b\f\n\r\t\u0000\u0001\u001f\u007f\u0080\u07ff\u0800\u2028\u2029\ufeff\ufffd\ufffe\uffff\ud7ff\ue000',
);
const ASTRAL = ['😀', '\u{10000}', '\u{10ffff}', '👩‍👩‍👧', 'é', 'ß', '漢', '字', 'ж'];
const encoder = new TextEncoder();

/** Valid text: mostly ASCII, with lengths around the limits where implementations switch algorithms. */
export function randomText(random: RandomSource): Uint8Array {
  return encoder.encode(randomString(random));
}

function randomString(random: RandomSource): string {
  const length = random.chance(0.05) ? random.below(400) : random.below(random.chance(0.3) ? 70 : 12);
  const oddShare = random.pick([0, 0, 0.02, 0.1, 0.6]);
  let text = '';
  for (let at = 0; at < length; at += 1) {
    if (!random.chance(oddShare)) text += LETTERS[random.below(LETTERS.length)];
    else text += random.pick(random.chance(0.5) ? SPECIAL : ASTRAL);
  }
  return text;
}

/** Array indexes, which objects sort, and texts similar to them. */
const INDEX_LIKE =
  '0 1 7 9 10 007 07 00 9.7 10.5 1.0 1. .5 -1 -0 +1 1e3 1e21 0x10 0b1 1_0 10n NaN Infinity 2147483648 4294967294 4294967295 4294967296 9999999999 12345678901'.split(
    ' ',
  );

/** The key of a map entry: any scalar, and text that often looks like an array index. */
export function putRandomKey(out: Bytes, type: ScalarType, random: RandomSource, ways: ValueWays): void {
  if (type !== ScalarType.STRING || random.chance(0.6)) putRandomScalar(out, type, random, ways);
  else putText(out, encoder.encode(random.pick(INDEX_LIKE)), random, ways);
}

/** Text with a byte sequence that UTF-8 does not have. */
function invalidText(random: RandomSource): Uint8Array {
  const wrong = random.pick([
    [0x80],
    [0xc3],
    [0xe2, 0x82],
    [0xf0, 0x9f, 0x98],
    [0xc0, 0x80],
    [0xe0, 0x80, 0xaf],
    [0xed, 0xa0, 0x80],
    [0xed, 0xbf, 0xbf],
    [0xf4, 0x90, 0x80, 0x80],
    [0xf8, 0x88, 0x80, 0x80, 0x80],
    [0xff],
    [0xfe, 0xff],
    [random.below(128) + 128, random.below(256)],
  ]);
  return Uint8Array.from([...randomText(random), ...wrong, ...randomText(random)]);
}

function randomBytes(random: RandomSource): Uint8Array {
  const length = random.chance(0.05) ? random.below(300) : random.below(20);
  return Uint8Array.from({ length }, () => random.bits());
}
