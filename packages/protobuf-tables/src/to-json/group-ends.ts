// Where a group ends is found by looking through it. Groups in it would be looked through once for each level above them, if
// what was found were not kept.
import { run } from './run.ts';

/** Groups up to this length are looked through again. */
const SHORT_GROUP = 8;

/** Where the group ends that starts at i; 0 = not known. */
export function groupEndAt(i: number): number {
  return run.knowsGroups ? (run.groupEnds[i] as number) : 0;
}

/** Keeps where a group ends, until the next message. */
export function noteGroupEnd(start: number, end: number): void {
  if (end - start <= SHORT_GROUP) return;
  if (!run.knowsGroups) forgetOthers();
  run.groupEnds[start] = end;
}

function forgetOthers(): void {
  const { length, groupEnds } = run;
  if (groupEnds.length < length) run.groupEnds = new Int32Array(length + 256);
  else groupEnds.fill(0, 0, length);
  run.knowsGroups = true;
}
