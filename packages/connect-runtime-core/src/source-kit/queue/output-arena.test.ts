import { describe, expect, it } from 'vitest';
import { OutputArena } from './output-arena.ts';

/** Writes as many bytes of one value, if they fit. */
const fill =
  (value: number, size: number) =>
  (output: Uint8Array, at: number): number => {
    if (at + size > output.length) return -1;
    output.fill(value, at, at + size);
    return at + size;
  };

describe('OutputArena', () => {
  it('puts values after each other in one block while they fit', () => {
    const arena = new OutputArena();
    const values = [arena.write(fill(1, 10), 30), arena.write(fill(2, 20), 20)];
    expect(values.map((value) => [value?.length, value?.[0]])).toEqual([
      [10, 1],
      [20, 2],
    ]);
    expect(new Set(values.map((value) => value?.buffer)).size).toBe(1);
  });

  it('says of a value that fits into no block that it does not, and continues with the next one', () => {
    const arena = new OutputArena();
    const first = arena.write(fill(1, 10), 10);
    expect(arena.write(fill(2, 300_000), 10)).toBeUndefined();
    expect(arena.write(fill(2, 262_144), 10)).toHaveLength(262_144);
    const last = arena.write(fill(3, 10), 10);
    expect([first?.[9], last?.length, last?.[0]]).toEqual([1, 10, 3]);
    // The small block of the first value, the whole one of the second, and one for the last.
    expect(arena.take()).toHaveLength(3);
  });

  it('tries a whole block before it says so, although a small one was expected to do', () => {
    const arena = new OutputArena();
    expect(arena.write(fill(1, 200_000), 10)).toHaveLength(200_000);
  });

  it('leaves what is in it alone until it is given back, and then uses it again', () => {
    const arena = new OutputArena();
    arena.giveBack(arena.take());
    const first = arena.write(fill(1, 1000), 1000);
    const blocks = arena.take();
    const second = arena.write(fill(2, 1000), 1000);
    expect(first?.every((byte) => byte === 1)).toBe(true);
    arena.take();
    arena.giveBack(blocks);
    const third = arena.write(fill(3, 1000), 1000);
    expect(third?.buffer).toBe(first?.buffer);
    expect(second?.every((byte) => byte === 2)).toBe(true);
  });

  it('writes nothing when the writer throws, and continues after what was written', () => {
    const arena = new OutputArena();
    const first = arena.write(fill(1, 10), 100);
    const broken = () => {
      throw new Error('broken');
    };
    expect(() => arena.write(broken, 10)).toThrow('broken');
    const second = arena.write(fill(2, 10), 10);
    expect(second?.byteOffset).toBe((first?.byteOffset ?? 0) + 10);
  });
});
