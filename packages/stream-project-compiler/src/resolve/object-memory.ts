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
  const computed = new WeakMap<object, Map<unknown, Computed>>();
  const quiet = new WeakMap<object, Map<string, readonly unknown[]>>();
  const remembered = new WeakMap<object, Map<string, Computed>>();
  return {
    remember: <V>(
      name: string,
      { object, needs }: { readonly object: object; readonly needs: readonly unknown[] },
      compute: () => V,
    ): V => {
      const known = below(remembered, object);
      const before = known.get(name);
      // Each name maps only to results of its own type
      if (before !== undefined && isSame(before.needs, needs)) return before.value as V;
      const value = compute();
      known.set(name, { needs, value });
      return value;
    },
    recall: <K extends object, N extends readonly unknown[], V>(
      compute: (object: K, ...needs: N) => V,
      object: K,
      needs: N,
    ): V => {
      const known = below(computed, object);
      const before = known.get(compute);
      // Each function maps only to its own results
      if (before !== undefined && isSame(before.needs, needs)) return before.value as V;
      const value = compute(object, ...needs);
      known.set(compute, { needs, value });
      return value;
    },
    check: (name, { object, needs }, check) => {
      const known = below(quiet, object);
      const before = known.get(name);
      if (before !== undefined && isSame(before, needs)) return [];
      const found = check();
      if (found.length === 0) known.set(name, needs);
      else known.delete(name);
      return found;
    },
  };
}

function below<K, V>(memory: WeakMap<object, Map<K, V>>, object: object): Map<K, V> {
  const known = memory.get(object);
  if (known !== undefined) return known;
  const made = new Map<K, V>();
  memory.set(object, made);
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
