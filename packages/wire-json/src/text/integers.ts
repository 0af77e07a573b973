// Integers as decimal text, straight into bytes. `q` is where to write; each function returns the position behind what
// it wrote, and may touch a few bytes more. The caller has made room. Bytes and view are of the same memory.

/** PAIRS[n]: the two digits of n, 0 <= n < 100, as one little-endian 16-bit value. */
const PAIRS = Uint16Array.from({ length: 100 }, (_, n) => 48 + ((n / 10) | 0) + ((48 + (n % 10)) << 8));

/** Exactly two digits: 0 <= n < 100. */
export function putPair(view: DataView, n: number, q: number): void {
  view.setUint16(q, PAIRS[n] as number, true);
}

/** 0 <= n < 2^32 */
export function putUint(out: Uint8Array, view: DataView, n: number, q: number): number {
  if (n < 10) {
    out[q] = 48 + n;
    return q + 1;
  }
  if (n < 100) {
    view.setUint16(q, PAIRS[n] as number, true);
    return q + 2;
  }
  const end = q + digitsOf(n);
  let rest = n;
  let e = end;
  if (rest > 0x7fffffff) {
    const tens = Math.floor(rest / 100);
    e -= 2;
    view.setUint16(e, PAIRS[rest - tens * 100] as number, true);
    rest = tens;
  }
  rest |= 0;
  while (rest >= 100) {
    const tens = (rest / 100) | 0;
    e -= 2;
    view.setUint16(e, PAIRS[rest - tens * 100] as number, true);
    rest = tens;
  }
  if (rest >= 10) view.setUint16(e - 2, PAIRS[rest] as number, true);
  else out[e - 1] = 48 + rest;
  return end;
}

/** How many digits n has: 100 <= n < 2^32. */
function digitsOf(n: number): number {
  if (n < 10_000) return n < 1000 ? 3 : 4;
  if (n < 1e6) return n < 1e5 ? 5 : 6;
  if (n < 1e8) return n < 1e7 ? 7 : 8;
  return n < 1e9 ? 9 : 10;
}

/** -2^31 <= n < 2^31 */
export function putInt(out: Uint8Array, view: DataView, n: number, q: number): number {
  if (n >= 0) return putUint(out, view, n, q);
  out[q] = 45;
  return putUint(out, view, -n, q + 1);
}

/** Exactly nine digits: 0 <= n < 10^9. */
export function putNine(out: Uint8Array, view: DataView, n: number, q: number): number {
  const upper = (n / 100_000) | 0;
  const lower = n - upper * 100_000;
  const upperTop = (upper / 100) | 0;
  const lowerTop = (lower / 1000) | 0;
  const last = lower - lowerTop * 1000;
  const lastTop = (last / 10) | 0;
  view.setUint16(q, PAIRS[upperTop] as number, true);
  view.setUint16(q + 2, PAIRS[upper - upperTop * 100] as number, true);
  view.setUint16(q + 4, PAIRS[lowerTop] as number, true);
  view.setUint16(q + 6, PAIRS[lastTop] as number, true);
  out[q + 8] = 48 + last - lastTop * 10;
  return q + 9;
}
