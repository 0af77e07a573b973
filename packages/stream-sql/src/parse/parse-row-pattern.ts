import type { MatchRecognize, RowPattern } from '../tree/match-recognize.ts';
import { closeParenthesis, parseList, parseParenthesized } from './lists.ts';
import { parseName } from './parse-names.ts';
import type { TokenCursor } from './token-cursor.ts';

type Pattern = Pick<MatchRecognize, 'anchoredStart' | 'pattern' | 'anchoredEnd'>;

/** Parses `PATTERN (A B+ C)`. */
export function parsePattern(cursor: TokenCursor): Pattern {
  const { start } = cursor.token;
  const missing: Pattern = {
    anchoredStart: false,
    pattern: { kind: 'pattern-invalid', start, end: start },
    anchoredEnd: false,
  };
  if (!cursor.expectWords('PATTERN')) return missing;
  cursor.expectSymbol('(');
  const parsed = cursor.nested(() => {
    const anchoredStart = cursor.takeSymbol('^');
    const pattern = parseAlternation(cursor);
    const anchoredEnd = atEndAnchor(cursor);
    if (anchoredEnd) cursor.advance();
    return { anchoredStart, pattern, anchoredEnd };
  });
  closeParenthesis(cursor);
  return parsed;
}

/** A lone `$` is a letter to the tokenizer, since names may hold it. */
function atEndAnchor(cursor: TokenCursor): boolean {
  return cursor.token.kind === 'word' && cursor.token.value === '$';
}

function parseAlternation(cursor: TokenCursor): RowPattern {
  const { start } = cursor.token;
  const items = [parseSequence(cursor)];
  while (cursor.takeSymbol('|')) items.push(parseSequence(cursor));
  return group('alternation', items, start, cursor);
}

function parseSequence(cursor: TokenCursor): RowPattern {
  const { start } = cursor.token;
  const items = [parseRepetition(cursor)];
  while (startsItem(cursor)) items.push(parseRepetition(cursor));
  return group('sequence', items, start, cursor);
}

function group(
  type: 'sequence' | 'alternation',
  items: readonly RowPattern[],
  start: number,
  cursor: TokenCursor,
): RowPattern {
  const [first] = items;
  if (items.length === 1 && first !== undefined) return first;
  return { kind: 'pattern-group', type, items, start, end: cursor.lastEnd };
}

function startsItem(cursor: TokenCursor): boolean {
  const { token } = cursor;
  if (token.kind === 'symbol') return token.value === '(' || (token.value === '{' && cursor.atSymbol('-', 1));
  return token.kind === 'quoted' || (token.kind === 'word' && !atEndAnchor(cursor));
}

function parseRepetition(cursor: TokenCursor): RowPattern {
  const { start } = cursor.token;
  const item = cursor.nested(() => parseItem(cursor));
  const bounds = parseBounds(cursor);
  if (bounds === undefined) return item;
  const greedy = !cursor.takeSymbol('?');
  return { kind: 'pattern-repetition', item, ...bounds, greedy, start, end: cursor.lastEnd };
}

function parseItem(cursor: TokenCursor): RowPattern {
  const { start } = cursor.token;
  if (cursor.takeSymbol('(')) {
    const inner = parseAlternation(cursor);
    closeParenthesis(cursor);
    return inner;
  }
  if (cursor.atSymbol('{') && cursor.atSymbol('-', 1)) {
    cursor.advance();
    cursor.advance();
    const item = parseAlternation(cursor);
    cursor.expectSymbol('-');
    cursor.expectSymbol('}');
    return { kind: 'pattern-exclusion', item, start, end: cursor.lastEnd };
  }
  if (cursor.atWords('PERMUTE') && cursor.atSymbol('(', 1)) {
    cursor.advance();
    const items = parseParenthesized(cursor, () => parseList(cursor, () => parseAlternation(cursor))) ?? [];
    return { kind: 'pattern-group', type: 'permutation', items, start, end: cursor.lastEnd };
  }
  if (!startsItem(cursor)) {
    cursor.fail('a variable of the pattern');
    return { kind: 'pattern-invalid', start, end: start };
  }
  const name = parseName(cursor);
  return { kind: 'pattern-variable', name, start, end: cursor.lastEnd };
}

interface Bounds {
  readonly min: number;
  readonly max: number | undefined;
}

function parseBounds(cursor: TokenCursor): Bounds | undefined {
  if (cursor.takeSymbol('*')) return { min: 0, max: undefined };
  if (cursor.takeSymbol('+')) return { min: 1, max: undefined };
  if (cursor.takeSymbol('?')) return { min: 0, max: 1 };
  if (!cursor.atSymbol('{') || cursor.atSymbol('-', 1)) return undefined;
  cursor.advance();
  const min = parseInteger(cursor);
  const comma = cursor.takeSymbol(',');
  const max = comma ? parseInteger(cursor) : min;
  if (min === undefined && max === undefined) cursor.fail('a number');
  cursor.expectSymbol('}');
  return { min: min ?? 0, max };
}

function parseInteger(cursor: TokenCursor): number | undefined {
  const { token } = cursor;
  if (token.kind !== 'number') return undefined;
  cursor.advance();
  return Number.parseInt(token.value, 10);
}
