import type { Frame } from './frame.ts';

/** Chunks up to this size are not worth a copy. */
const SMALL_BYTES = 4096;

/**
 * Copies the payloads of frames out of the chunk that they arrived in, when they are less than half of it. Payloads are
 * views of what the socket read at once, up to 64 KiB: usually the queued frames fill it, but one short frame beside
 * dropped ones would keep all of it alive while it waits.
 */
export function releaseChunk(frames: readonly Frame[]): void {
  const [first] = frames;
  const last = frames.at(-1);
  if (first === undefined || last === undefined) return;
  const held = Math.max(first.data.buffer.byteLength, last.data.buffer.byteLength);
  if (held <= SMALL_BYTES) return;
  let used = 0;
  for (const frame of frames) used += frame.data.length;
  if (used * 2 >= held) return;
  const copy = new Uint8Array(used);
  let at = 0;
  for (const frame of frames) {
    copy.set(frame.data, at);
    frame.data = copy.subarray(at, at + frame.data.length);
    at += frame.data.length;
  }
}
