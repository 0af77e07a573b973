import type { Spread } from '../measure/statistics.ts';

/** A number with three significant digits, in thousands from 10,000 and millions from 1,000,000 on. What is infinite was never seen: none. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return 'none';
  const size = Math.abs(value);
  if (size >= 999_500) return `${(value / 1e6).toFixed(size < 9_995_000 ? 2 : 1)}M`;
  if (size >= 10_000) return `${(value / 1000).toFixed(size < 100_000 ? 1 : 0)}k`;
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

/** The median, and the least and the greatest value. */
export function spread({ median, min, max }: Spread): string {
  return `${figure(median)} (${figure(min)} to ${figure(max)})`;
}

/** A share in percent; less than half a record in a million is none. */
export function percent(share: number): string {
  if (Math.abs(share) < 5e-7) return 'none';
  return `${(share * 100).toFixed(Math.abs(share) < 0.1 ? 2 : 0)} %`;
}

/** A ratio. */
export function times(ratio: number): string {
  return Number.isFinite(ratio) ? `${ratio.toFixed(2)}x` : '';
}
