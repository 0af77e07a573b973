import type { Span } from '@levada/stream-sql';
import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js';

/** A regular expression of a user, read. */
export type NamePattern =
  | {
      readonly kind: 'pattern';
      /** Whether the whole name matches. Takes time linear in the length of the name, whatever the pattern. */
      readonly matches: (name: string) => boolean;
      /** Whether some beginning of the name matches. */
      readonly matchesStart: (name: string) => boolean;
    }
  | {
      readonly kind: 'wrong';
      /** In words, without anything of the pattern itself: `missing closing )`. */
      readonly problem: string;
      /** The piece that is wrong; undefined where its place is not known. */
      readonly span: Span | undefined;
      readonly hint: string | undefined;
    };

/** Names of topics have at most 249 characters. */
const MAX_LENGTH = 1000;
const MAX_COUNTS = 300;
const MAX_STATES = 1000;

/**
 * Reads a regular expression in the syntax of RE2, which has neither lookaround nor references to groups: what it has is
 * matched in linear time. Patterns of more than 1,000 characters, counts such as `{3,20}` that add up to more than 300, and
 * patterns that take more than 1,000 states are refused, so that reading and matching one stay below 50 ms.
 */
export function readNamePattern(pattern: string): NamePattern {
  if (pattern.length > MAX_LENGTH) return tooLarge(`it has more than ${MAX_LENGTH} characters`);
  if (sumOfCounts(pattern) > MAX_COUNTS) return tooLarge(`its counts add up to more than ${MAX_COUNTS}`);
  try {
    const compiled = RE2JS.compile(pattern);
    if (compiled.programSize() > MAX_STATES) return tooLarge(`it takes more than ${MAX_STATES} states`);
    return {
      kind: 'pattern',
      matches: (name) => compiled.testExact(name),
      matchesStart: (name) => compiled.matcher(name).lookingAt(),
    };
  } catch (error) {
    if (error instanceof RE2JSException) return wrong(pattern, error);
    throw error;
  }
}

function tooLarge(problem: string): NamePattern {
  return { kind: 'wrong', problem, span: undefined, hint: 'names of topics have at most 249 characters' };
}

function sumOfCounts(pattern: string): number {
  let sum = 0;
  for (const [, least = '0', most = ''] of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    sum += Math.max(Number(least), Number(most));
  }
  return sum;
}

function wrong(pattern: string, error: RE2JSException): NamePattern {
  if (!(error instanceof RE2JSSyntaxException)) {
    return { kind: 'wrong', problem: 'it cannot be parsed', span: undefined, hint: undefined };
  }
  const piece = error.getPattern() ?? '';
  return {
    kind: 'wrong',
    problem: error.getDescription(),
    span: spanOf(piece, pattern),
    hint: hintFor(error.getDescription(), piece),
  };
}

/** The library names the piece, not its place; a piece that occurs twice may be either. */
function spanOf(piece: string, pattern: string): Span | undefined {
  const start = piece === '' ? -1 : pattern.indexOf(piece);
  if (start === -1 || pattern.includes(piece, start + 1)) return undefined;
  return { start, end: start + piece.length };
}

function hintFor(description: string, piece: string): string | undefined {
  if (/^\(\?(?:<?[=!]|>)/.test(piece)) return 'lookaround is not supported: describe the whole name';
  if (/^\\[1-9]/.test(piece)) return 'references to groups are not supported: repeat the group';
  return description.includes('escape')
    ? 'YAML interprets "\\" in double quotes: use single quotes'
    : undefined;
}
