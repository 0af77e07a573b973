import type { YamlEntry, YamlNode } from '../yaml-tree.ts';
import { readBlockText } from './simple-block-text.ts';
import { codeAt, codes, endLine, type SimpleCursor, skipBlanks } from './simple-cursor.ts';
import { nested, readInline, readSimpleKey } from './simple-flow.ts';
import { plainKeyEnd } from './simple-scalar.ts';

/** A map whose first key is next, each of its keys indented by as many blanks. */
export function readBlockMap(cursor: SimpleCursor, indent: number): YamlNode | undefined {
  const start = cursor.at;
  const entries: YamlEntry[] = [];
  const keys = new Set<string>();
  do {
    const key = readSimpleKey(cursor);
    if (key === undefined || keys.has(key.key)) return undefined;
    keys.add(key.key);
    const value = readMapValue(cursor, indent);
    if (value === undefined) return undefined;
    entries.push({ ...key, value });
  } while (cursor.indent === indent);
  return cursor.indent > indent
    ? undefined
    : { kind: 'map', span: { start, end: cursor.contentEnd }, entries };
}

/** What follows a key: on its line, or indented below. */
function readMapValue(cursor: SimpleCursor, indent: number): YamlNode | undefined {
  const keyEnd = cursor.at;
  skipBlanks(cursor);
  const code = codeAt(cursor);
  if (code !== codes.lf && code !== codes.hash) return readLineValue(cursor, indent);
  cursor.at = keyEnd;
  if (!endLine(cursor)) return undefined;
  if (isItem(cursor) && cursor.indent >= indent) return readBelow(cursor, readBlockList);
  return cursor.indent > indent ? readBelow(cursor, readBlockMap) : undefined;
}

function readBelow(cursor: SimpleCursor, read: typeof readBlockMap): YamlNode | undefined {
  return nested(cursor, () => read(cursor, cursor.indent));
}

/** A list whose first "-" is next. */
function readBlockList(cursor: SimpleCursor, indent: number): YamlNode | undefined {
  const start = cursor.at;
  const items: YamlNode[] = [];
  do {
    cursor.at += 1;
    cursor.count += 1;
    cursor.entries += 1;
    skipBlanks(cursor);
    const item =
      plainKeyEnd(cursor.text, cursor.at) === undefined
        ? readLineValue(cursor, indent)
        : nested(cursor, () => readBlockMap(cursor, cursor.at - cursor.lineStart));
    if (item === undefined) return undefined;
    items.push(item);
  } while (cursor.indent === indent && isItem(cursor));
  return cursor.indent > indent
    ? undefined
    : { kind: 'list', span: { start, end: cursor.contentEnd }, items };
}

/** A "-" with a blank after it. */
function isItem(cursor: SimpleCursor): boolean {
  return codeAt(cursor) === codes.dash && cursor.text.charCodeAt(cursor.at + 1) === codes.space;
}

/** A value that begins on this line. Lines that go on with it are indented further, which its list or map does not take. */
function readLineValue(cursor: SimpleCursor, indent: number): YamlNode | undefined {
  const code = codeAt(cursor);
  if (code === codes.bar || code === codes.greater) return readBlockText(cursor, indent);
  const value = readInline(cursor, false);
  return value !== undefined && endLine(cursor) ? value : undefined;
}
