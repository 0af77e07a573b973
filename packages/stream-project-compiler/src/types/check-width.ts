import type { Query, Span } from '@levada/stream-sql';
import { reportMismatch, type TypeWalk } from './type-walk.ts';

interface WantedWidth {
  readonly wanted: number;
  readonly span: Span;
  /** What the columns stand for, as the message names it. */
  readonly by: string;
}

/** Reports a query that stands for a value, or for a row of several, and has another number of columns. */
export function checkWidth(query: Query, { wanted, span, by }: WantedWidth, walk: TypeWalk): void {
  const width = walk.width?.(query);
  if (width === undefined || width === wanted) return;
  const message = `a query of ${columns(width)} as ${by}, ${columns(wanted)} ${wanted === 1 ? 'was' : 'were'} expected`;
  reportMismatch(walk, span, message);
}

function columns(count: number): string {
  return count === 1 ? '1 column' : `${count} columns`;
}
