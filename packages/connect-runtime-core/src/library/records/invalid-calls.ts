import type { SourceRecord } from '../../contract/source-record.ts';
import type { ConnectorError } from '../../diagnostics/connector-error.ts';
import type { OnInvalid } from './record-feed.ts';
import { plainRecord } from './record-values.ts';

/** Calls the function for invalid records where nothing can be waited for, and waits for it with what comes next. */
export class InvalidCalls {
  readonly #onInvalid: OnInvalid;
  #open: Promise<unknown> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;
  #fail: ((error: unknown) => void) | undefined;

  constructor(onInvalid: OnInvalid) {
    this.#onInvalid = onInvalid;
  }

  /** Passes an invalid record to the function, if that is what is to be done. What it throws is thrown. */
  call(record: SourceRecord, error: ConnectorError): void {
    if (typeof this.#onInvalid !== 'function') return;
    const called = Promise.resolve(this.#onInvalid(plainRecord(record), error)).catch((thrown: unknown) => {
      this.#failure ??= { error: thrown };
      this.#fail?.(thrown);
    });
    this.#open = Promise.all([this.#open, called]);
  }

  /**
   * The records that come next, once the function is through with those before. Rejects as soon as it failed, also while records are
   * waited for.
   */
  async orFailure(next: Promise<readonly SourceRecord[]>): Promise<readonly SourceRecord[]> {
    const records = await new Promise<readonly SourceRecord[]>((resolve, reject) => {
      this.#fail = reject;
      if (this.#failure !== undefined) reject(this.#failure.error);
      next.then(resolve, reject);
    });
    await this.#open;
    if (this.#failure !== undefined) throw this.#failure.error;
    return records;
  }
}
