import type { GaugeDef, MetricNames, MetricTable } from './metric-def.ts';

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
 * values), removed on delete. A worker gives each task a {@link MetricGroup.part}, and shows the whole.
 */
export class MetricGroup<T extends MetricTable = MetricTable> {
  readonly table: T;
  readonly #counters = new Map<string, Counter>();
  readonly #gauges = new Map<string, () => number>();
  readonly #parts = new Map<number, MetricGroup<T>>();

  /** `counterOf` makes the counters, for those that are kept elsewhere. Default: numbers of its own. */
  constructor(table: T, counterOf: (name: string) => Counter = () => ({ value: 0 })) {
    this.table = table;
    for (const [name, row] of Object.entries(table)) {
      if (row.kind === 'counter') this.#counters.set(name, counterOf(name));
      if (row.kind === 'gauge') this.#gauges.set(name, constant(row.initial ?? 0));
    }
  }

  /**
   * The same metrics of one task, made when there are none yet. From now on the whole shows what its parts have together:
   * sums of what is counted and of gauges of counts and bytes, and of other gauges the least that is known, so that a
   * connector is connected when all of its tasks are.
   */
  part(task: number): MetricGroup<T> {
    const part = this.#parts.get(task) ?? new MetricGroup(this.table);
    this.#parts.set(task, part);
    return part;
  }

  /** Forgets the parts of all other tasks, because they are no more; what they have counted stays. */
  keepParts(tasks: Iterable<number>): void {
    const kept = new Set(tasks);
    for (const [task, part] of this.#parts) {
      if (kept.has(task)) continue;
      this.#parts.delete(task);
      for (const [name, counter] of this.#counters) counter.value += part.#read(name);
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
    return this.#read(name);
  }

  /** Attribute name to value, in table order, with booleans as booleans. */
  snapshot(): Record<string, number | boolean> {
    const values: [string, number | boolean][] = [];
    for (const [name, row] of Object.entries(this.table)) {
      const value = this.#read(name);
      values.push([name, row.unit === 'boolean' ? value !== 0 : value]);
    }
    return Object.fromEntries(values);
  }

  #read(name: string): number {
    const row = this.table[name];
    if (row?.kind === 'derived') return orNaN(() => row.from((other) => this.#read(other)));
    const parts = [...this.#parts.values()];
    if (row?.kind === 'gauge' && parts.length > 0)
      return together(
        row,
        parts.map((part) => part.#read(name)),
      );
    const counter = this.#counters.get(name);
    if (counter === undefined) return orNaN(present(this.#gauges.get(name), name));
    return parts.reduce((sum, part) => sum + part.#read(name), counter.value);
  }
}

function together({ unit, initial }: GaugeDef, values: readonly number[]): number {
  const known = values.filter((value) => value !== initial);
  if (known.length === 0) return initial ?? 0;
  const isAdditive = unit === 'count' || unit === 'bytes';
  return isAdditive ? known.reduce((sum, value) => sum + value, 0) : Math.min(...known);
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
