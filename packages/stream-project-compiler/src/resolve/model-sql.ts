import {
  type ParsedSql,
  type QueryKind,
  queryKind,
  type TableReference,
  tableReferences,
} from '@levada/stream-sql';
import type { Definition } from '../parse/definition.ts';
import { type TextNode, textAt } from '../parse/known-value.ts';
import type { LeafNode } from '../parse/typed-node.ts';
import { parseLeafSql } from './parse-leaf-sql.ts';
import { type ValuePlaces, valuePlaces } from './place-in-file.ts';

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

/** The SQL of a model as it stands there; undefined when it has none, or a value that is no text. */
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
