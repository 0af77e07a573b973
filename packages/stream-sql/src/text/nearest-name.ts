const MAX_DISTANCE = 3;

/** A longer word is not compared: no name of the format is nearly as long. */
const MAX_LENGTH = 64;

/**
 * The name that a misspelt one most likely means, or undefined if none is close. Case, "-" and "_" do not count: `maxPartitions`
 * means `max_partitions`. Otherwise at most a third of the letters of the longer name may differ, at most half of the shorter
 * one, and at most three.
 */
export function nearestName(written: string, names: Iterable<string>): string | undefined {
  if (written.length > MAX_LENGTH) return undefined;
  const plain = normalise(written);
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    if (name === written || name.length > MAX_LENGTH) continue;
    if (best?.distance === 0) break;
    const other = normalise(name);
    const limit = Math.min(
      (best?.distance ?? MAX_DISTANCE + 1) - 1,
      computeAllowance(plain.length, other.length),
    );
    const distance = editDistance(plain, other, limit);
    if (distance <= limit) best = { name, distance };
  }
  return best?.name;
}

function normalise(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, '');
}

function computeAllowance(one: number, other: number): number {
  const [shorter, longer] = one < other ? [one, other] : [other, one];
  return Math.min(MAX_DISTANCE, Math.floor((longer + 1) / 3), Math.floor(shorter / 2));
}

/** Insertions, deletions, changes and swaps of neighbours between two texts; at most `limit + 1`. */
export function editDistance(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) > limit) return limit + 1;
  const width = to.length + 1;
  let [beforeLast, last, next] = [new Uint16Array(width), new Uint16Array(width), new Uint16Array(width)];
  for (let column = 0; column < width; column += 1) last[column] = column;
  let leastOfLast = 0;
  for (let row = 1; row <= from.length; row += 1) {
    const least = fillRow({ from, to, row, beforeLast, last, next });
    // Later rows build on these two, and their numbers never shrink
    if (least > limit && leastOfLast > limit) return limit + 1;
    leastOfLast = least;
    [beforeLast, last, next] = [last, next, beforeLast];
  }
  return Math.min(last[to.length] ?? 0, limit + 1);
}

/** One row of the distance table, and the two rows above it. */
interface Row {
  readonly from: string;
  readonly to: string;
  readonly row: number;
  readonly beforeLast: Uint16Array;
  readonly last: Uint16Array;
  readonly next: Uint16Array;
}

/** Fills a row and returns its smallest number. */
function fillRow({ from, to, row, beforeLast, last, next }: Row): number {
  next[0] = row;
  let least = row;
  const letter = from.charCodeAt(row - 1);
  const letterBefore = row > 1 ? from.charCodeAt(row - 2) : -1;
  for (let column = 1; column <= to.length; column += 1) {
    const other = to.charCodeAt(column - 1);
    let best = (last[column - 1] ?? 0) + (letter === other ? 0 : 1);
    best = Math.min(best, (last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1);
    if (column > 1 && other === letterBefore && to.charCodeAt(column - 2) === letter) {
      best = Math.min(best, (beforeLast[column - 2] ?? 0) + 1);
    }
    next[column] = best;
    least = Math.min(least, best);
  }
  return least;
}
