// 64-bit integers as decimal text from their two halves, without BigInt. integers.ts explains `q`.
import { putNine, putUint } from './integers.ts';

const BILLION = 1_000_000_000;

/** Writes high:low, each -2^31 .. 2^31 - 1, as an unsigned number: one double division, corrected by exact 32-bit arithmetic. */
export function putUint64(view: DataView, low: number, high: number, q: number): number {
  const upper = high >>> 0;
  const lower = low >>> 0;
  if (upper === 0) return putUint(view, low, q);
  let top = Math.floor((upper * 4294967296 + lower) / BILLION);
  let rest = (lower - Math.imul(top, BILLION)) | 0;
  if (rest < 0) {
    rest += BILLION;
    top--;
  } else if (rest >= BILLION) {
    rest -= BILLION;
    top++;
  }
  let end = q;
  if (top <= 0xffffffff) end = putUint(view, top | 0, q);
  else {
    const first = Math.floor(top / BILLION);
    end = putUint(view, first, q);
    putNine(view, top - first * BILLION, end);
    end += 9;
  }
  putNine(view, rest, end);
  return end + 9;
}

/** Writes high:low as a two's complement number. */
export function putInt64(view: DataView, low: number, high: number, q: number): number {
  if (high >= 0) return putUint64(view, low, high, q);
  view.setUint8(q, 45);
  const negated = -low | 0;
  return putUint64(view, negated, negated === 0 ? -high | 0 : ~high, q + 1);
}
