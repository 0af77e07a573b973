import { skip, tagAt } from './reader.ts';
import { run } from './run.ts';

/** Where the value of the last field with this tag is, in a message whose bytes are those of all ranges; -1 if nowhere. */
export function lastField(wanted: number, ranges: readonly number[], depth: number): number {
  let found = -1;
  eachField(ranges, depth, (tag, from) => {
    if (tag === wanted) found = from;
  });
  return found;
}

/** Tells of each field the tag and where its value is. */
export function eachField(
  ranges: readonly number[],
  depth: number,
  tell: (tag: number, from: number) => void,
): void {
  for (let k = 0; k < ranges.length; k += 2) {
    const end = ranges[k + 1] as number;
    for (let at = ranges[k] as number; at < end; at = run.pos) {
      const tag = tagAt(at, end);
      const from = run.pos;
      skip(tag, from, end, depth);
      tell(tag, from);
    }
  }
}
