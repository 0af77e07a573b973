import type { Span } from '../text/span.ts';
import type { Macro, TableName } from '../tree/names.ts';
import type { Query } from '../tree/query.ts';
import type { SqlNode } from '../tree/sql-node.ts';
import { childNodes } from './walk-sql.ts';

export interface TableReference {
  /** `table` is a name without a macro that is not one of the query's own common tables. */
  readonly kind: 'source' | 'ref' | 'table';
  /** The name in the macro, or the path of a plain name, joined by dots. */
  readonly name: string;
  /** Every place that names the table, in order of the text. For a macro, the name between the quotes. */
  readonly places: readonly Span[];
}

/** Common tables of one query: their names, and the offset from which each is visible. */
interface Scope {
  readonly tables: ReadonlyMap<string, number>;
  readonly outer: Scope | undefined;
}

interface Waiting {
  readonly node: SqlNode;
  readonly scope: Scope | undefined;
}

/** Tables that a query reads, each once, in order of first use. */
export function tableReferences(query: Query): TableReference[] {
  const found = new Map<string, { kind: TableReference['kind']; name: string; places: Span[] }>();
  const waiting: Waiting[] = [{ node: query, scope: undefined }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node } = next;
    // The model of a machine-learning function looks like a table name but is not one
    if (node.kind === 'model-argument' && node.model.kind === 'table-name') continue;
    const scope = node.kind === 'query' && node.with.length > 0 ? scopeOf(node, next.scope) : next.scope;
    if (node.kind === 'macro' || node.kind === 'table-name') {
      const reference = referenceOf(node, scope);
      if (reference === undefined) continue;
      const { kind, name, place } = reference;
      const key = `${kind} ${name}`;
      const entry = found.get(key) ?? { kind, name, places: [] };
      entry.places.push(place);
      found.set(key, entry);
    }
    const children = childNodes(node);
    for (let child = children.pop(); child !== undefined; child = children.pop()) {
      waiting.push({ node: child, scope });
    }
  }
  return [...found.values()];
}

function scopeOf(query: Query, outer: Scope | undefined): Scope {
  return { tables: new Map(query.with.map(({ name, end }) => [name.name, end])), outer };
}

function referenceOf(
  node: Macro | TableName,
  scope: Scope | undefined,
): { kind: TableReference['kind']; name: string; place: Span } | undefined {
  if (node.kind === 'macro') {
    return { kind: node.macro, name: node.name, place: { start: node.nameStart, end: node.nameEnd } };
  }
  const [first] = node.path;
  if (first === undefined || (node.path.length === 1 && isCommonTable(first.name, node.start, scope)))
    return undefined;
  const name = node.path.map((part) => part.name).join('.');
  return { kind: 'table', name, place: { start: node.start, end: node.end } };
}

function isCommonTable(name: string, at: number, scope: Scope | undefined): boolean {
  for (let level = scope; level !== undefined; level = level.outer) {
    if ((level.tables.get(name) ?? Number.POSITIVE_INFINITY) <= at) return true;
  }
  return false;
}
