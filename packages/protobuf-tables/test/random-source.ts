/** A seeded source of choices. It generates millions of cases, far faster than arbitraries do. */
export interface RandomSource {
  /** 32 random bits as an unsigned number. */
  bits(): number;
  /** An integer from 0 to `count - 1`. */
  below(count: number): number;
  /** True in `share` of the cases, 0 to 1. */
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** `list` in a random order. */
  shuffled<T>(list: readonly T[]): T[];
}

/** A source from a 32-bit seed (mulberry32). */
export function randomSource(seed: number): RandomSource {
  let state = seed | 0;
  const bits = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const below = (count: number): number => Math.floor((bits() / 4294967296) * count);
  return {
    bits,
    below,
    chance: (share) => bits() / 4294967296 < share,
    pick: (list) => list[below(list.length)] as (typeof list)[number],
    shuffled: (list) => {
      const result = [...list];
      for (let last = result.length - 1; last > 0; last -= 1) {
        const other = below(last + 1);
        [result[last], result[other]] = [result[other], result[last]] as [never, never];
      }
      return result;
    },
  };
}
