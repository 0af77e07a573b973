import type { RelationColumn } from './relation.ts';

/** Columns with names of their own, as the engine gives them: of two columns `id` the second one is `id0`. */
export function uniqueNames(columns: readonly RelationColumn[]): readonly RelationColumn[] {
  const used = new Set<string>();
  const tried = new Map<string, number>();
  return columns.map((column) => {
    let { name } = column;
    for (let attempt = tried.get(column.name) ?? 0; used.has(name); attempt += 1) {
      name = `${column.name}${attempt}`;
      tried.set(column.name, attempt + 1);
    }
    used.add(name);
    if (name === column.name) return column;
    const { written } = column;
    const number = name.slice(column.name.length);
    return { ...column, name, ...(written === undefined ? {} : { written: `${written}${number}` }) };
  });
}
