import type { NodeColumn, NodeColumns } from './node-columns.ts';

/** The columns of a node with the index of their names. */
export function nodeColumns({
  columns,
  incomplete,
  influences = [],
}: Pick<NodeColumns, 'columns'> & Partial<NodeColumns>): NodeColumns {
  const byName = new Map<string, NodeColumn>();
  for (const column of columns) if (!byName.has(column.name)) byName.set(column.name, column);
  return { columns, byName, influences, ...(incomplete === undefined ? {} : { incomplete }) };
}
