import type { Definition } from '../parse/definition.ts';
import type { LeafNode } from '../parse/typed-node.ts';
import { type QueryKind, queryKind } from '../sql/analysis/query-kind.ts';
import { type TableReference, tableReferences } from '../sql/analysis/table-references.ts';
import { type ParsedSql, parseSql } from '../sql/parse-sql.ts';
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

/** Reads the SQL of a model; undefined when it has none, or a value that is no text. */
export function readModelSql(model: Definition<'model'>): ModelSql | undefined {
  const leaf = model.node.entries.get('sql')?.node;
  if (leaf?.kind !== 'leaf' || !leaf.known || typeof leaf.value !== 'string') return undefined;
  const parsed = parseSql(leaf.value);
  const { query } = parsed;
  const kind = query === undefined ? undefined : queryKind(query);
  const tables = query === undefined ? [] : tableReferences(query);
  const plainTables = tables.filter((table) => table.kind === 'table');
  return { leaf, text: leaf.value, parsed, kind, plainTables, ...valuePlaces(model, leaf) };
}
