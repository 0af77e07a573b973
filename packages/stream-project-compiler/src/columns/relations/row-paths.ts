import type { SqlType } from '../../types/sql-type.ts';

/** Where a name is in a row: the fields on the way to it, or that several of one depth have it. */
export interface RowPath {
  readonly depth: number;
  readonly fields: readonly string[] | 'ambiguous';
}

/** The names of all fields of a row, and of the rows in it. Of a name on several depths the outermost counts. */
export function rowPaths(row: SqlType): ReadonlyMap<string, RowPath> {
  const paths = new Map<string, RowPath>();
  let level: readonly { readonly type: SqlType; readonly fields: readonly string[] }[] = [
    { type: row, fields: [] },
  ];
  for (let depth = 0; level.length > 0; depth += 1) {
    const below: { type: SqlType; fields: readonly string[] }[] = [];
    for (const { type, fields } of level) {
      for (const field of type.name === 'ROW' ? type.fields : []) {
        const path = [...fields, field.name];
        const known = paths.get(field.name);
        if (known === undefined) paths.set(field.name, { depth, fields: path });
        else if (known.depth === depth) paths.set(field.name, { depth, fields: 'ambiguous' });
        if (field.type?.name === 'ROW') below.push({ type: field.type, fields: path });
      }
    }
    level = below;
  }
  return paths;
}
