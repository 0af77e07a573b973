import type { ColumnInfluence, ColumnOrigin } from '../nodes/node-columns.ts';

/** From the least that can happen to a value on its way to the most. */
const order: readonly ColumnOrigin['through'][] = ['identity', 'transformation', 'aggregation'];

/** The more of two. */
function mostOf(one: ColumnOrigin['through'], other: ColumnOrigin['through']): ColumnOrigin['through'] {
  return order.indexOf(one) >= order.indexOf(other) ? one : other;
}

/** Each column once, with the most that happens to it on any way. In order of first use. */
export function mergeOrigins(lists: readonly (readonly ColumnOrigin[])[]): readonly ColumnOrigin[] {
  const [only = [], another] = lists;
  if (another === undefined) return only;
  const merged = new Map<string, ColumnOrigin>();
  for (const origin of lists.flat()) {
    const key = `${origin.node} ${origin.column}`;
    const known = merged.get(key);
    merged.set(
      key,
      known === undefined ? origin : { ...known, through: mostOf(known.through, origin.through) },
    );
  }
  return [...merged.values()];
}

/** The origins of a value that is made by this of values with these. */
export function through(
  how: ColumnOrigin['through'],
  origins: readonly ColumnOrigin[],
): readonly ColumnOrigin[] {
  if (how === 'identity') return origins;
  return origins.map((origin) => ({ ...origin, through: mostOf(origin.through, how) }));
}

/** Each influence once, in order of first use. */
export function mergeInfluences(lists: readonly (readonly ColumnInfluence[])[]): readonly ColumnInfluence[] {
  const [only, another] = lists.filter((list) => list.length > 0);
  if (another === undefined) return only ?? [];
  const merged = new Map<string, ColumnInfluence>();
  for (const influence of lists.flat()) {
    const key = `${influence.by} ${influence.node} ${influence.column}`;
    if (!merged.has(key)) merged.set(key, influence);
  }
  return [...merged.values()];
}

/** The columns that values come from, as what decides about rows. */
export function influencesBy(
  by: ColumnInfluence['by'],
  origins: readonly ColumnOrigin[],
): readonly ColumnInfluence[] {
  return origins.map(({ node, column }) => ({ node, column, by }));
}
