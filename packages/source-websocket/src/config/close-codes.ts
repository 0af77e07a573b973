import type { Validator } from '@levada/connect-runtime-core/config';

/** Close codes as configured: single codes and ranges. */
export type CloseCodes = readonly (readonly [from: number, to: number])[];

/** Reads `1008` and `4000-4999`. Answers the ranges, or what is wrong. */
export function parseCloseCodes(texts: readonly string[]): CloseCodes | string {
  const ranges: (readonly [number, number])[] = [];
  for (const text of texts) {
    const match = /^(\d{4})(?:\s*-\s*(\d{4}))?$/.exec(text);
    const from = Number(match?.[1]);
    const to = Number(match?.[2] ?? match?.[1]);
    if (match === null || from < 1000 || from > to) {
      return `"${text}" is not a close code (1000 to 9999) or a range such as 4000-4999`;
    }
    ranges.push([from, to]);
  }
  return ranges;
}

/** Whether a code is one of them. */
export function includesCode(codes: CloseCodes, code: number): boolean {
  return codes.some(([from, to]) => code >= from && code <= to);
}

/** Rule of a list of close codes. */
export const closeCodes: Validator = {
  allowed: 'close codes and ranges, for example 1008,4000-4999',
  check: (value) => {
    const parsed = parseCloseCodes(Array.isArray(value) ? value : []);
    return typeof parsed === 'string' ? parsed : undefined;
  },
};
