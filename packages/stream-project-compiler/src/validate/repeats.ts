/** An item whose key another one before it has. */
export interface Repeat<T> {
  readonly item: T;
  /** The first one with the key. */
  readonly first: T;
}

/** The items of a list that repeat the key of an earlier one, in their order. */
export function repeatsOf<T>(items: readonly T[], keyOf: (item: T) => unknown): readonly Repeat<T>[] {
  const seen = new Map<unknown, T>();
  return items.flatMap((item) => {
    const key = keyOf(item);
    const first = seen.get(key);
    if (first !== undefined) return [{ item, first }];
    seen.set(key, item);
    return [];
  });
}
