import { describe, expect, it } from 'vitest';
import { type HeldBytes, releaseChunk } from './release-chunk.ts';

function itemOf(chunk: ArrayBuffer, at: number, length: number): HeldBytes {
  return { value: new Uint8Array(chunk, at, length) };
}

describe('releasing a chunk', () => {
  it('copies the few bytes that are kept of a large chunk', () => {
    const chunk = new ArrayBuffer(65_536);
    new Uint8Array(chunk).set([1, 2, 3, 4], 100);
    const items = [itemOf(chunk, 100, 2), itemOf(chunk, 102, 0), itemOf(chunk, 102, 2)];
    releaseChunk(items);
    expect(items.map((item) => [...item.value])).toEqual([[1, 2], [], [3, 4]]);
    expect(items.every((item) => item.value.buffer.byteLength === 4)).toBe(true);
  });

  it('leaves a chunk alone that is mostly kept, or small', () => {
    for (const [size, kept] of [
      [65_536, 40_000],
      [4096, 1],
    ] as const) {
      const chunk = new ArrayBuffer(size);
      const items = [itemOf(chunk, 0, kept)];
      releaseChunk(items);
      expect(items[0]?.value.buffer).toBe(chunk);
    }
    releaseChunk([]);
  });
});
