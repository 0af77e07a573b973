/** Results computed from single objects, kept for as long as the objects exist, so that they are not computed again. */
export interface ObjectMemory {
  /**
   * What `compute` gives for an object and `needs`; computed at the first call, and again when a need is another object than in
   * the call before. `compute` is always the same function, and looks at nothing else. Neither object nor needs ever change.
   */
  readonly recall: <K extends object, N extends readonly unknown[], V>(
    compute: (object: K, ...needs: N) => V,
    object: K,
    needs: N,
  ) => V;
  /**
   * What a check finds about an object. A check that found nothing is not repeated for the same object as long as `needs`,
   * everything else that it reads, are the same objects. `name` distinguishes checks.
   */
  readonly check: <T>(
    name: string,
    about: { readonly object: object; readonly needs: readonly unknown[] },
    check: () => readonly T[],
  ) => readonly T[];
  /**
   * What `compute` gives for an object; computed again when a need is another object or value than in the call before. `name`
   * distinguishes computations: of one name and object all give the same type. `needs` are all that it reads beside the object.
   */
  readonly remember: <V>(
    name: string,
    about: { readonly object: object; readonly needs: readonly unknown[] },
    compute: () => V,
  ) => V;
}

interface Computed {
  readonly needs: readonly unknown[];
  readonly value: unknown;
}

/** An empty memory. */
export function createObjectMemory(): ObjectMemory {
  // Names and functions are few, objects many: a map for each object would be a fiftieth of all memory that is allocated
  const computed = new Map<unknown, WeakMap<object, Computed>>();
  const quiet = new Map<string, WeakMap<object, readonly unknown[]>>();
  return {
    remember: <V>(
      name: string,
      { object, needs }: { readonly object: object; readonly needs: readonly unknown[] },
      compute: () => V,
    ): V => {
      const known = resultsOf(computed, name);
      const before = known.get(object);
      // Each name maps only to results of its own type
      if (before !== undefined && isSame(before.needs, needs)) return before.value as V;
      const value = compute();
      known.set(object, { needs, value });
      return value;
    },
    recall: <K extends object, N extends readonly unknown[], V>(
      compute: (object: K, ...needs: N) => V,
      object: K,
      needs: N,
    ): V => {
      const known = resultsOf(computed, compute);
      const before = known.get(object);
      // Each function maps only to its own results
      if (before !== undefined && isSame(before.needs, needs)) return before.value as V;
      const value = compute(object, ...needs);
      known.set(object, { needs, value });
      return value;
    },
    check: (name, { object, needs }, check) => {
      const known = resultsOf(quiet, name);
      const before = known.get(object);
      if (before !== undefined && isSame(before, needs)) return [];
      const found = check();
      if (found.length === 0) known.set(object, needs);
      else known.delete(object);
      return found;
    },
  };
}

/** Lists that have the same items as those of the call before, as the same objects again: what is made of them is not made again. */
export function keepLists<T extends Readonly<Record<string, readonly unknown[]>>>(
  name: string,
  memory: ObjectMemory,
  lists: T,
): T {
  const entries = Object.entries(lists).map(([key, list]): [string, unknown] => [
    key,
    memory.remember(`${name} ${key}`, { object: memory, needs: list }, () => list),
  ]);
  // Each list is the given one, or equal to it
  return Object.fromEntries(entries) as T;
}

function resultsOf<K, V>(memory: Map<K, WeakMap<object, V>>, name: K): WeakMap<object, V> {
  const known = memory.get(name);
  if (known !== undefined) return known;
  const made = new WeakMap<object, V>();
  memory.set(name, made);
  return made;
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  // Compared for every object at every call: "every" takes twice as long
  for (let index = 0; index < one.length; index += 1) {
    if (one[index] !== other[index]) return false;
  }
  return true;
}
