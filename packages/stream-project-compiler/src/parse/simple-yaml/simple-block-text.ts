import type { YamlScalar } from '../yaml-tree.ts';
import { codeAt, codes, type SimpleCursor, scalarAt, toContent } from './simple-cursor.ts';

/**
 * A text of several lines after "|", "|-", ">" or ">-". Not simple are other headers, blanks on empty lines, and folded texts
 * with empty lines or lines that are indented further.
 */
export function readBlockText(cursor: SimpleCursor, parentIndent: number): YamlScalar | undefined {
  const start = cursor.at;
  const style = codeAt(cursor) === codes.bar ? 'literal' : 'folded';
  cursor.at += 1;
  const strip = codeAt(cursor) === codes.dash;
  if (strip) cursor.at += 1;
  if (codeAt(cursor) !== codes.lf) return undefined;
  cursor.at += 1;
  const lines = readLines(cursor, parentIndent);
  if (lines === undefined || (style === 'folded' && !lines.every(isFoldable))) return undefined;
  cursor.count += 3;
  const value = lines.join(style === 'literal' ? '\n' : ' ');
  const span = { start, end: cursor.contentEnd };
  return toContent(cursor) ? scalarAt(span, strip ? value : `${value}\n`, style) : undefined;
}

function isFoldable(line: string): boolean {
  return line !== '' && !line.startsWith(' ') && !line.endsWith(' ');
}

/** Lines without what all are indented by; empty ones at the end are none of them. */
function readLines(cursor: SimpleCursor, parentIndent: number): readonly string[] | undefined {
  const { text } = cursor;
  const lines: string[] = [];
  let filled = 0;
  let indent: number | undefined;
  while (cursor.at < text.length) {
    const start = cursor.at;
    const end = text.indexOf('\n', start);
    let content = start;
    while (text.charCodeAt(content) === codes.space) content += 1;
    const blanks = content - start;
    if (content === end) {
      if (blanks > 0 || indent === undefined) return undefined;
      lines.push('');
    } else {
      if (blanks <= parentIndent) break;
      indent ??= blanks;
      if (blanks < indent) return undefined;
      lines.push(text.slice(start + indent, end));
      filled = lines.length;
      cursor.contentEnd = end + 1;
    }
    cursor.at = end + 1;
  }
  cursor.at = cursor.contentEnd;
  cursor.lines += lines.length;
  return filled === 0 ? undefined : lines.slice(0, filled);
}
