import type { NodeColumn, NodeColumns } from '../columns/nodes/node-columns.ts';
import type { SqlType } from '../types/sql-type.ts';
import { nameHint } from './name-hint.ts';

/** What a name is among the columns of a node; undefined where it is not known. */
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

/** Says what may be meant by a column that is not there. */
export type ColumnHint = (columns: NodeColumns | undefined, name: string) => string | undefined;

/** The search looks at all columns of a node; a project in which this many are wrong gets no more hints. */
const MAX_SEARCHES = 200;

/** Hints for the unknown columns of one project. A column of which a variable is part of the name is never named. */
export function columnHints(): ColumnHint {
  let searches = 0;
  return (columns, name) => {
    searches += 1;
    if (columns === undefined || searches > MAX_SEARCHES) return undefined;
    const named = [...columns.byName.values()].filter(({ written }) => written === undefined);
    const mayList = named.length === columns.byName.size;
    return nameHint(
      name,
      named.map((column) => column.name),
      { mayList },
    );
  };
}
