import type { SqlNode } from '../src/tree/sql-node.ts';

const PLACES = new Set(['start', 'end', 'nameStart', 'nameEnd', 'operatorStart', 'operatorEnd', 'quoted']);

/** A tree without places and without the difference between quoted and unquoted names. */
export function bareTree(node: SqlNode | undefined): unknown {
  return JSON.parse(
    JSON.stringify(node ?? null, (key, value: unknown) => (PLACES.has(key) ? undefined : value)),
  ) as unknown;
}
