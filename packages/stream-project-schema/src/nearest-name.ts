import { editDistance } from './edit-distance.ts';

/** Longer words are no near miss of anything the format knows, and are not compared. */
const MAX_LENGTH = 64;

/**
 * The name that a misspelt one most likely means, or undefined when none is close. Case, "-" and "_" do not count, so
 * `maxPartitions` means `max_partitions`; otherwise a third of the letters may differ, at most three.
 */
export function nearestName(written: string, names: Iterable<string>): string | undefined {
  if (written.length > MAX_LENGTH) return undefined;
  const plain = normalised(written);
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    if (name === written || name.length > MAX_LENGTH) continue;
    const limit = Math.min((best?.distance ?? 4) - 1, allowance(plain.length));
    if (limit < 0) break;
    const distance = editDistance(plain, normalised(name), limit);
    if (distance <= limit) best = { name, distance };
  }
  return best?.name;
}

function normalised(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, '');
}

function allowance(length: number): number {
  return Math.min(3, Math.floor((length + 1) / 3));
}
