import type { WaitingRecord } from './record.ts';

/** Chunks up to this size are not worth a copy. */
const SMALL_BYTES = 4096;

/**
 * Copies the values of records out of the chunk that they arrived in, when they are less than half of it. Values are
 * views of what the socket read at once, up to 64 KiB: usually the queued records fill it, but one short record beside
 * dropped ones would keep all of it alive while it waits.
 */
export function releaseChunk(records: readonly WaitingRecord[]): void {
  const [first] = records;
  const last = records.at(-1);
  if (first === undefined || last === undefined) return;
  const held = Math.max(first.value.buffer.byteLength, last.value.buffer.byteLength);
  if (held <= SMALL_BYTES) return;
  let used = 0;
  for (const record of records) used += record.value.length;
  if (used * 2 >= held) return;
  const copy = new Uint8Array(used);
  let at = 0;
  for (const record of records) {
    copy.set(record.value, at);
    record.value = copy.subarray(at, at + record.value.length);
    at += record.value.length;
  }
}
