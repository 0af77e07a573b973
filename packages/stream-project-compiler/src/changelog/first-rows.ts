import { engineVersions } from '../types/functions/engine-dialect.ts';
import type { Changes } from './changes.ts';
import type { ChangesContext } from './changes-context.ts';

/** Since when the planner takes such first rows for appended: for MIN and MAX (FLINK-39966), and for all readers (FLINK-40368). */
const SINCE = { extremes: engineVersions.indexOf('2.0'), all: engineVersions.indexOf('2.1') };

/** Whether the planner takes such first rows for appended. */
export function mayMiss({ columns }: Pick<ChangesContext, 'columns'>): boolean {
  return columns.dialect.release >= SINCE.extremes;
}

/** Reports first rows that the planner takes for appended where something reads them that has to know of replaced ones. */
export function reportUnseen(
  { unseen }: Changes,
  reader: string,
  { erratum, columns }: ChangesContext,
): void {
  if (
    unseen === undefined ||
    columns.dialect.release < (reader === 'MIN or MAX' ? SINCE.extremes : SINCE.all)
  )
    return;
  erratum?.({
    kind: 'finding',
    name: 'engine-repeats-first-row',
    message: `${reader} also gets the rows that were replaced: the engine takes the first rows in this order for appended`,
    hint: 'order by one column with DESC, such as -x DESC NULLS FIRST for x, or write these rows into a model of their own, and read that',
    ...unseen,
  });
}
