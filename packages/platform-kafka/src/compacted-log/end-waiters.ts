import type { ConnectorError } from '@levada/connect-runtime-core';
import { endOf } from '../model/retrying.ts';

interface Waiter {
  /** Partition to the offset to reach; those reached are taken out. */
  readonly missing: Map<number, number>;
  readonly resolve: () => void;
  readonly reject: (error: ConnectorError) => void;
}

/** Those who wait until partitions are read up to certain offsets. */
export class EndWaiters {
  readonly #waiters = new Set<Waiter>();

  /** Resolves when every partition is read up to its offset. Rejects when the signal aborts. */
  wait(
    ends: ReadonlyMap<number, number>,
    positions: ReadonlyMap<number, number>,
    signal: AbortSignal,
  ): Promise<void> {
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
      else settle(waiter, positions);
    });
  }

  /** To be called when a position has moved. */
  advanced(positions: ReadonlyMap<number, number>): void {
    for (const waiter of this.#waiters) settle(waiter, positions);
  }

  /** Nobody can be served any more. */
  reject(error: ConnectorError): void {
    for (const waiter of this.#waiters) waiter.reject(error);
  }
}

function settle({ missing, resolve }: Waiter, positions: ReadonlyMap<number, number>): void {
  for (const [partition, end] of missing) {
    if ((positions.get(partition) ?? 0) >= end) missing.delete(partition);
  }
  if (missing.size === 0) resolve();
}
