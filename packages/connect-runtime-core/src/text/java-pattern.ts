import { compilePattern, type Step } from './linear-pattern.ts';

/** A pattern with what its groups capture, as Java's regular expressions do. */
export interface JavaPattern {
  /** How many groups capture. */
  readonly groups: number;
  /** Numbers of named groups. */
  readonly names: ReadonlyMap<string, number>;
  /** Whether the whole text fits, as `Matcher.matches`. */
  matches(text: string): boolean;
  /** What `Matcher.find` finds at the begin of a text: the match and then each group. Undefined when there is none. */
  findAtStart(text: string): PatternMatch | undefined;
}

/** Texts that groups captured, by their number; 0 is all of it. Undefined for a group that took no part. */
export type PatternMatch = readonly (string | undefined)[];

/** One way through the pattern, with the places that it remembers. */
interface Thread {
  readonly at: number;
  readonly marks: readonly (number | undefined)[];
}

/**
 * A pattern of a user, in the subset and within the limits of `linearPattern`; groups capture what they do in Java. Takes time in
 * proportion to the text. Throws `config_invalid`.
 */
export function javaPattern(source: string): JavaPattern {
  const { steps, groups, names } = compilePattern(source);
  return {
    groups,
    names,
    matches: (text) => follow(steps, text, true) !== undefined,
    findAtStart: (text) => {
      const marks = follow(steps, text, false);
      if (marks === undefined) return undefined;
      return Array.from({ length: groups + 1 }, (_, group) => {
        const [begin, end] = [marks[2 * group], marks[2 * group + 1]];
        return begin === undefined || end === undefined ? undefined : text.slice(begin, end);
      });
    },
  };
}

/**
 * Follows all ways at once, the preferred one first. A way that reaches the end ends those that are less preferred; with `whole`
 * only the end of the text counts.
 */
function follow(
  steps: readonly Step[],
  text: string,
  whole: boolean,
): readonly (number | undefined)[] | undefined {
  let found: readonly (number | undefined)[] | undefined;
  let threads = reach(steps, [{ at: 0, marks: [0] }], { place: 0, length: text.length });
  for (let place = 0; threads.length > 0; place += 1) {
    const code = place < text.length ? text.charCodeAt(place) : undefined;
    const next: Thread[] = [];
    for (const { at, marks } of threads) {
      const step = steps[at];
      if (step?.kind === 'end') {
        if (whole && place < text.length) continue;
        found = [marks[0], place, ...marks.slice(2)];
        break;
      }
      if (code !== undefined && step?.kind === 'character' && step.matches(code))
        next.push({ at: at + 1, marks });
    }
    threads = reach(steps, next, { place: place + 1, length: text.length });
  }
  return found;
}

/** The steps that can be reached without a character, each once, in the order of preference. */
function reach(
  steps: readonly Step[],
  from: readonly Thread[],
  { place, length }: { readonly place: number; readonly length: number },
): readonly Thread[] {
  const seen = new Set<number>();
  const open = from.toReversed();
  const found: Thread[] = [];
  for (let thread = open.pop(); thread !== undefined; thread = open.pop()) {
    const { at, marks } = thread;
    if (seen.has(at)) continue;
    seen.add(at);
    const step = steps[at];
    if (step?.kind === 'fork') for (const to of step.to.toReversed()) open.push({ at: to, marks });
    else if (step?.kind === 'mark') open.push({ at: at + 1, marks: withMark(marks, step.slot, place) });
    else if (step?.kind === 'text-end') {
      if (place === length) open.push({ at: at + 1, marks });
    } else found.push(thread);
  }
  return found;
}

function withMark(
  marks: readonly (number | undefined)[],
  slot: number,
  place: number,
): readonly (number | undefined)[] {
  const copy = [...marks];
  copy[slot] = place;
  return copy;
}
