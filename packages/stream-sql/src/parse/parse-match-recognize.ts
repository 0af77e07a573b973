import type {
  AfterMatch,
  MatchRecognize,
  Measure,
  PatternDefinition,
  PatternSubset,
} from '../tree/match-recognize.ts';
import { closeParenthesis, parseList } from './lists.ts';
import { parseExpression } from './parse-expression.ts';
import { atName, parseName, parseNameList } from './parse-names.ts';
import { parseOrderItems, parsePartitionBy } from './parse-order.ts';
import { parsePattern } from './parse-row-pattern.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Parses `MATCH_RECOGNIZE (…)`; its word comes next. */
export function parseMatchRecognize(cursor: TokenCursor): MatchRecognize {
  const { start } = cursor.advance();
  cursor.expectSymbol('(');
  const content = cursor.nested(() => parseContent(cursor));
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
  // A variable may be called FIRST or LAST itself
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
