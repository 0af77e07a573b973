import type { ErrorCode } from '@levada/connect-runtime-core/errors';

/** A topic as the file stores it. */
export interface TopicRow {
  readonly id: number;
  readonly name: string;
  readonly partitions: number;
  /** Id of the log of partition 0; the others follow. */
  readonly firstLog: number;
  /** Kafka topic keys. */
  readonly config: Readonly<Record<string, string>>;
}

/** Records of one log, encoded by `StoredBatch`. */
export interface BatchRow {
  readonly log: number;
  readonly compacted: boolean;
  readonly count: number;
  readonly maxTimestamp: number;
  readonly data: Uint8Array;
}

/** How much of a log is kept; -1: no bound. */
export interface RetentionLimit {
  readonly log: number;
  readonly compacted: boolean;
  readonly ms: number;
  readonly bytes: number;
}

/** Superseded records of a log that may go: those before this offset. */
export interface CompactionBound {
  readonly log: number;
  readonly below: number;
}

/** What the commit thread is asked, one at a time, in order. */
export type CommitRequest =
  | { readonly kind: 'open'; readonly folder: string }
  /** Stores everything in one transaction, durably. The same group asked again is not stored twice. */
  | {
      readonly kind: 'commit';
      readonly group: number;
      readonly topics: readonly TopicRow[];
      readonly batches: readonly BatchRow[];
    }
  /** Stores something that does not matter, to learn whether storing works. */
  | { readonly kind: 'probe' }
  /** Gives back memory that only speeds up what comes next. */
  | { readonly kind: 'trim' }
  | { readonly kind: 'retain'; readonly now: number; readonly limits: readonly RetentionLimit[] }
  | {
      readonly kind: 'compact';
      readonly bounds: readonly CompactionBound[];
      /** Deleted keys with an older time are forgotten. */
      readonly tombstonesBefore: number;
    }
  | { readonly kind: 'close' };

/** An error on its way between threads. */
export interface ThreadError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retriable: boolean;
}

/** The answer to a request. Buffers that came with a commit go back in the same order. */
export type CommitReply =
  | { readonly kind: 'opened'; readonly clusterId: string; readonly topics: readonly TopicRow[] }
  | {
      readonly kind: 'done';
      readonly buffers: readonly ArrayBuffer[];
      readonly removed: number;
      readonly more: boolean;
    }
  | { readonly kind: 'failed'; readonly buffers: readonly ArrayBuffer[]; readonly error: ThreadError };
