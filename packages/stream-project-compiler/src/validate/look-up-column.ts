import type { NodeColumn, NodeColumns } from '../columns/nodes/node-columns.ts';
import type { SqlType } from '../types/sql-type.ts';

/** What a name is among the columns of a node; undefined where it cannot be told. */
export type LookedUpColumn =
  | { readonly is: 'column'; readonly column: NodeColumn; readonly type: SqlType | undefined }
  | { readonly is: 'nothing' };

/**
 * Looks for a column by its name, or for a field of one by a path such as `address.city`. Where not all columns are known,
 * one that is not found may still be there.
 */
export function lookUpColumn(columns: NodeColumns | undefined, name: string): LookedUpColumn | undefined {
  if (columns === undefined) return undefined;
  const column = columns.byName.get(name);
  if (column !== undefined) return { is: 'column', column, type: column.type };
  const field = findField(columns, name.split('.'));
  if (field !== undefined) return field;
  return columns.incomplete === undefined ? { is: 'nothing' } : undefined;
}

function findField(
  columns: NodeColumns,
  [first = '', ...rest]: readonly string[],
): LookedUpColumn | undefined {
  const column = columns.byName.get(first);
  if (column === undefined || rest.length === 0) return undefined;
  let { type } = column;
  for (const step of rest) {
    if (type === undefined) break;
    const field = type.name === 'ROW' ? type.fields.find(({ name }) => name === step) : undefined;
    if (field === undefined) return { is: 'nothing' };
    type = field.type;
  }
  return { is: 'column', column, type };
}
