import type { Reading } from './reading.ts';

const NULL = 0x6c6c756e; // as a little-endian word

export const NULL_BYTES = 4;

/** Whether null is at `pos`. */
export function isNull(s: Reading): boolean {
  return s.src[s.pos] === 110 && s.from.getInt32(s.pos, true) === NULL;
}
