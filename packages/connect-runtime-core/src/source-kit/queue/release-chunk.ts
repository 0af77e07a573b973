/** Something that waits in a queue and whose bytes may be exchanged for an equal copy meanwhile. */
export interface HeldBytes {
  value: Uint8Array;
}

/** Chunks up to this size are not worth a copy. */
const SMALL_BYTES = 4096;

/**
 * Copies the values of items out of the chunk that they arrived in, when they are less than half of it. Values are
 * views of what the socket read at once, up to 64 KiB: usually the queued items fill it, but one short item beside
 * dropped ones would keep all of it alive while it waits.
 */
export function releaseChunk(items: readonly HeldBytes[]): void {
  const [first] = items;
  const last = items.at(-1);
  if (first === undefined || last === undefined) return;
  const held = Math.max(first.value.buffer.byteLength, last.value.buffer.byteLength);
  if (held <= SMALL_BYTES) return;
  let used = 0;
  for (const item of items) used += item.value.length;
  if (used * 2 >= held) return;
  const copy = new Uint8Array(used);
  let at = 0;
  for (const item of items) {
    copy.set(item.value, at);
    item.value = copy.subarray(at, at + item.value.length);
    at += item.value.length;
  }
}
