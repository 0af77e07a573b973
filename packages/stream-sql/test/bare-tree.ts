import type { SqlNode } from '../src/tree/sql-node.ts';

const PLACES = new Set(['start', 'end', 'nameStart', 'nameEnd', 'operatorStart', 'operatorEnd', 'quoted']);

/** A tree without what depends on how it is written: places, and whether names are in backticks. */
export function bareTree(node: SqlNode | undefined): unknown {
  return JSON.parse(
    JSON.stringify(node ?? null, (key, value: unknown) => (PLACES.has(key) ? undefined : value)),
  ) as unknown;
}
