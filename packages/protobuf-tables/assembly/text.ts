// Strings and bytes as JSON text. Each function writes at q and returns the position after its output, or BAIL.

const BAIL: i32 = -1;
/** The base64 alphabet. */
const ALPHABET: usize = memory.data(64);

/** Call once, before any other function. */
export function beginText(): void {
  for (let n = 0; n < 64; n++) {
    const letter = n < 26 ? 65 + n : n < 52 ? 71 + n : n < 62 ? n - 4 : n === 62 ? 43 : 47;
    store<u8>(ALPHABET + n, letter);
  }
}

/** May write up to 15 bytes beyond the literal. */
export function literal(from: i32, size: i32, q: i32): i32 {
  for (let k = 0; k < size; k += 16) v128.store(q + k, v128.load(from + k));
  return q + size;
}

/** Writes a string, in steps of 16 bytes while they are printable ASCII without quotes and backslashes. */
export function text(i: i32, e: i32, q: i32, limit: i32): i32 {
  if (q + (e - i) > limit) return BAIL;
  store<u8>(q++, 34);
  for (;;) {
    const left = e - i;
    const x = v128.load(i);
    v128.store(q, x);
    // bytes above 127 are negative, so they are less than the space too
    let odd = i8x16.bitmask(
      v128.or(
        i8x16.lt_s(x, i8x16.splat(32)),
        v128.or(i8x16.eq(x, i8x16.splat(34)), i8x16.eq(x, i8x16.splat(92))),
      ),
    );
    if (left < 16) odd &= (1 << left) - 1;
    if (odd === 0) {
      if (left <= 16) {
        q += left;
        break;
      }
      i += 16;
      q += 16;
      continue;
    }
    const clean = ctz(odd);
    i += clean;
    q += clean;
    do {
      const byte: i32 = load<u8>(i);
      if (byte > 127) {
        const length = sequenceLength(i, e);
        if (length === 0) return BAIL;
        store<u32>(q, load<u32>(i));
        i += length;
        q += length;
      } else if (byte < 32 || byte === 34 || byte === 92) {
        q = writeEscaped(byte, q);
        i++;
      } else break;
      if (q + (e - i) > limit) return BAIL;
    } while (i < e);
  }
  store<u8>(q, 34);
  return q + 1;
}

function writeEscaped(byte: i32, q: i32): i32 {
  store<u8>(q, 92);
  let letter: i32 = 0;
  if (byte === 34 || byte === 92) letter = byte;
  else if (byte === 8) letter = 98;
  else if (byte === 9) letter = 116;
  else if (byte === 10) letter = 110;
  else if (byte === 12) letter = 102;
  else if (byte === 13) letter = 114;
  if (letter !== 0) {
    store<u8>(q + 1, letter);
    return q + 2;
  }
  const low = byte & 15;
  store<u32>(q + 1, 0x303075 | ((48 + (byte >> 4)) << 24));
  store<u8>(q + 5, low < 10 ? 48 + low : 87 + low);
  return q + 6;
}

/** Length of the non-ASCII character at k in bytes, or 0 if it is not valid UTF-8 (RFC 3629). */
function sequenceLength(k: i32, e: i32): i32 {
  const first: i32 = load<u8>(k);
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (first < 0xc2 || first > 0xf4 || k + length > e) return 0;
  const second: i32 = load<u8>(k + 1);
  if ((second & 0xc0) !== 0x80) return 0;
  if (length === 2) return 2;
  // overlong encodings, surrogates and code points above U+10FFFF are invalid
  if (first === 0xe0 && second < 0xa0) return 0;
  if (first === 0xed && second > 0x9f) return 0;
  if (first === 0xf0 && second < 0x90) return 0;
  if (first === 0xf4 && second > 0x8f) return 0;
  if ((load<u8>(k + 2) & 0xc0) !== 0x80) return 0;
  if (length === 4 && (load<u8>(k + 3) & 0xc0) !== 0x80) return 0;
  return length;
}

/** Writes an id in hexadecimal. Its length must be `expected` (8 or 16) or 0. */
export function hex(i: i32, n: i32, expected: i32, q: i32): i32 {
  if (n !== expected && n !== 0) return BAIL;
  store<u8>(q++, 34);
  const x = v128.load(i);
  const digits = i8x16(48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 97, 98, 99, 100, 101, 102);
  const high = i8x16.swizzle(digits, i8x16.shr_u(x, 4));
  const low = i8x16.swizzle(digits, v128.and(x, i8x16.splat(15)));
  v128.store(q, i8x16.shuffle(high, low, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23));
  v128.store(q + 16, i8x16.shuffle(high, low, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31));
  q += n * 2;
  store<u8>(q, 34);
  return q + 1;
}

export function base64(i: i32, e: i32, q: i32, limit: i32): i32 {
  if (q + (e - i) * 2 > limit) return BAIL;
  store<u8>(q++, 34);
  for (; i < e; i += 3, q += 4) {
    const left = e - i;
    const second: u32 = left > 1 ? load<u8>(i + 1) : 0;
    const third: u32 = left > 2 ? load<u8>(i + 2) : 0;
    const x: u32 = ((<u32>load<u8>(i)) << 16) | (second << 8) | third;
    store<u8>(q, load<u8>(ALPHABET + (x >>> 18)));
    store<u8>(q + 1, load<u8>(ALPHABET + ((x >>> 12) & 63)));
    store<u8>(q + 2, left > 1 ? load<u8>(ALPHABET + ((x >>> 6) & 63)) : 61);
    store<u8>(q + 3, left > 2 ? load<u8>(ALPHABET + (x & 63)) : 61);
  }
  store<u8>(q, 34);
  return q + 1;
}
