import { ConnectorError } from '@levada/connect-runtime-core';
import type { ErrorCode } from '@levada/connect-runtime-core/errors';

/** A producer's reaction to an error code for a batch. */
export type Reaction =
  | 'stored'
  /** Send the batch again unchanged. */
  | 'retry'
  /** Look up the leader of the partition, then send the batch again. */
  | 'find-leader'
  /** Send the batch again; it may be stored already. */
  | 'in-doubt'
  | 'split'
  | 'out-of-order'
  /** Get a new id: the broker knows a newer epoch of this producer id, or has forgotten it. */
  | 'fenced'
  | 'reject';

interface ErrorRow {
  readonly number: number;
  /** Error code for a request. Default: `log_unavailable`. */
  readonly code?: ErrorCode;
  /** Description. Default: "the broker refuses it". */
  readonly text?: string;
  /** A producer's reaction to this code in a Produce response. Default: `reject`. */
  readonly reaction?: Reaction;
  /** Error code for a rejected record. Default: `record_rejected`. */
  readonly recordCode?: ErrorCode;
}

/** Kafka's error codes (`org.apache.kafka.common.protocol.Errors`) in responses to our requests, by name. */
const table = {
  UNKNOWN_SERVER_ERROR: { number: -1, text: 'the broker failed without a reason' },
  NONE: { number: 0, reaction: 'stored' },
  OFFSET_OUT_OF_RANGE: { number: 1, text: 'the next record to read no longer exists' },
  CORRUPT_MESSAGE: { number: 2, reaction: 'retry' },
  UNKNOWN_TOPIC_OR_PARTITION: {
    number: 3,
    code: 'topic_unavailable',
    text: 'it does not exist',
    reaction: 'find-leader',
  },
  LEADER_NOT_AVAILABLE: { number: 5, text: 'there is no leader at the moment', reaction: 'find-leader' },
  NOT_LEADER_OR_FOLLOWER: { number: 6, text: 'the leader has moved', reaction: 'find-leader' },
  REQUEST_TIMED_OUT: { number: 7, text: 'the broker did not finish in time', reaction: 'in-doubt' },
  BROKER_NOT_AVAILABLE: { number: 8, text: 'the broker is not available', reaction: 'find-leader' },
  REPLICA_NOT_AVAILABLE: { number: 9, text: 'the replica is not available' },
  MESSAGE_TOO_LARGE: { number: 10, reaction: 'split', recordCode: 'record_too_large' },
  NETWORK_EXCEPTION: { number: 13, text: 'the broker lost a connection', reaction: 'find-leader' },
  COORDINATOR_LOAD_IN_PROGRESS: { number: 14, text: 'the group coordinator is still loading' },
  COORDINATOR_NOT_AVAILABLE: { number: 15, text: 'there is no group coordinator at the moment' },
  NOT_COORDINATOR: { number: 16, text: 'the group coordinator has moved' },
  INVALID_TOPIC_EXCEPTION: {
    number: 17,
    code: 'config_invalid',
    text: 'the name is not a legal topic name',
    recordCode: 'topic_unavailable',
  },
  RECORD_LIST_TOO_LARGE: { number: 18, reaction: 'split', recordCode: 'record_too_large' },
  NOT_ENOUGH_REPLICAS: { number: 19, text: 'there are too few replicas in sync', reaction: 'retry' },
  NOT_ENOUGH_REPLICAS_AFTER_APPEND: {
    number: 20,
    text: 'there are too few replicas in sync',
    reaction: 'in-doubt',
  },
  ILLEGAL_GENERATION: { number: 22, text: 'the group has a newer generation' },
  INCONSISTENT_GROUP_PROTOCOL: { number: 23, text: 'the members of the group use other protocols' },
  INVALID_GROUP_ID: { number: 24, code: 'config_invalid', text: 'the name is not a legal group name' },
  UNKNOWN_MEMBER_ID: { number: 25, text: 'the group does not know this member' },
  INVALID_SESSION_TIMEOUT: {
    number: 26,
    code: 'config_invalid',
    text: 'session.timeout.ms is outside what the broker allows (group.min.session.timeout.ms to group.max.session.timeout.ms)',
  },
  REBALANCE_IN_PROGRESS: { number: 27, text: 'the group is rebalancing' },
  TOPIC_AUTHORIZATION_FAILED: {
    number: 29,
    code: 'topic_unavailable',
    text: 'the user has no right to it',
    recordCode: 'topic_unavailable',
  },
  GROUP_AUTHORIZATION_FAILED: {
    number: 30,
    code: 'config_invalid',
    text: 'the user has no right to read the group',
  },
  CLUSTER_AUTHORIZATION_FAILED: {
    number: 31,
    code: 'topic_unavailable',
    text: 'the user has no right to do this on the cluster',
    recordCode: 'topic_unavailable',
  },
  INVALID_TIMESTAMP: { number: 32 },
  UNSUPPORTED_SASL_MECHANISM: { number: 33, text: 'the broker does not have this SASL mechanism' },
  ILLEGAL_SASL_STATE: { number: 34, text: 'this listener of the broker is one without SASL' },
  UNSUPPORTED_VERSION: { number: 35, code: 'unsupported', text: 'the broker does not know this request' },
  TOPIC_ALREADY_EXISTS: { number: 36, code: 'config_invalid', text: 'it exists already' },
  INVALID_PARTITIONS: {
    number: 37,
    code: 'config_invalid',
    text: 'the number of partitions is not allowed',
  },
  INVALID_REPLICATION_FACTOR: {
    number: 38,
    code: 'config_invalid',
    text: 'the replication factor is larger than the number of brokers',
  },
  INVALID_CONFIG: { number: 40, code: 'config_invalid', text: 'a topic key is not allowed' },
  NOT_CONTROLLER: { number: 41, text: 'the controller has moved' },
  INVALID_REQUEST: {
    number: 42,
    code: 'protocol_error',
    text: 'the broker does not understand the request',
  },
  POLICY_VIOLATION: { number: 44, code: 'config_invalid', text: 'a policy of the cluster forbids it' },
  OUT_OF_ORDER_SEQUENCE_NUMBER: { number: 45, reaction: 'out-of-order' },
  DUPLICATE_SEQUENCE_NUMBER: { number: 46, reaction: 'stored' },
  INVALID_PRODUCER_EPOCH: { number: 47, reaction: 'fenced' },
  INVALID_TXN_STATE: {
    number: 48,
    code: 'internal',
    text: 'the transaction is not in a state that allows this',
    reaction: 'fenced',
  },
  INVALID_PRODUCER_ID_MAPPING: {
    number: 49,
    text: 'the coordinator has forgotten this producer',
    reaction: 'fenced',
  },
  INVALID_TRANSACTION_TIMEOUT: {
    number: 50,
    code: 'config_invalid',
    text: 'transaction.timeout.ms is longer than the broker allows (transaction.max.timeout.ms)',
  },
  CONCURRENT_TRANSACTIONS: { number: 51, text: 'the transaction before is still being ended' },
  TRANSACTIONAL_ID_AUTHORIZATION_FAILED: {
    number: 53,
    code: 'config_invalid',
    text: 'the user has no right to this transactional id',
    recordCode: 'topic_unavailable',
  },
  OPERATION_NOT_ATTEMPTED: { number: 55, text: 'another part of the request was refused' },
  KAFKA_STORAGE_ERROR: {
    number: 56,
    text: 'the broker cannot read or write its disk',
    reaction: 'find-leader',
  },
  SASL_AUTHENTICATION_FAILED: { number: 58, text: 'the user or the password is wrong' },
  UNKNOWN_PRODUCER_ID: { number: 59, reaction: 'out-of-order' },
  LISTENER_NOT_FOUND: {
    number: 72,
    text: 'the leader has no listener of this kind',
    reaction: 'find-leader',
  },
  FENCED_LEADER_EPOCH: { number: 74, text: 'the leader has moved', reaction: 'find-leader' },
  UNKNOWN_LEADER_EPOCH: { number: 75, text: 'the leader has moved', reaction: 'find-leader' },
  UNSUPPORTED_COMPRESSION_TYPE: {
    number: 76,
    code: 'unsupported',
    text: 'it is compressed in a way that this broker cannot deliver',
  },
  OFFSET_NOT_AVAILABLE: { number: 78, text: 'the new leader does not know its end yet' },
  MEMBER_ID_REQUIRED: { number: 79, text: 'the group asks for a member id' },
  GROUP_MAX_SIZE_REACHED: { number: 81, text: 'the group has as many members as the broker allows' },
  INVALID_RECORD: { number: 87 },
  THROTTLING_QUOTA_EXCEEDED: { number: 89, text: 'the quota of the cluster is used up', reaction: 'retry' },
  PRODUCER_FENCED: { number: 90, reaction: 'fenced' },
  UNKNOWN_TOPIC_ID: { number: 100, text: 'the topic was deleted and created again' },
  TRANSACTION_ABORTABLE: { number: 120, text: 'the transaction has to be aborted' },
} as const satisfies Record<string, ErrorRow>;

type ErrorName = keyof typeof table;
const entries = Object.entries(table) as readonly [ErrorName, ErrorRow][];
const byNumber: ReadonlyMap<number, ErrorRow & { readonly name: ErrorName }> = new Map(
  entries.map(([name, row]) => [row.number, { name, ...row }]),
);

export const errorCodes = Object.fromEntries(entries.map(([name, row]) => [name, row.number])) as {
  readonly [Name in ErrorName]: (typeof table)[Name]['number'];
};

/** Kafka's name of an error code; `error 123` if unknown. */
export function errorName(errorCode: number): string {
  return byNumber.get(errorCode)?.name ?? `error ${errorCode}`;
}

/** A producer's reaction to an error code. Unknown codes reject the batch. */
export function reactionTo(errorCode: number): Reaction {
  return byNumber.get(errorCode)?.reaction ?? 'reject';
}

/** A refused operation. */
export interface BrokerRefusal {
  readonly errorCode: number;
  /** The operation: `cannot create topic "x"`. */
  readonly what: string;
  /** The broker's message. */
  readonly message?: string | null;
  /** Overrides the table. */
  readonly retriable?: boolean;
}

/** Converts an error code of a broker to a ConnectorError. */
export function brokerError({ errorCode, what, message, retriable }: BrokerRefusal): ConnectorError {
  return new ConnectorError(
    byNumber.get(errorCode)?.code ?? 'log_unavailable',
    `${what}: ${errorText(errorCode, message)}`,
    retriable === undefined ? {} : { retriable },
  );
}

/** The text of an error code, with the broker's message if there is one: `the leader has moved (NOT_LEADER_OR_FOLLOWER)`. */
export function errorText(errorCode: number, message?: string | null): string {
  const text = message || byNumber.get(errorCode)?.text || 'the broker refuses it';
  return `${text} (${errorName(errorCode)})`;
}

/** Converts an error code met by a reader. A missing topic is retriable, because brokers learn of a new topic with a delay. */
export function readError(errorCode: number, what: string): ConnectorError {
  const isMissing = errorCode === errorCodes.UNKNOWN_TOPIC_OR_PARTITION;
  return brokerError({ errorCode, what, ...(isMissing ? { retriable: true } : {}) });
}

/** A broker's final refusal of a batch or of one of its records. */
export interface Rejection {
  readonly errorCode: number;
  readonly message: string | null;
  /** Whether an earlier attempt was not answered. */
  readonly inDoubt: boolean;
}

/** The error of records that a broker refuses permanently. Its cause says whether an earlier attempt may have stored them. */
export function recordError(topic: string, { errorCode, message, inDoubt }: Rejection): ConnectorError {
  const text = `topic "${topic}": ${message ?? 'the broker refuses the record'} (${errorName(errorCode)})`;
  const cause = inDoubt
    ? new Error('an earlier attempt was not answered: it may have been stored')
    : undefined;
  return new ConnectorError(byNumber.get(errorCode)?.recordCode ?? 'record_rejected', text, { cause });
}
