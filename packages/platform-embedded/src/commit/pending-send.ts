import type { ConnectorError } from '@levada/connect-runtime-core';
import type { SendFailure, SendResult } from '@levada/connect-runtime-core/platform';

/** A batch in flight. It is settled once every record is stored or has failed. */
export class PendingSend {
  /** Settles once; never rejects. */
  readonly result: Promise<SendResult>;
  /** Time at which it is given up, on the monotonic clock. */
  readonly deadline: number;
  readonly #records: number;
  readonly #resolve: (result: SendResult) => void;
  readonly #failures: SendFailure[] = [];
  /** Groups that are not settled, plus one until the batch is complete. */
  #open = 1;

  constructor(records: number, deadline: number) {
    const { promise, resolve } = Promise.withResolvers<SendResult>();
    this.result = promise;
    this.#resolve = resolve;
    this.#records = records;
    this.deadline = deadline;
  }

  get settled(): boolean {
    return this.#open <= 0;
  }

  /** Adds a group that contains records of this delivery. */
  expect(): void {
    this.#open += 1;
  }

  /** Fails a record at once. */
  refuse(index: number, error: ConnectorError): void {
    this.#failures.push({ index, error });
  }

  /** Completes one of its groups, or the batch itself. */
  completePart(): void {
    this.#open -= 1;
    if (this.#open !== 0) return;
    this.#failures.sort((a, b) => a.index - b.index);
    this.#resolve({ stored: this.#records - this.#failures.length, failures: this.#failures });
  }

  /** Settles now: open records fail with this error, even if they are stored later. */
  abandon(error: ConnectorError): void {
    if (this.settled) return;
    this.#open = 1;
    this.failRecords(0, this.#records, error);
  }

  /** Fails the records from `from` to `to` (exclusive), except refused ones. A delivery without records fails as if it had one. */
  failRecords(from: number, to: number, error: ConnectorError): void {
    const refused = new Set(this.#failures.map((failure) => failure.index));
    for (let index = from; index < Math.max(to, from + 1); index += 1) {
      if (!refused.has(index)) this.#failures.push({ index, error });
    }
    this.completePart();
  }
}
