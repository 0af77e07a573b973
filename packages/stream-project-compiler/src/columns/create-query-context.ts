import type { LeafNode } from '../parse/typed-node.ts';
import { isReplaced, type ValuePlaces } from '../resolve/place-in-file.ts';
import type { QueryContext } from './query-context.ts';

/** More of one query are not worth reading: they are nearly always consequences of the first. */
const MAX_MISTAKES = 100;

/** SQL that stands in a value, and what it is inferred with. */
export interface QueryText extends Pick<QueryContext, 'tableOf' | 'report' | 'modelOutputs'> {
  readonly sql: ValuePlaces & { readonly leaf: LeafNode };
}

/** What a query is inferred with, for SQL in the value of a file. Nothing of what its variables stand for is shown. */
export function createQueryContext({ sql, report, ...facts }: QueryText): QueryContext {
  const mayHint = !isReplaced(sql.leaf);
  let count = 0;
  return {
    ...facts,
    report: (mistake) => {
      count += 1;
      if (count <= MAX_MISTAKES) report(mistake);
    },
    isFull: () => count >= MAX_MISTAKES,
    rangeOf: (span) => () => sql.rangeOf(span),
    shown: (name) => (mayHint ? name.name : sql.writtenAt(name)),
    written: (name) => (mayHint ? undefined : withVariables(sql.writtenAt(name))),
    mayHint,
    columns: new Map(),
    relations: new Map(),
  };
}

/** A name as it is written, without its backticks, when a variable is part of it. */
function withVariables(written: string): string | undefined {
  return written.includes('${') ? written.replaceAll('`', '') : undefined;
}
