import { editDistance } from './edit-distance.ts';

const MAX_DISTANCE = 3;

/** Longer words are no near miss of anything the format knows, and are not compared. */
const MAX_LENGTH = 64;

/**
 * The name that a misspelt one most likely means, or undefined when none is close. Case, "-" and "_" do not count, so
 * `maxPartitions` means `max_partitions`; otherwise a third of the letters of the longer name may differ, but not more than half
 * of the shorter one, and at most three.
 */
export function nearestName(written: string, names: Iterable<string>): string | undefined {
  if (written.length > MAX_LENGTH) return undefined;
  const plain = normalised(written);
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    if (name === written || name.length > MAX_LENGTH) continue;
    if (best?.distance === 0) break;
    const other = normalised(name);
    const limit = Math.min((best?.distance ?? MAX_DISTANCE + 1) - 1, allowance(plain.length, other.length));
    const distance = editDistance(plain, other, limit);
    if (distance <= limit) best = { name, distance };
  }
  return best?.name;
}

function normalised(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, '');
}

function allowance(one: number, other: number): number {
  const [shorter, longer] = one < other ? [one, other] : [other, one];
  return Math.min(MAX_DISTANCE, Math.floor((longer + 1) / 3), Math.floor(shorter / 2));
}
