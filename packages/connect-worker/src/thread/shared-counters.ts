import type { MetricGroup, MetricTable } from '@levada/connect-runtime-core';
import type { Counter } from '@levada/connect-runtime-core/host';

/**
 * The counters of one task, in memory that outlives its thread: whatever ends it, everything that was received, stored and dropped until
 * then is known. One writer.
 */
export class SharedCounters {
  readonly memory: SharedArrayBuffer;
  readonly #names: readonly string[];
  readonly #values: Float64Array;

  constructor(table: MetricTable, memory?: SharedArrayBuffer) {
    this.#names = rowsOf(table, 'counter');
    this.memory = memory ?? new SharedArrayBuffer(this.#names.length * Float64Array.BYTES_PER_ELEMENT);
    this.#values = new Float64Array(this.memory);
  }

  /** Continues from what a group has counted. */
  begin(group: MetricGroup): void {
    for (const [at, name] of this.#names.entries()) this.#values[at] = group.counter(name).value;
  }

  /** The counter of a row. */
  counter(name: string): Counter {
    const at = this.#names.indexOf(name);
    const values = this.#values;
    return {
      get value() {
        return values[at] as number;
      },
      set value(value) {
        values[at] = value;
      },
    };
  }

  /** All values, in the order of the table. */
  read(): readonly number[] {
    return [...this.#values];
  }

  /** Puts values in the order of the table into a group. */
  show(values: readonly number[], group: MetricGroup): void {
    for (const [at, name] of this.#names.entries()) group.counter(name).value = values[at] ?? 0;
  }
}

/** Names of the rows of one kind, in the order of the table. */
export function rowsOf(table: MetricTable, kind: 'counter' | 'gauge'): readonly string[] {
  return Object.entries(table).flatMap(([name, row]) => (row.kind === kind ? [name] : []));
}
