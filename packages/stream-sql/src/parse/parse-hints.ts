import type { Hint, HintOption } from '../tree/query.ts';
import { parseList, parseParenthesized } from './lists.ts';
import { parseName } from './parse-names.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Parses hints between their marks; empty if absent. */
export function parseHints(cursor: TokenCursor): Hint[] {
  const { start } = cursor.token;
  if (!cursor.takeSymbol('/*+')) return [];
  const hints = parseList(cursor, () => parseHint(cursor));
  if (cursor.takeSymbol('*/')) return hints;
  cursor.fail('"*/"');
  skipHint(cursor);
  if (!cursor.takeSymbol('*/')) {
    const message = 'hint without its end, "*/" was expected';
    cursor.warnOf({ code: 'sql-unterminated', message, start, end: start + 3 });
  }
  return hints;
}

function skipHint(cursor: TokenCursor): void {
  while (!cursor.atSymbol('*/') && cursor.token.kind !== 'end') cursor.advance();
}

function parseHint(cursor: TokenCursor): Hint {
  const { start } = cursor.token;
  const name = parseName(cursor, 'the name of a hint');
  const options = cursor.atSymbol('(') ? parseOptions(cursor) : [];
  return { kind: 'hint', name, options, start, end: cursor.lastEnd };
}

function parseOptions(cursor: TokenCursor): HintOption[] {
  const options = parseParenthesized(cursor, () =>
    cursor.atSymbol(')') ? [] : parseList(cursor, () => parseOption(cursor)),
  );
  return options ?? [];
}

function parseOption(cursor: TokenCursor): HintOption {
  const { start } = cursor.token;
  const key = parseLiteral(cursor) ?? parseName(cursor, 'an option');
  let value: HintOption['value'];
  if (cursor.takeSymbol('=')) {
    value = parseLiteral(cursor);
    if (value === undefined) cursor.fail('a string');
  }
  return { kind: 'hint-option', key, value, start, end: cursor.lastEnd };
}

function parseLiteral(cursor: TokenCursor): HintOption['value'] {
  const negative = cursor.atSymbol('-') && cursor.peek(1).kind === 'number';
  const { start } = cursor.token;
  const token = cursor.peek(negative ? 1 : 0);
  if (token.kind !== 'string' && token.kind !== 'number') return undefined;
  if (negative) cursor.advance();
  cursor.advance();
  const type = token.kind === 'number' ? token.form : 'string';
  return { kind: 'literal', type, value: `${negative ? '-' : ''}${token.value}`, start, end: token.end };
}
