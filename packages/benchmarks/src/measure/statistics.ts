/** The middle of several values, and how far they lie apart. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** The median, and the least and greatest value. Throws for no values. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (min === undefined || max === undefined) throw new Error('nothing was measured');
  const upper = sorted[sorted.length >> 1] ?? min;
  const lower = sorted[(sorted.length - 1) >> 1] ?? min;
  return { median: (upper + lower) / 2, min, max };
}

/** The value below which this share of them lies, 0.99 for p99; 0 without values. Sorts in place. */
export function quantile(values: Float64Array, share: number): number {
  values.sort();
  return values[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
}
