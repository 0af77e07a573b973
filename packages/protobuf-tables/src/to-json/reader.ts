// Reading the wire. Positions are indexes of `run.src`; what was read ends at `run.pos`.
import { groupEndAt, noteGroupEnd } from './group-ends.ts';
import { refuse, run } from './run.ts';

/** Answers the low 32 bits; the upper ones are left in `run.high`. May read over the end of the message by ten bytes. */
export function varint(src: Uint8Array, i: number): number {
  const first = src[i] as number;
  if (first > 127) return longVarint(src, i + 1, first & 127);
  run.pos = i + 1;
  run.high = 0;
  return first;
}

function longVarint(src: Uint8Array, i: number, first: number): number {
  let byte = src[i++] as number;
  let low = first | ((byte & 127) << 7);
  let high = 0;
  if (byte > 127) {
    byte = src[i++] as number;
    low |= (byte & 127) << 14;
    if (byte > 127) {
      byte = src[i++] as number;
      low |= (byte & 127) << 21;
      if (byte > 127) {
        byte = src[i++] as number;
        low |= byte << 28;
        high = (byte & 127) >> 4;
        for (let shift = 3; byte > 127; shift += 7) {
          if (shift > 31) refuse('varint of more than ten bytes');
          byte = src[i++] as number;
          high |= (byte & 127) << shift;
        }
      }
    }
  }
  run.pos = i;
  run.high = high;
  return low;
}

/** The length before a value at i, which must fit before `end`. */
export function size(i: number, end: number): number {
  const first = run.src[i] as number;
  if (first < 128 && first < end - i) {
    run.pos = i + 1;
    return first;
  }
  return longSize(i, end);
}

function longSize(i: number, end: number): number {
  const n = varint(run.src, i);
  if (n < 0 || n > end - run.pos || run.high !== 0) {
    refuse(run.pos > end ? 'truncated length' : 'length past the end');
  }
  return n;
}

/** Passes n bytes, which must be there. */
export function fixed(i: number, n: number, end: number): void {
  if (end - i < n) refuse('truncated number');
  run.pos = i + n;
}

/** The tag at i, which lies before `end`. */
export function tagAt(i: number, end: number): number {
  const tag = varint(run.src, i);
  if (run.pos > end) refuse('truncated tag');
  if (run.pos - i > 4) checkLongTag(run.pos - i);
  return checkTag(tag);
}

/** Refuses tags that no field can have, and answers others. */
export function checkTag(tag: number): number {
  if (tag >>> 3 === 0) refuse('field number 0');
  if ((tag & 7) > 5) refuse(`wire type ${tag & 7}`);
  return tag;
}

/** Refuses the tag that was just read if it was longer than tags can be. */
export function checkLongTag(bytes: number): void {
  if (bytes > 5 || run.high !== 0) refuse('tag of more than 32 bits');
}

/** Passes the value of a tag, in a message at `depth`: groups in it may nest as deep as messages. */
export function skip(tag: number, i: number, end: number, depth: number): void {
  const wire = tag & 7;
  if (wire === 0) {
    varint(run.src, i);
    if (run.pos > end) refuse('truncated varint');
  } else if (wire === 1) fixed(i, 8, end);
  else if (wire === 5) fixed(i, 4, end);
  else if (wire === 2) run.pos = size(i, end) + run.pos;
  else if (wire === 3) groupEnd(tag >>> 3, i, end, depth);
  else refuse('end of a group that was not started');
}

/** Where the content of the group ends that starts at i, behind its tag. The end tag is passed, too. */
export function groupEnd(number: number, i: number, end: number, depth: number): number {
  const known = groupEndAt(i);
  if (known !== 0) {
    tagAt(known, end);
    return known;
  }
  if (depth >= run.maxDepth) tooDeep();
  let hasGroups = false;
  let at = i;
  while (at < end) {
    const tag = tagAt(at, end);
    const wire = tag & 7;
    if (wire === 4) {
      if (tag >>> 3 !== number) refuse('end of another group');
      if (hasGroups) noteGroupEnd(i, at);
      return at;
    }
    if (wire === 3) hasGroups = true;
    skip(tag, run.pos, end, depth + 1);
    at = run.pos;
  }
  return refuse('group without end');
}

/** Ends the conversion because of its nesting. */
export function tooDeep(): never {
  return refuse(`more than ${run.maxDepth} messages inside each other`);
}
