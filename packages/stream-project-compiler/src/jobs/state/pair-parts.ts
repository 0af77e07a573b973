/** Items of two lists that are each other's, and those that have no other. */
export interface Pairs<T> {
  readonly pairs: readonly (readonly [before: T, after: T])[];
  readonly removed: readonly T[];
  readonly added: readonly T[];
  /** Pairs whose place among the others is another one. */
  readonly moved: ReadonlySet<T>;
}

/** Pairs the items of two lists: by the first of these rules that holds, each item once. */
export function pairItems<T>(
  before: readonly T[],
  after: readonly T[],
  rules: readonly ((one: T, other: T) => boolean)[],
): Pairs<T> {
  const found = new Map<number, number>();
  const taken = new Set<number>();
  for (const isPair of rules) {
    before.forEach((one, index) => {
      if (found.has(index)) return;
      const at = after.findIndex((other, place) => !taken.has(place) && isPair(one, other));
      if (at < 0) return;
      found.set(index, at);
      taken.add(at);
    });
  }
  const ordered = [...found].sort(([one], [other]) => one - other);
  const inOrder = longestRise(ordered.map(([, at]) => at));
  return {
    pairs: ordered.map(([index, at]) => [before[index] as T, after[at] as T]),
    removed: before.filter((_, index) => !found.has(index)),
    added: after.filter((_, index) => !taken.has(index)),
    moved: new Set(ordered.flatMap(([, at]) => (inOrder.has(at) ? [] : (after[at] as T)))),
  };
}

/** The most numbers of a list that rise. */
function longestRise(numbers: readonly number[]): ReadonlySet<number> {
  if (numbers.every((number, index) => index === 0 || (numbers[index - 1] ?? 0) < number))
    return new Set(numbers);
  const lengths: number[] = [];
  const previous: number[] = [];
  let last = -1;
  numbers.forEach((number, index) => {
    let before = -1;
    for (let at = 0; at < index; at += 1) {
      const isLonger = (lengths[at] ?? 0) > (lengths[before] ?? 0);
      if ((numbers[at] ?? 0) < number && isLonger) before = at;
    }
    previous.push(before);
    lengths.push((lengths[before] ?? 0) + 1);
    if ((lengths[index] ?? 0) > (lengths[last] ?? 0)) last = index;
  });
  const found = new Set<number>();
  for (let at = last; at >= 0; at = previous[at] ?? -1) found.add(numbers[at] ?? 0);
  return found;
}
