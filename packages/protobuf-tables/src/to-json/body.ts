import { Kind } from '../plan/kinds.ts';
import { any } from './any.ts';
import { bare, gatheredBare } from './bare.ts';
import { fieldMask } from './field-mask.ts';
import { gathered } from './gathered.ts';
import { message } from './message.ts';
import { tooDeep } from './reader.ts';
import { run } from './run.ts';
import { duration, mergedTimestamp, timestamp } from './times.ts';

/** Writes the message whose bytes are from .. to, which is inside one at `depth`. */
export function body(kind: number, sub: number, from: number, to: number, q: number, depth: number): number {
  if (kind === Kind.message || kind === Kind.bare || kind === Kind.timestamp) {
    if (depth >= run.maxDepth) tooDeep();
    if (kind === Kind.message) return message(sub, from, to, q, depth + 1);
    return kind === Kind.bare ? bare(sub, from, to, q, depth + 1) : timestamp(from, to, q, depth + 1);
  }
  return bodyOf(kind, sub, [from, to], q, depth);
}

/** Writes the message whose bytes are those of all ranges, in order: that is what merging its parts gives. */
export function bodyOf(
  kind: number,
  sub: number,
  ranges: readonly number[],
  q: number,
  depth: number,
): number {
  if (depth >= run.maxDepth) tooDeep();
  switch (kind) {
    case Kind.message:
      return gathered(sub, ranges, q, depth + 1);
    case Kind.bare:
      return gatheredBare(sub, ranges, q, depth + 1);
    case Kind.timestamp:
      return mergedTimestamp(ranges, q, depth + 1);
    case Kind.duration:
      return duration(ranges, q, depth + 1);
    case Kind.fieldMask:
      return fieldMask(ranges, q, depth + 1);
    default:
      return any(ranges, q, depth + 1);
  }
}
