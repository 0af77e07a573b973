import type { StringToken, Token } from '../tokens/token.ts';
import type { Expression, Literal } from '../tree/expression.ts';
import type { TokenCursor } from './token-cursor.ts';

/** Parses `'a'`, the strings that continue it, and `UESCAPE`. */
export function parseStringLiteral(cursor: TokenCursor, first: StringToken): Literal {
  const { start } = first;
  const parts: string[] = [];
  for (let { token } = cursor; continues(first, token); token = cursor.token) {
    parts.push(token.value);
    cursor.advance();
  }
  const type = first.form === 'binary' ? 'binary' : 'string';
  const text = parts.join('');
  const value = first.form === 'unicode' ? decodeEscapes(cursor, text) : text;
  return { kind: 'literal', type, value, start, end: cursor.lastEnd };
}

/** `'a' 'b'` is `'ab'`. */
function continues(first: StringToken, token: Token): token is StringToken {
  return token.kind === 'string' && (token === first || token.form === 'plain');
}

/** Decodes `U&'\0041'`. `UESCAPE '!'` may follow with another escape character. */
function decodeEscapes(cursor: TokenCursor, text: string): string {
  let escapeCharacter = '\\';
  if (cursor.takeWords('UESCAPE')) {
    const { token } = cursor;
    if (token.kind === 'string' && token.value.length === 1) {
      escapeCharacter = token.value;
      cursor.advance();
    } else cursor.fail('one character in quotes');
  }
  return text
    .split(escapeCharacter + escapeCharacter)
    .map((part) => part.split(escapeCharacter).map(decodePart).join(''))
    .join(escapeCharacter);
}

function decodePart(part: string, index: number): string {
  const digits = index === 0 ? undefined : /^[0-9a-f]{4}/i.exec(part)?.[0];
  return digits === undefined ? part : String.fromCharCode(Number.parseInt(digits, 16)) + part.slice(4);
}

const TIMED: Readonly<Record<string, Literal['type']>> = {
  DATE: 'date',
  TIME: 'time',
  TIMESTAMP: 'timestamp',
  DATETIME: 'timestamp',
  DECIMAL: 'decimal',
};

/** Parses `DATE '2026-01-01'` and similar, if a string follows the word. */
export function parseTimedLiteral(cursor: TokenCursor): Expression | undefined {
  const { value: word, start } = cursor.token;
  const type = TIMED[word.toUpperCase()];
  if (type === 'timestamp' && cursor.isWord(1, 'WITH')) return parseLocalTimestamp(cursor);
  const text = cursor.peek(1);
  if (type === undefined || text.kind !== 'string') return undefined;
  cursor.advance();
  cursor.advance();
  return { kind: 'literal', type, value: text.value, start, end: text.end };
}

/** `TIMESTAMP WITH LOCAL TIME ZONE '…'` */
function parseLocalTimestamp(cursor: TokenCursor): Expression | undefined {
  const { start } = cursor.token;
  const text = cursor.peek(5);
  if (text.kind !== 'string') return undefined;
  if (!cursor.takeWords('TIMESTAMP', 'WITH', 'LOCAL', 'TIME', 'ZONE')) return undefined;
  cursor.advance();
  return { kind: 'literal', type: 'timestamp_ltz', value: text.value, start, end: text.end };
}
