import {
  type ParsedSql,
  parseSql,
  type QueryKind,
  queryKind,
  type TableReference,
  tableReferences,
} from '@levada/stream-sql';
import type { Definition } from '../parse/definition.ts';
import { type TextNode, textAt } from '../parse/known-value.ts';
import type { LeafNode } from '../parse/typed-node.ts';
import { type RangeOf, type ValuePlaces, valuePlaces } from './place-in-file.ts';

/** The SQL of a model, read. */
export interface ModelSql extends ValuePlaces {
  readonly leaf: LeafNode;
  /** With its variables replaced. */
  readonly text: string;
  readonly parsed: ParsedSql;
  /** Undefined where there is nothing like a query. */
  readonly kind: QueryKind | undefined;
  /** Tables named without a macro, other than the query's own common tables. */
  readonly plainTables: readonly TableReference[];
}

/** The SQL of a model as written; undefined when it has none, or a value that is not a string. */
export function sqlLeaf({ node }: Definition<'model'>): TextNode | undefined {
  return textAt(node, 'sql');
}

/** Reads the SQL of a model. */
export function readModelSql(model: Definition<'model'>, leaf: TextNode): ModelSql {
  const places = valuePlaces(model, leaf);
  const parsed = parseLeafSql(leaf.value, leaf, places.rangeOf);
  const { query } = parsed;
  const kind = query === undefined ? undefined : queryKind(query);
  const tables = query === undefined ? [] : tableReferences(query);
  const plainTables = tables.filter((table) => table.kind === 'table');
  return { leaf, text: leaf.value, parsed, kind, plainTables, ...places };
}

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
  const message = 'the comment includes the lines after it, because YAML folds them into one';
  const hint = 'write "|" before the SQL, which keeps lines apart';
  return {
    ...parsed,
    diagnostics: [{ code: 'sql-folded-comment', message, hint, start, end: start + 2 }],
  };
}
