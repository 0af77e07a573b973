/** The word that is at most one mistyped, missing, additional or swapped letter away from `text`; undefined if none is. */
export function nearestWord<T extends string>(text: string, words: readonly T[]): T | undefined {
  const upper = text.toUpperCase();
  return words.find((word) => word !== upper && isOneSlipAway(word, upper));
}

function isOneSlipAway(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1 || one.length < 3) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const [a, b] = [one.slice(start), other.slice(start)];
  if (a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1)) return true;
  return a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
}
