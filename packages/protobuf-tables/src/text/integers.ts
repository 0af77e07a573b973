// Integers as decimal text, written directly as bytes. `q` is the position to write to. Each function returns the position after
// its output and may write a few bytes more; the caller provides the room. Bytes and view share their memory.

/** PAIRS[n]: the two digits of n, 0 <= n < 100, as one little-endian 16-bit value. */
const PAIRS = Uint16Array.from({ length: 100 }, (_, n) => 48 + ((n / 10) | 0) + ((48 + (n % 10)) << 8));
/** FOURS[n]: the four digits of n, 0 <= n < 10000, as one little-endian 32-bit value. */
const FOURS = Int32Array.from(
  { length: 10_000 },
  (_, n) => (PAIRS[(n / 100) | 0] as number) | ((PAIRS[n % 100] as number) << 16),
);

/** Exactly two digits: 0 <= n < 100. */
export function putPair(view: DataView, n: number, q: number): void {
  view.setUint16(q, PAIRS[n] as number, true);
}

/** Exactly four digits: 0 <= n < 10000. */
export function putFour(view: DataView, n: number, q: number): void {
  view.setInt32(q, FOURS[n] as number, true);
}

/** Writes n >>> 0, for -2^31 <= n < 2^31. Passing larger numbers between functions would allocate objects. */
export function putUint(view: DataView, n: number, q: number): number {
  if (n >= 0) {
    if (n < 10_000) return putUpToFour(view, n, q);
    if (n < 100_000_000) {
      const upper = (n / 10_000) | 0;
      const end = putUpToFour(view, upper, q);
      view.setInt32(end, FOURS[n - upper * 10_000] as number, true);
      return end + 4;
    }
  }
  const unsigned = n >>> 0;
  const top = (unsigned / 100_000_000) | 0;
  const rest = (unsigned - top * 100_000_000) | 0;
  const upper = (rest / 10_000) | 0;
  const end = putUpToFour(view, top, q);
  view.setInt32(end, FOURS[upper] as number, true);
  view.setInt32(end + 4, FOURS[rest - upper * 10_000] as number, true);
  return end + 8;
}

/** Without leading zeros, 0 <= n < 10000. */
function putUpToFour(view: DataView, n: number, q: number): number {
  if (n > 999) {
    view.setInt32(q, FOURS[n] as number, true);
    return q + 4;
  }
  const zeros = n > 99 ? 1 : n > 9 ? 2 : 3;
  view.setInt32(q, (FOURS[n] as number) >> (zeros << 3), true);
  return q + 4 - zeros;
}

/** -2^31 <= n < 2^31 */
export function putInt(view: DataView, n: number, q: number): number {
  if (n >= 0) return putUint(view, n, q);
  view.setUint8(q, 45);
  return putUint(view, -n | 0, q + 1);
}

/** Exactly nine digits: 0 <= n < 10^9. */
export function putNine(view: DataView, n: number, q: number): void {
  const upper = (n / 100_000) | 0;
  const lower = n - upper * 100_000;
  const middle = (lower / 10) | 0;
  view.setInt32(q, FOURS[upper] as number, true);
  view.setInt32(q + 4, FOURS[middle] as number, true);
  view.setUint8(q + 8, 48 + lower - middle * 10);
}
