import type { NodeColumns } from '../columns/nodes/node-columns.ts';
import { nameHint } from './name-hint.ts';

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
