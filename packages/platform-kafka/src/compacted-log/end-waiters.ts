import type { ConnectorError } from '@levada/connect-runtime-core';
import { endOf } from '../model/retrying.ts';

interface Waiter {
  /** Offset to reach by partition. Reached ones are removed. */
  readonly missing: Map<number, number>;
  readonly resolve: () => void;
  readonly reject: (error: ConnectorError) => void;
}

/** Callers waiting until partitions are read up to certain offsets. */
export class EndWaiters {
  readonly #waiters = new Set<Waiter>();
  readonly #offsetOf: (partition: number) => number;

  /** `offsetOf` returns the offset of the next record of a partition. */
  constructor(offsetOf: (partition: number) => number) {
    this.#offsetOf = offsetOf;
  }

  /** Resolves when every partition is read up to its offset. Rejects when the signal aborts. */
  wait(ends: ReadonlyMap<number, number>, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiters.delete(waiter);
        signal.removeEventListener('abort', abort);
      };
      const abort = (): void => waiter.reject(endOf(signal));
      const waiter: Waiter = {
        missing: new Map(ends),
        resolve: () => {
          leave();
          resolve();
        },
        reject: (error) => {
          leave();
          reject(error);
        },
      };
      this.#waiters.add(waiter);
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
      else this.#settle(waiter);
    });
  }

  /** Call it when an offset has grown. */
  noteAdvance(): void {
    for (const waiter of this.#waiters) this.#settle(waiter);
  }

  /** Rejects every {@link wait}, because its offset will not be reached. */
  reject(error: ConnectorError): void {
    for (const waiter of this.#waiters) waiter.reject(error);
  }

  #settle({ missing, resolve }: Waiter): void {
    for (const [partition, end] of missing) {
      if (this.#offsetOf(partition) >= end) missing.delete(partition);
    }
    if (missing.size === 0) resolve();
  }
}
