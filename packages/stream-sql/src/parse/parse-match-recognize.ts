import type {
  AfterMatch,
  MatchRecognize,
  Measure,
  PatternDefinition,
  PatternSubset,
  RowPattern,
} from '../tree/match-recognize.ts';
import { closeParenthesis, parseList, parseParenthesized } from './lists.ts';
import { parseExpression } from './parse-expression.ts';
import { atName, parseName, parseNameList } from './parse-names.ts';
import { parseOrderItems, parsePartitionBy } from './parse-window.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Parses `MATCH_RECOGNIZE (…)`. The cursor is at the keyword. */
export function parseMatchRecognize(cursor: TokenCursor): MatchRecognize {
  const { start } = cursor.advance();
  cursor.expectSymbol('(');
  const content = cursor.parseNested(() => parseContent(cursor));
  closeParenthesis(cursor);
  return { kind: 'match-recognize', ...content, start, end: cursor.lastEnd };
}

function parseContent(cursor: TokenCursor): Omit<MatchRecognize, 'kind' | 'start' | 'end'> {
  const partitionBy = parsePartitionBy(cursor);
  const orderBy = parseOrderItems(cursor);
  const measures = cursor.takeWords('MEASURES') ? parseList(cursor, () => parseMeasure(cursor)) : [];
  const rows = cursor.takeOneOf(['ONE ROW PER MATCH', 'ALL ROWS PER MATCH']);
  const afterMatch = parseAfterMatch(cursor);
  const pattern = parsePattern(cursor);
  const within = cursor.takeWords('WITHIN') ? parseExpression(cursor) : undefined;
  const subsets = cursor.takeWords('SUBSET') ? parseList(cursor, () => parseSubset(cursor)) : [];
  const definitions = cursor.expectWords('DEFINE') ? parseList(cursor, () => parseDefinition(cursor)) : [];
  return {
    partitionBy,
    orderBy,
    measures,
    rowsPerMatch: rows === undefined ? undefined : rows === 'ONE ROW PER MATCH' ? 'ONE' : 'ALL',
    afterMatch,
    ...pattern,
    within,
    subsets,
    definitions,
  };
}

function parseMeasure(cursor: TokenCursor): Measure {
  const { start } = cursor.token;
  const expression = parseExpression(cursor);
  cursor.expectWords('AS');
  const alias = parseName(cursor, 'the name of the measure');
  return { kind: 'measure', expression, alias, start, end: cursor.lastEnd };
}

function parseAfterMatch(cursor: TokenCursor): AfterMatch | undefined {
  const { start } = cursor.token;
  if (!cursor.takeWords('AFTER', 'MATCH')) return undefined;
  cursor.expectWords('SKIP');
  const row = cursor.takeOneOf(['TO NEXT ROW', 'PAST LAST ROW']);
  if (row !== undefined) {
    const skip = row === 'TO NEXT ROW' ? 'NEXT ROW' : 'PAST LAST ROW';
    return { kind: 'after-match', skip, variable: undefined, start, end: cursor.lastEnd };
  }
  cursor.expectWords('TO');
  // A variable itself may be named FIRST or LAST
  const skip = atName(cursor, 1) ? cursor.takeOneOf(['FIRST', 'LAST']) : undefined;
  const variable = parseName(cursor, 'a variable of the pattern');
  return { kind: 'after-match', skip: skip ?? 'LAST', variable, start, end: cursor.lastEnd };
}

function parseSubset(cursor: TokenCursor): PatternSubset {
  const { start } = cursor.token;
  const name = parseName(cursor);
  cursor.expectSymbol('=');
  const variables = parseNameList(cursor);
  return { kind: 'pattern-subset', name, variables, start, end: cursor.lastEnd };
}

function parseDefinition(cursor: TokenCursor): PatternDefinition {
  const { start } = cursor.token;
  const variable = parseName(cursor, 'a variable of the pattern');
  cursor.expectWords('AS');
  const condition = parseExpression(cursor);
  return { kind: 'pattern-definition', variable, condition, start, end: cursor.lastEnd };
}

type Pattern = Pick<MatchRecognize, 'anchoredStart' | 'pattern' | 'anchoredEnd'>;

/** Parses `PATTERN (A B+ C)`. */
function parsePattern(cursor: TokenCursor): Pattern {
  const { start } = cursor.token;
  const missing: Pattern = {
    anchoredStart: false,
    pattern: { kind: 'pattern-invalid', start, end: start },
    anchoredEnd: false,
  };
  if (!cursor.expectWords('PATTERN')) return missing;
  cursor.expectSymbol('(');
  const parsed = cursor.parseNested(() => {
    const anchoredStart = cursor.takeSymbol('^');
    const pattern = parseAlternation(cursor);
    const anchoredEnd = atEndAnchor(cursor);
    if (anchoredEnd) cursor.advance();
    return { anchoredStart, pattern, anchoredEnd };
  });
  closeParenthesis(cursor);
  return parsed;
}

/** The tokenizer reads a lone `$` as a word, because names may contain it. */
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
  const item = cursor.parseNested(() => parseItem(cursor));
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
