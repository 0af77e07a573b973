import type { YamlEntry, YamlNode } from '../yaml-tree.ts';
import { codeAt, codes, isTooLarge, type SimpleCursor, skipBlanks } from './simple-cursor.ts';
import { plainKeyEnd, readPlain, readQuoted } from './simple-scalar.ts';

/** Deeper nesting is left to the library, which has its bound. */
export const MAX_DEPTH = 24;

/** A value that begins and ends on one line. */
export function readInline(cursor: SimpleCursor, inFlow: boolean): YamlNode | undefined {
  const code = codeAt(cursor);
  if (code === codes.openBracket) return nested(cursor, readFlowList);
  if (code === codes.openBrace) return nested(cursor, readFlowMap);
  const quoted = code === codes.doubleQuote || code === codes.singleQuote;
  return quoted ? readQuoted(cursor) : readPlain(cursor, inFlow);
}

/** Reads a list or map, unless it is too deep for recursion. */
export function nested<T>(cursor: SimpleCursor, read: (cursor: SimpleCursor) => T): T | undefined {
  if (cursor.depth === MAX_DEPTH) return undefined;
  cursor.depth += 1;
  const value = read(cursor);
  cursor.depth -= 1;
  return value;
}

function readFlowList(cursor: SimpleCursor): YamlNode | undefined {
  const start = cursor.at;
  const items: YamlNode[] = [];
  const closed = readItems(cursor, codes.closeBracket, () => {
    const item = readInline(cursor, true);
    if (item !== undefined) items.push(item);
    return item !== undefined;
  });
  return closed ? { kind: 'list', span: { start, end: cursor.at }, items } : undefined;
}

function readFlowMap(cursor: SimpleCursor): YamlNode | undefined {
  const start = cursor.at;
  const entries: YamlEntry[] = [];
  const keys = new Set<string>();
  const closed = readItems(cursor, codes.closeBrace, () => {
    const key = readSimpleKey(cursor);
    if (key === undefined || keys.has(key.key)) return false;
    keys.add(key.key);
    skipBlanks(cursor);
    const value = readInline(cursor, true);
    if (value !== undefined) entries.push({ ...key, value });
    return value !== undefined;
  });
  return closed ? { kind: 'map', span: { start, end: cursor.at }, entries } : undefined;
}

/** What stands between brackets, with a comma between each; ends after the closing one. */
function readItems(cursor: SimpleCursor, close: number, readItem: () => boolean): boolean {
  cursor.at += 1;
  cursor.count += 2;
  cursor.entries += 1;
  skipBlanks(cursor);
  if (codeAt(cursor) === close) {
    cursor.at += 1;
    return true;
  }
  for (;;) {
    if (!readItem()) return false;
    skipBlanks(cursor);
    const code = codeAt(cursor);
    cursor.at += 1;
    cursor.count += 1;
    if (code === close) return true;
    cursor.entries += 1;
    if (code !== codes.comma || isTooLarge(cursor)) return false;
    skipBlanks(cursor);
  }
}

/** A key and its colon; quotes around it are left out. */
export function readSimpleKey(cursor: SimpleCursor): Pick<YamlEntry, 'key' | 'keySpan'> | undefined {
  const { text, at: start } = cursor;
  const code = codeAt(cursor);
  cursor.count += 1;
  cursor.entries += 1;
  if (code === codes.doubleQuote || code === codes.singleQuote) {
    const quoted = readQuoted(cursor);
    if (quoted === undefined || codeAt(cursor) !== codes.colon) return undefined;
    const after = text.charCodeAt(cursor.at + 1);
    if (after !== codes.space && after !== codes.lf) return undefined;
    cursor.at += 1;
    return { key: String(quoted.value), keySpan: quoted.span };
  }
  const end = plainKeyEnd(text, start);
  if (end === undefined) return undefined;
  cursor.at = end + 1;
  cursor.count += 2;
  return { key: text.slice(start, end), keySpan: { start, end } };
}
