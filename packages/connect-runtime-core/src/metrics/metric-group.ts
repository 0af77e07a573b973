import type { MetricNames, MetricTable } from './metric-def.ts';

/** A number that only grows. A plain field, because it is counted once per message. */
export interface Counter {
  value: number;
}

/** The identity of a group, as the seeds' object names have it: `<domain>:type=<type>,<key>=<value>,...`. */
export interface MetricObjectName {
  readonly domain: string;
  readonly type: string;
  /** Further keys in order, for example `name` and `url`. */
  readonly keys: Readonly<Record<string, string>>;
}

/**
 * Live values of one metric table. Created by the runtime, kept while the connector exists (a failed task keeps its last
 * values), removed on delete.
 */
export class MetricGroup<T extends MetricTable = MetricTable> {
  readonly table: T;
  readonly #counters = new Map<string, Counter>();
  readonly #gauges = new Map<string, () => number>();

  constructor(table: T) {
    this.table = table;
    for (const [name, row] of Object.entries(table)) {
      if (row.kind === 'counter') this.#counters.set(name, { value: 0 });
      if (row.kind === 'gauge') this.#gauges.set(name, constant(row.initial ?? 0));
    }
  }

  /** The live counter of a row; keep it and add to its `value`. */
  counter(name: MetricNames<T, 'counter'>): Counter {
    return present(this.#counters.get(name), name);
  }

  /** True when the table has a counter of that name. */
  hasCounter(name: string): boolean {
    return this.#counters.has(name);
  }

  /** From now on the gauge shows this value. */
  set(name: MetricNames<T, 'gauge'>, value: number): void {
    present(this.#gauges.get(name), name);
    this.#gauges.set(name, constant(value));
  }

  /** From now on the gauge is read from this function each time. A task that ends freezes its gauges with {@link set}. */
  observe(name: MetricNames<T, 'gauge'>, read: () => number): void {
    present(this.#gauges.get(name), name);
    this.#gauges.set(name, read);
  }

  /** The present value of any row, derived ones computed. NaN when the function that was given for it throws. */
  read(name: keyof T & string): number {
    const row = this.table[name];
    if (row?.kind === 'derived')
      return orNaN(() => row.from((other) => this.read(other as keyof T & string)));
    if (row?.kind === 'counter') return this.counter(name as MetricNames<T, 'counter'>).value;
    return orNaN(present(this.#gauges.get(name), name));
  }

  /** Attribute name to value, in table order, with booleans as booleans. */
  snapshot(): Record<string, number | boolean> {
    const values: [string, number | boolean][] = [];
    for (const [name, row] of Object.entries(this.table)) {
      const value = this.read(name as keyof T & string);
      values.push([name, row.unit === 'boolean' ? value !== 0 : value]);
    }
    return Object.fromEntries(values);
  }
}

function constant(value: number): () => number {
  return () => value;
}

/** One value that cannot be had must not keep people from seeing all the others. */
function orNaN(read: () => number): number {
  try {
    return read();
  } catch {
    return Number.NaN;
  }
}

function present<V>(value: V | undefined, name: string): V {
  if (value === undefined) throw new Error(`metric "${name}" is not in the table, or of another kind`);
  return value;
}
