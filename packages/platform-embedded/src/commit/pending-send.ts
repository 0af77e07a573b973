import type { ConnectorError } from '@levada/connect-runtime-core';
import type { SendFailure, SendResult } from '@levada/connect-runtime-core/platform';

/** A batch on its way: settled once every record of it is stored or failed. */
export class PendingSend {
  /** Settles once; never rejects. */
  readonly result: Promise<SendResult>;
  /** When it is given up, on the monotonic clock. */
  readonly deadline: number;
  readonly #records: number;
  readonly #resolve: (result: SendResult) => void;
  readonly #failures: SendFailure[] = [];
  /** Groups that are not settled, and one for the batch that is still being handed over. */
  #open = 1;

  constructor(records: number, deadline: number) {
    const { promise, resolve } = Promise.withResolvers<SendResult>();
    this.result = promise;
    this.#resolve = resolve;
    this.#records = records;
    this.deadline = deadline;
  }

  /** Whether it is settled. */
  get settled(): boolean {
    return this.#open <= 0;
  }

  /** One more group carries records of it. */
  expect(): void {
    this.#open += 1;
  }

  /** A record failed at once. */
  refuse(index: number, error: ConnectorError): void {
    this.#failures.push({ index, error });
  }

  /** A group of it is stored; or: all is handed over. */
  stored(): void {
    this.#open -= 1;
    if (this.#open !== 0) return;
    this.#failures.sort((a, b) => a.index - b.index);
    this.#resolve({ stored: this.#records - this.#failures.length, failures: this.#failures });
  }

  /** Stops waiting: what is not settled fails with this error, even if it is stored later. */
  abandon(error: ConnectorError): void {
    if (this.settled) return;
    this.#open = 1;
    this.failed(0, this.#records, error);
  }

  /**
   * The records from `from` to `to` (exclusive) are given up, except those refused before. A delivery that carries no
   * records fails as if it had one.
   */
  failed(from: number, to: number, error: ConnectorError): void {
    const refused = new Set(this.#failures.map((failure) => failure.index));
    for (let index = from; index < Math.max(to, from + 1); index += 1) {
      if (!refused.has(index)) this.#failures.push({ index, error });
    }
    this.stored();
  }
}
