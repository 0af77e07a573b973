import type { YamlScalar } from '../yaml-tree.ts';
import { codeAt, codes, type SimpleCursor, scalarAt } from './simple-cursor.ts';

/** A quoted text on one line, without escapes. */
export function readQuoted(cursor: SimpleCursor): YamlScalar | undefined {
  const { text, at: start } = cursor;
  const double = codeAt(cursor) === codes.doubleQuote;
  const close = text.indexOf(double ? '"' : "'", start + 1);
  if (close === -1) return undefined;
  const value = text.slice(start + 1, close);
  if (value.includes('\n') || value.includes(double ? '\\' : "''") || text[close + 1] === text[start])
    return undefined;
  cursor.at = close + 1;
  cursor.count += 2;
  return scalarAt({ start, end: close + 1 }, value, double ? 'double' : 'single');
}

/** A plain text up to the end of its line, or within brackets up to what ends it there. */
export function readPlain(cursor: SimpleCursor, inFlow: boolean): YamlScalar | undefined {
  const { text, at: start } = cursor;
  if (!mayBegin(text.charCodeAt(start))) return undefined;
  let at = start;
  let end = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === codes.lf || (inFlow && isFlowSign(code))) break;
    if (code === codes.hash && end < at) break;
    if (code === codes.colon && endsKey(text.charCodeAt(at + 1), inFlow)) return undefined;
    at += 1;
    if (code !== codes.space) end = at;
  }
  const source = text.slice(start, end);
  const value = plainValue(source);
  if (value === undefined) return undefined;
  cursor.at = end;
  cursor.count += 2;
  return scalarAt({ start, end }, value, 'plain');
}

/** The place after a key of letters, digits, "_", "." and "-" that a colon follows; undefined when there is none. */
export function plainKeyEnd(text: string, start: number): number | undefined {
  const first = text.charCodeAt(start);
  if (!isLetter(first) && first !== UNDERSCORE) return undefined;
  let at = start + 1;
  while (isKeyCharacter(text.charCodeAt(at))) at += 1;
  if (at - start > LONGEST_KEY || text.charCodeAt(at) !== codes.colon) return undefined;
  const after = text.charCodeAt(at + 1);
  return after === codes.space || after === codes.lf ? at : undefined;
}

/** The library takes no key of more than 1,024 characters. */
const LONGEST_KEY = 256;
const UNDERSCORE = 0x5f;
const DOT = 0x2e;

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isKeyCharacter(code: number): boolean {
  return isLetter(code) || isDigit(code) || code === UNDERSCORE || code === DOT || code === codes.dash;
}

const beginnings: ReadonlySet<number> = new Set('_./$(<=+'.split('').map((sign) => sign.charCodeAt(0)));

function mayBegin(code: number): boolean {
  return isLetter(code) || isDigit(code) || code >= 0xa0 || beginnings.has(code);
}

function isFlowSign(code: number): boolean {
  return (
    code === codes.comma ||
    code === codes.openBracket ||
    code === codes.closeBracket ||
    code === codes.openBrace ||
    code === codes.closeBrace
  );
}

function endsKey(after: number, inFlow: boolean): boolean {
  return after === codes.space || after === codes.lf || (inFlow && isFlowSign(after));
}

const words: ReadonlyMap<string, boolean | null> = new Map([
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
  ...['null', 'Null', 'NULL'].map((word) => [word, null] as const),
]);
const number =
  /^(?:[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?|0o[0-7]+|0x[\da-fA-F]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const simpleNumber = /^\d{1,15}(?:\.\d{1,15})?$/;

/** By the core schema of YAML 1.2. Undefined for numbers in rare notations. */
function plainValue(source: string): YamlScalar['value'] | undefined {
  if (isLetter(source.charCodeAt(0))) {
    const value = source.length > 5 ? undefined : words.get(source);
    return value === undefined ? source : value;
  }
  if (!number.test(source)) return source;
  return simpleNumber.test(source) ? Number(source) : undefined;
}
