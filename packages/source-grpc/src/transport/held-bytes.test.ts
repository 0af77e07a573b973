import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HeldBytes } from './held-bytes.ts';

/** Takes everything, block by block. */
function takeAll(held: HeldBytes): readonly Buffer[] {
  const blocks: Buffer[] = [];
  while (held.length > 0) {
    blocks.push(held.peek());
    held.drop(held.peek().length);
  }
  return blocks;
}

describe('HeldBytes', () => {
  it('gives back what it was given, and leaves alone what was taken', () => {
    const steps = fc.array(
      fc.oneof(
        fc.record({ append: fc.oneof(fc.nat(100), fc.nat(20_000), fc.nat(200_000)) }),
        fc.record({ drop: fc.double({ min: 0, max: 1, noNaN: true }) }),
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(steps, (script) => {
        const held = new HeldBytes();
        const expected: number[] = [];
        const taken: { readonly view: Buffer; readonly copy: Buffer }[] = [];
        let next = 0;
        for (const step of script) {
          if ('append' in step) {
            const bytes = Array.from({ length: step.append }, () => (next = (next + 7) % 251));
            held.append(Buffer.from(bytes));
            for (const byte of bytes) expected.push(byte);
          } else {
            const view = held.peek().subarray(0, Math.floor(step.drop * held.peek().length));
            taken.push({ view, copy: Buffer.from(view) });
            held.drop(view.length);
            expected.splice(0, view.length);
          }
        }
        expect(held.length).toBe(expected.length);
        expect(Buffer.concat(takeAll(held)).equals(Buffer.from(expected))).toBe(true);
        for (const { view, copy } of taken) expect(view.equals(copy)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('holds single bytes in few blocks, which are full but for the last', () => {
    const held = new HeldBytes();
    for (let index = 0; index < 1_000_000; index += 1) held.append(Buffer.from([index % 256]));
    expect(held.length).toBe(1_000_000);
    const blocks = takeAll(held);
    expect(blocks.length).toBeLessThan(10);
    for (const block of blocks.slice(0, -1)) expect(block.buffer.byteLength).toBe(block.length);
  });

  it('keeps nothing once it is empty', () => {
    const held = new HeldBytes();
    held.append(Buffer.alloc(1_000_000));
    takeAll(held);
    expect([held.length, held.peek().buffer.byteLength]).toEqual([0, 0]);
  });
});
