import type { RelationColumn } from './relation.ts';

/** Gives a column a name of its own, as the engine does: of two columns `id` the second one is `id0`. */
export type GiveName = (column: RelationColumn) => RelationColumn;

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
