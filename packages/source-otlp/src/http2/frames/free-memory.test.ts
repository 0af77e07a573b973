import { describe, expect, it } from 'vitest';
import { freeMemory } from './free-memory.ts';

describe('freeMemory', () => {
  it('freeMemory frees memory that only these bytes use', () => {
    const bytes = Buffer.allocUnsafeSlow(65_536);
    freeMemory(bytes);
    expect([bytes.length, bytes.buffer.byteLength]).toEqual([0, 0]);
  });

  it.each([
    ['a part of what lies there', Buffer.allocUnsafeSlow(65_536).subarray(0, 32_768)],
    ['another part of it', Buffer.allocUnsafeSlow(65_536).subarray(32_768)],
    ['few bytes', Buffer.allocUnsafeSlow(100)],
    ['shared memory', new Uint8Array(new SharedArrayBuffer(65_536))],
  ])('freeMemory leaves %s alone', (_, bytes) => {
    const { length } = bytes;
    freeMemory(bytes);
    expect(bytes).toHaveLength(length);
  });
});
