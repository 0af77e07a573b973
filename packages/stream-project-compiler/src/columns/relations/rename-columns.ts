import type { Identifier } from '@levada/stream-sql';
import { quote } from '../../diagnostics/quote.ts';
import type { QueryContext } from '../query-context.ts';
import { type Relation, type RelationColumn, relationOf } from './relation.ts';

/** A relation whose columns have the names of `AS t (a, b)`. As many names as columns are asked for. */
export function renamed(
  relation: Relation,
  names: readonly Identifier[],
  { report, written, shown }: Pick<QueryContext, 'report' | 'written' | 'shown'>,
): Relation {
  const [first] = names;
  if (first === undefined) return relation;
  const seen = new Set<string>();
  const again = names.find(({ name }) => seen.size === seen.add(name).size);
  if (again !== undefined) {
    const { start, end } = again;
    const message = `duplicate name ${quote(shown(again))} in the list`;
    report({ name: 'duplicate-table-column', message, start, end });
  }
  const { columns, open } = relation;
  if (open === undefined && columns.length !== names.length) {
    report({
      name: 'column-count',
      message: `${names.length} names for ${columns.length} columns, expected one name for each column`,
      start: first.start,
      end: names.at(-1)?.end ?? first.end,
    });
    return relation;
  }
  const known = open === undefined;
  const listed = names.map((named, index): RelationColumn => {
    const { name, start, end } = named;
    const column = known ? columns[index] : undefined;
    const { written: _, ...facts }: Omit<RelationColumn, 'name'> = column ?? {
      type: undefined,
      time: 'uncertain',
      origins: open?.origins ?? [],
    };
    const shown = written(named);
    return { ...facts, name, ...(shown === undefined ? {} : { written: shown }), span: { start, end } };
  });
  return relationOf({ ...relation, columns: listed, open: undefined, key: [] });
}

/** Gives a column a name of its own, as the engine does: of two columns `id` the second one is `id0`. */
type GiveName = (column: RelationColumn) => RelationColumn;

/** Gives names that are not in use; each is in use from then on. Takes time linear in the number of columns. */
export function namesBeside(used: Set<string>): GiveName {
  const tried = new Map<string, number>();
  return (column) => {
    let { name } = column;
    for (let attempt = tried.get(column.name) ?? 0; used.has(name); attempt += 1) {
      name = `${column.name}${attempt}`;
      tried.set(column.name, attempt + 1);
    }
    used.add(name);
    if (name === column.name) return column;
    const { written } = column;
    const number = name.slice(column.name.length);
    return {
      ...column,
      name,
      repeats: column.name,
      ...(written === undefined ? {} : { written: `${written}${number}` }),
    };
  };
}

/** Columns with names of their own. */
export function uniqueNames(columns: readonly RelationColumn[]): readonly RelationColumn[] {
  return columns.map(namesBeside(new Set()));
}
