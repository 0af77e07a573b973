import { ConnectorError, type ErrorCode } from '@levada/connect-runtime-core';

/** What a producer does about an error code in a broker's answer. */
export type Reaction =
  | 'stored'
  /** The batch goes again as it is. */
  | 'retry'
  /** As retry, after looking for the leader anew. */
  | 'move'
  /** As retry; it may be stored already. */
  | 'perhaps'
  | 'split'
  | 'out of order'
  /** The broker knows a newer epoch of this producer id, or has given the id up. */
  | 'new id'
  | 'reject';

interface CodeRow {
  readonly name: string;
  readonly reaction: Reaction;
  /** Of a rejected record. Default: `record_rejected`. */
  readonly code?: ErrorCode;
}

/** Error codes of Produce, by number (Kafka's `Errors`). Codes that are not listed reject the batch. */
export const produceCodes: ReadonlyMap<number, CodeRow> = new Map([
  [0, { name: 'NONE', reaction: 'stored' }],
  [2, { name: 'CORRUPT_MESSAGE', reaction: 'retry' }],
  [3, { name: 'UNKNOWN_TOPIC_OR_PARTITION', reaction: 'move' }],
  [5, { name: 'LEADER_NOT_AVAILABLE', reaction: 'move' }],
  [6, { name: 'NOT_LEADER_OR_FOLLOWER', reaction: 'move' }],
  [7, { name: 'REQUEST_TIMED_OUT', reaction: 'perhaps' }],
  [8, { name: 'BROKER_NOT_AVAILABLE', reaction: 'move' }],
  [10, { name: 'MESSAGE_TOO_LARGE', reaction: 'split', code: 'record_too_large' }],
  [13, { name: 'NETWORK_EXCEPTION', reaction: 'move' }],
  [17, { name: 'INVALID_TOPIC_EXCEPTION', reaction: 'reject', code: 'topic_unavailable' }],
  [18, { name: 'RECORD_LIST_TOO_LARGE', reaction: 'split', code: 'record_too_large' }],
  [19, { name: 'NOT_ENOUGH_REPLICAS', reaction: 'retry' }],
  [20, { name: 'NOT_ENOUGH_REPLICAS_AFTER_APPEND', reaction: 'perhaps' }],
  [29, { name: 'TOPIC_AUTHORIZATION_FAILED', reaction: 'reject', code: 'topic_unavailable' }],
  [31, { name: 'CLUSTER_AUTHORIZATION_FAILED', reaction: 'reject', code: 'topic_unavailable' }],
  [32, { name: 'INVALID_TIMESTAMP', reaction: 'reject' }],
  [44, { name: 'POLICY_VIOLATION', reaction: 'reject' }],
  [45, { name: 'OUT_OF_ORDER_SEQUENCE_NUMBER', reaction: 'out of order' }],
  [46, { name: 'DUPLICATE_SEQUENCE_NUMBER', reaction: 'stored' }],
  [47, { name: 'INVALID_PRODUCER_EPOCH', reaction: 'new id' }],
  [56, { name: 'KAFKA_STORAGE_ERROR', reaction: 'move' }],
  [59, { name: 'UNKNOWN_PRODUCER_ID', reaction: 'out of order' }],
  [72, { name: 'LISTENER_NOT_FOUND', reaction: 'move' }],
  [74, { name: 'FENCED_LEADER_EPOCH', reaction: 'move' }],
  [75, { name: 'UNKNOWN_LEADER_EPOCH', reaction: 'move' }],
  [76, { name: 'UNSUPPORTED_COMPRESSION_TYPE', reaction: 'reject' }],
  [87, { name: 'INVALID_RECORD', reaction: 'reject' }],
  [89, { name: 'THROTTLING_QUOTA_EXCEEDED', reaction: 'retry' }],
  [90, { name: 'PRODUCER_FENCED', reaction: 'new id' }],
] satisfies [number, CodeRow][]);

/** What to do about a code. */
export function reactionTo(code: number): Reaction {
  return produceCodes.get(code)?.reaction ?? 'reject';
}

/** A broker's final refusal. */
export interface Refusal {
  readonly code: number;
  readonly message: string | null;
  /** True: an earlier attempt was not answered. */
  readonly unsure: boolean;
}

/** The error of records that a broker refuses for good; its cause says so if an earlier attempt may have stored them. */
export function rejection(topic: string, { code, message, unsure }: Refusal): ConnectorError {
  const row = produceCodes.get(code);
  const name = row?.name ?? `error ${code}`;
  const text = `topic "${topic}": ${message ?? 'the broker refuses the record'} (${name})`;
  const cause = unsure
    ? new Error('an earlier attempt was not answered: it may have been stored')
    : undefined;
  return new ConnectorError(row?.code ?? 'record_rejected', text, { cause });
}
