import type { SourceRecord } from '../../contract/source-record.ts';
import type { ConnectorError } from '../../diagnostics/connector-error.ts';
import type { OnInvalid } from './record-feed.ts';
import { plainRecord } from './record-values.ts';

/** Calls the function for invalid records where nothing can be waited for, and waits for it with what comes next. */
export class InvalidCalls {
  readonly #onInvalid: OnInvalid;
  readonly #closed: Promise<void>;
  #open: Promise<unknown> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;
  #fail: ((error: unknown) => void) | undefined;

  /** Nothing is waited for once `closed` has resolved. */
  constructor(onInvalid: OnInvalid, closed: Promise<void>) {
    this.#onInvalid = onInvalid;
    this.#closed = closed;
  }

  /**
   * Passes an invalid record to the function, if that is what is to be done. Resolves with whether the function has dealt with it;
   * undefined: there is none.
   */
  call(record: SourceRecord, error: ConnectorError): Promise<boolean> | undefined {
    const onInvalid = this.#onInvalid;
    if (typeof onInvalid !== 'function') return undefined;
    // Also what it throws instead of rejecting.
    const called = (async () => await onInvalid(plainRecord(record), error))();
    const dealtWith = called.then(
      () => true,
      (thrown: unknown) => {
        this.#failure ??= { error: thrown };
        this.#fail?.(thrown);
        return false;
      },
    );
    this.#open = Promise.all([this.#open, dealtWith]);
    return dealtWith;
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
    await Promise.race([this.#open, this.#closed]);
    if (this.#failure !== undefined) throw this.#failure.error;
    return records;
  }
}
