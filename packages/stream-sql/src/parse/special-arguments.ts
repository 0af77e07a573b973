import type { Argument } from '../tree/call.ts';
import { parseList } from './lists.ts';
import { POWER } from './operators.ts';
import { parseArgument, plainArgument } from './parse-argument.ts';
import { parseExpression } from './parse-expression.ts';
import { parseTimeUnit } from './parse-interval.ts';
import type { TokenCursor } from './token-cursor.ts';

type ParseArguments = (cursor: TokenCursor) => Argument[];

/** Functions whose arguments have words between them, or a unit of time among them. */
export const specialArguments: ReadonlyMap<string, ParseArguments> = new Map<string, ParseArguments>([
  ['EXTRACT', (cursor) => [unit(cursor), after(cursor, 'FROM')]],
  ['TIMESTAMPADD', (cursor) => [unit(cursor), ...moreValues(cursor)]],
  ['TIMESTAMPDIFF', (cursor) => [unit(cursor), ...moreValues(cursor)]],
  ['FLOOR', rounded],
  ['CEIL', rounded],
  ['CEILING', rounded],
  ['TRIM', trimmed],
  // The first operand ends before IN
  ['POSITION', (cursor) => [tight(cursor), after(cursor, 'IN'), ...optional(cursor, 'FROM')]],
  ['SUBSTRING', (cursor) => [value(cursor), separated(cursor), ...optional(cursor, 'FOR', ',')]],
  [
    'OVERLAY',
    (cursor) => [value(cursor), after(cursor, 'PLACING'), after(cursor, 'FROM'), ...optional(cursor, 'FOR')],
  ],
  ['CONVERT', charset],
  ['TRANSLATE', charset],
  ...['DATE_DIFF', 'DATETIME_DIFF', 'TIMESTAMP_DIFF', 'TIME_DIFF', ...truncations()].map(
    (name): [string, ParseArguments] => [name, (cursor) => parseList(cursor, () => valueOrUnit(cursor))],
  ),
]);

function truncations(): string[] {
  return ['DATE_TRUNC', 'DATETIME_TRUNC', 'TIMESTAMP_TRUNC', 'TIME_TRUNC'];
}

function value(cursor: TokenCursor): Argument {
  return plainArgument(parseExpression(cursor));
}

function tight(cursor: TokenCursor): Argument {
  return plainArgument(parseExpression(cursor, POWER.LIKE + 1));
}

function unit(cursor: TokenCursor): Argument {
  return plainArgument(parseTimeUnit(cursor));
}

function moreValues(cursor: TokenCursor): Argument[] {
  if (!cursor.expectSymbol(',')) return [];
  return parseList(cursor, () => value(cursor));
}

/** An argument behind a word that must be there. */
function after(cursor: TokenCursor, keyword: string): Argument {
  const { start } = cursor.token;
  cursor.expectWords(keyword);
  const parsed = parseExpression(cursor);
  return { ...plainArgument(parsed), keyword, start, end: Math.max(start, cursor.lastEnd) };
}

/** An argument behind a word, or behind a symbol in its place, that may be there. */
function optional(cursor: TokenCursor, keyword: string, symbol?: string): Argument[] {
  if (symbol !== undefined && cursor.takeSymbol(symbol)) return [value(cursor)];
  return cursor.atWords(keyword) ? [after(cursor, keyword)] : [];
}

/** `FROM a` or `, a` */
function separated(cursor: TokenCursor): Argument {
  return cursor.takeSymbol(',') ? value(cursor) : after(cursor, 'FROM');
}

/** `FLOOR(a)`, `FLOOR(ts TO HOUR)` */
function rounded(cursor: TokenCursor): Argument[] {
  const first = value(cursor);
  const { start } = cursor.token;
  if (!cursor.takeWords('TO')) return [first];
  return [first, { ...unit(cursor), keyword: 'TO', start }];
}

/** `TRIM(a)`, `TRIM(BOTH a)`, `TRIM('x' FROM a)`, `TRIM(BOTH 'x' FROM a)`, `TRIM(LEADING FROM a)` */
function trimmed(cursor: TokenCursor): Argument[] {
  const { start } = cursor.token;
  const side = cursor.takeOneOf(['BOTH', 'LEADING', 'TRAILING']);
  if (side !== undefined && cursor.atWords('FROM'))
    return [{ ...after(cursor, 'FROM'), keyword: `${side} FROM` }];
  const first = value(cursor);
  const named = side === undefined ? first : { ...first, keyword: side, start };
  return [named, ...optional(cursor, 'FROM')];
}

/** `TRANSLATE(a USING utf8)` or a list as of any function. */
function charset(cursor: TokenCursor): Argument[] {
  const first = parseArgument(cursor);
  if (cursor.atWords('USING')) return [first, after(cursor, 'USING')];
  return cursor.takeSymbol(',') ? [first, ...parseList(cursor, () => parseArgument(cursor))] : [first];
}

/** `DAY` as the last argument is a unit, not a column. */
function valueOrUnit(cursor: TokenCursor): Argument {
  const isUnit = cursor.token.kind === 'word' && (cursor.atSymbol(')', 1) || cursor.atSymbol('(', 1));
  return isUnit && /^(WEEK|DAY|HOUR|MINUTE|SECOND|MONTH|QUARTER|YEAR)$/.test(cursor.token.value.toUpperCase())
    ? unit(cursor)
    : value(cursor);
}
