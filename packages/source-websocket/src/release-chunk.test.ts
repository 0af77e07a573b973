import { describe, expect, it } from 'vitest';
import type { Frame } from './frame.ts';
import { releaseChunk } from './release-chunk.ts';

function frameOf(chunk: ArrayBuffer, at: number, length: number): Frame {
  return { data: new Uint8Array(chunk, at, length), binary: false, topic: 't', receivedAt: 0 };
}

describe('releasing a chunk', () => {
  it('copies the few bytes that are kept of a large chunk', () => {
    const chunk = new ArrayBuffer(65_536);
    new Uint8Array(chunk).set([1, 2, 3, 4], 100);
    const frames = [frameOf(chunk, 100, 2), frameOf(chunk, 102, 0), frameOf(chunk, 102, 2)];
    releaseChunk(frames);
    expect(frames.map((frame) => [...frame.data])).toEqual([[1, 2], [], [3, 4]]);
    expect(frames.every((frame) => frame.data.buffer.byteLength === 4)).toBe(true);
  });

  it('leaves a chunk alone that is mostly kept, or small', () => {
    for (const [size, kept] of [
      [65_536, 40_000],
      [4096, 1],
    ] as const) {
      const chunk = new ArrayBuffer(size);
      const frames = [frameOf(chunk, 0, kept)];
      releaseChunk(frames);
      expect(frames[0]?.data.buffer).toBe(chunk);
    }
    releaseChunk([]);
  });
});
