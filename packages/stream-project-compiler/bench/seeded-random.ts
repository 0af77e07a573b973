/** Numbers that look random and are the same for every run with one seed. */
export interface Random {
  /** A whole number from 0 up to, not including, `below`. */
  readonly below: (below: number) => number;
  /** An element of a list that is not empty. */
  readonly pick: <T>(list: readonly T[]) => T;
}

/** The generator "mulberry32": fast, 32 bits of state, good enough to spread things. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return {
    below,
    pick: (list) => {
      const found = list[below(list.length)];
      if (found === undefined) throw new Error('the list to pick from is empty');
      return found;
    },
  };
}
