import type { ErrorCode } from '@levada/connect-runtime-core/errors';

/** A row of the topic table. */
export interface TopicRow {
  readonly id: number;
  readonly name: string;
  readonly partitions: number;
  /** Id of the log of partition 0; the other ids follow. */
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

/** Limits of a log; -1: unlimited. */
export interface RetentionLimit {
  readonly log: number;
  readonly compacted: boolean;
  readonly ms: number;
  readonly bytes: number;
}

/** Superseded records before this offset may be removed. */
export interface CompactionBound {
  readonly log: number;
  readonly below: number;
}

/** Requests to the commit thread. It handles one at a time, in order. */
export type CommitRequest =
  | { readonly kind: 'open'; readonly folder: string }
  /** Stores everything in one durable transaction. A repeated group is not stored twice. */
  | {
      readonly kind: 'commit';
      readonly group: number;
      readonly topics: readonly TopicRow[];
      readonly batches: readonly BatchRow[];
    }
  /** Stores a test value, to check whether storing works. */
  | { readonly kind: 'probe' }
  /** Frees caches. */
  | { readonly kind: 'trim' }
  | { readonly kind: 'retain'; readonly now: number; readonly limits: readonly RetentionLimit[] }
  | {
      readonly kind: 'compact';
      readonly bounds: readonly CompactionBound[];
      /** Older tombstones are removed. */
      readonly tombstonesBefore: number;
    }
  | { readonly kind: 'close' };

/** An error passed between threads. */
export interface ThreadError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retriable: boolean;
}

/** The answer to a request. The buffers of a commit are returned in the same order. */
export type CommitReply =
  | { readonly kind: 'opened'; readonly clusterId: string; readonly topics: readonly TopicRow[] }
  | {
      readonly kind: 'done';
      readonly buffers: readonly ArrayBuffer[];
      readonly removed: number;
      readonly more: boolean;
    }
  | { readonly kind: 'failed'; readonly buffers: readonly ArrayBuffer[]; readonly error: ThreadError };
