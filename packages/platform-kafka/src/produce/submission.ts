import type { ConnectorError } from '@levada/connect-runtime-core';
import type { SendFailure, SendResult } from '@levada/connect-runtime-core/platform';

/** One call of `send`, until each of its records is settled. No promise per record. */
export class Submission {
  readonly result: Promise<SendResult>;
  readonly #total: number;
  readonly #failures: SendFailure[] = [];
  readonly #resolve: (result: SendResult) => void;
  #left: number;

  constructor(total: number) {
    const { promise, resolve } = Promise.withResolvers<SendResult>();
    this.result = promise;
    this.#resolve = resolve;
    this.#total = total;
    this.#left = total;
    if (total === 0) this.#finish();
  }

  /** True when every record is settled. */
  get settled(): boolean {
    return this.#left === 0;
  }

  /** So many more records are stored. */
  stored(count: number): void {
    this.#left -= count;
    if (this.#left === 0) this.#finish();
  }

  /** The record at that index of the batch will not be stored. */
  failed(index: number, error: ConnectorError): void {
    this.#failures.push({ index, error });
    this.stored(1);
  }

  #finish(): void {
    const failures = this.#failures.sort((one, other) => one.index - other.index);
    this.#resolve({ stored: this.#total - failures.length, failures });
  }
}
