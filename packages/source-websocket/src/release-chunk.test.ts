import { describe, expect, it } from 'vitest';
import { messageRecord, type WaitingRecord } from './record.ts';
import { releaseChunk } from './release-chunk.ts';

function recordOf(chunk: ArrayBuffer, at: number, length: number): WaitingRecord {
  return messageRecord(new Uint8Array(chunk, at, length), false, { topic: 't', receivedAt: 0 });
}

describe('releasing a chunk', () => {
  it('copies the few bytes that are kept of a large chunk', () => {
    const chunk = new ArrayBuffer(65_536);
    new Uint8Array(chunk).set([1, 2, 3, 4], 100);
    const records = [recordOf(chunk, 100, 2), recordOf(chunk, 102, 0), recordOf(chunk, 102, 2)];
    releaseChunk(records);
    expect(records.map((record) => [...record.value])).toEqual([[1, 2], [], [3, 4]]);
    expect(records.every((record) => record.value.buffer.byteLength === 4)).toBe(true);
  });

  it('leaves a chunk alone that is mostly kept, or small', () => {
    for (const [size, kept] of [
      [65_536, 40_000],
      [4096, 1],
    ] as const) {
      const chunk = new ArrayBuffer(size);
      const records = [recordOf(chunk, 0, kept)];
      releaseChunk(records);
      expect(records[0]?.value.buffer).toBe(chunk);
    }
    releaseChunk([]);
  });
});
