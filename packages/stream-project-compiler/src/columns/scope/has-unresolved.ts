import { type Expression, walkSql } from '@levada/stream-sql';
import type { QueryContext } from '../query-context.ts';

/** Whether an expression names a column that there is not, which was reported: what follows from it is not worth saying. */
export function hasUnresolved(node: Expression, { columns }: QueryContext): boolean {
  let found = false;
  walkSql(node, (part) => {
    found ||= part.kind === 'column' && columns.get(part) === undefined;
    return found ? 'skip' : undefined;
  });
  return found;
}
