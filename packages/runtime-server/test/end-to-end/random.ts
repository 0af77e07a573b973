/** Pseudo-random integers from `least` to `most`; the same ones for the same seed (mulberry32). */
export function randomIntegers(seed: number): (least: number, most: number) => number {
  let state = seed;
  return (least, most) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    const fraction = ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    return least + Math.floor(fraction * (most - least + 1));
  };
}
