import { type ParsedSql, parseSql } from '@levada/stream-sql';
import type { LeafNode } from '../parse/typed-node.ts';
import type { RangeOf } from './place-in-file.ts';

/** Reads SQL in a value of a file. Where YAML folded its lines, a comment at the end of one takes in all that follow. */
export function parseLeafSql(
  text: string,
  { scalar }: Pick<LeafNode, 'scalar'>,
  rangeOf: RangeOf,
): ParsedSql {
  const parsed = parseSql(text);
  if (scalar.style === 'literal') return parsed;
  const folded = parsed.comments.find((comment) => {
    if (!/^(?:--|\/\/|#)/.test(text.slice(comment.start, comment.start + 2))) return false;
    const { start, end } = rangeOf(comment);
    return start.line !== end.line;
  });
  if (folded === undefined) return parsed;
  const { start } = folded;
  // What else seems to be wrong with the query follows from what is missing
  if (text[start] === '#') {
    return { ...parsed, diagnostics: parsed.diagnostics.filter((found) => found.start === start) };
  }
  const message = 'the comment takes in the lines below it, because YAML folds them into one';
  const hint = 'write "|" before the SQL, which keeps lines apart';
  return {
    ...parsed,
    diagnostics: [{ code: 'sql-folded-comment', message, hint, start, end: start + 2 }],
  };
}
