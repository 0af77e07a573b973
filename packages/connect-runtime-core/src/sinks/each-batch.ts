import type { SourceRecord } from '../contract/source-record.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import type { SendResult } from '../platform/log-platform.ts';
import {
  type AttemptParts,
  attempt,
  type CallbackContext,
  type CallbackOptions,
  callbackChecks,
  checkCallback,
} from './callback-attempts.ts';
import type { Sink, SinkWriter } from './sink.ts';

/** How a callback gets batches. */
export type EachBatchOptions<V = unknown> = CallbackOptions<readonly SourceRecord<V>[]>;

/**
 * A sink that calls a function with each batch, as the source hands it out: one after the other, in order, text as strings. A promise that
 * it returns is waited for; meanwhile the source collects the next batch. All records of a batch are produced when the call
 * succeeded. The function may be called again for a batch, after a failure or by a later run: at least once.
 *
 * @example
 * ```ts
 * const run = pipe(source, eachBatch((records) => storeAll(records), { retries: 3 }));
 * ```
 */
export function eachBatch<V = unknown>(
  callback: (records: readonly SourceRecord<V>[], context: CallbackContext) => unknown,
  options: EachBatchOptions<V> = {},
): Sink<V> {
  checkCallback('eachBatch', callback, { checks: callbackChecks, options });
  return {
    open: async ({ clock, signal, tolerant }) => {
      const what = (records: readonly SourceRecord<V>[]): string => `a batch of ${records.length}`;
      return batchWriter({ call: callback, options, clock, signal, tolerant, what });
    },
  };
}

function batchWriter<V>(parts: AttemptParts<readonly SourceRecord<V>[]>): SinkWriter<SourceRecord<V>, V> {
  let before: Promise<unknown> = Promise.resolve();
  let failed = false;
  const call = async (records: readonly SourceRecord<V>[]): Promise<SendResult> => {
    const failure = failed
      ? { error: new ConnectorError('closed', 'a batch before this one could not be delivered') }
      : await attempt(parts, records);
    if (failure === undefined) return { stored: records.length, failures: [] };
    if (failure.drop === undefined) failed = true;
    return { stored: 0, failures: records.map((_, index) => ({ index, ...failure })) };
  };
  return {
    send: (records) => {
      const sent = before.then(() => call(records));
      before = sent;
      return sent;
    },
  };
}
