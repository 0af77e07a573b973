import { nearestName } from '@levada/stream-project-schema';
import type { NodeColumns } from '../columns/node-columns.ts';
import { quote } from '../diagnostics/quote.ts';

/** Says what may be meant by a column that is not there. */
export type ColumnHint = (columns: NodeColumns | undefined, name: string) => string | undefined;

/** The search looks at all columns of a node; a project in which this many are wrong gets no more hints. */
const MAX_SEARCHES = 200;
/** More columns are no help. */
const MAX_LISTED = 8;

/** Hints for the unknown columns of one project. A column of which a variable is part of the name is never named. */
export function columnHints(): ColumnHint {
  let searches = 0;
  return (columns, name) => {
    searches += 1;
    if (columns === undefined || searches > MAX_SEARCHES) return undefined;
    const names = [...columns.byName.values()].flatMap((column) =>
      column.written === undefined ? column.name : [],
    );
    const near = nearestName(name, names);
    if (near !== undefined) return `did you mean "${near}"?`;
    if (names.length === 0 || names.length > MAX_LISTED || names.length < columns.byName.size)
      return undefined;
    return `there ${names.length === 1 ? 'is' : 'are'} ${names.map(quote).join(', ')}`;
  };
}
