import type { LogProducer, LogRecord, SendResult } from '../src/platform/log-platform.ts';

/** A batch that waits for its answer. */
export interface HeldBatch {
  readonly records: readonly LogRecord[];
  answer(result: SendResult): void;
  reject(error: Error): void;
}

/** A producer whose answers a test gives, batch by batch, in any order. */
export interface HeldProducer extends LogProducer {
  readonly batches: readonly HeldBatch[];
}

/** A producer that holds every batch. */
export function heldProducer(): HeldProducer {
  const batches: HeldBatch[] = [];
  return {
    batches,
    pendingBytes: 0,
    send: (records) => {
      const { promise, resolve, reject } = Promise.withResolvers<SendResult>();
      batches.push({ records, answer: resolve, reject });
      return promise;
    },
    flush: async () => {},
    close: async () => {},
  };
}
