import { ConnectorError, type ErrorCode } from '@levada/connect-runtime-core';

interface BrokerErrorRow {
  /** Kafka's name. */
  readonly name: string;
  readonly code: ErrorCode;
  /** What people are told. */
  readonly text: string;
}

/** Kafka's error codes that answers to our requests carry. Others are told by their number. */
const rows: ReadonlyMap<number, BrokerErrorRow> = new Map([
  row(-1, 'UNKNOWN_SERVER_ERROR', 'log_unavailable', 'the broker failed without saying why'),
  row(3, 'UNKNOWN_TOPIC_OR_PARTITION', 'topic_unavailable', 'it does not exist'),
  row(5, 'LEADER_NOT_AVAILABLE', 'log_unavailable', 'there is no leader at the moment'),
  row(6, 'NOT_LEADER_OR_FOLLOWER', 'log_unavailable', 'the leader has moved'),
  row(7, 'REQUEST_TIMED_OUT', 'log_unavailable', 'the broker did not finish in time'),
  row(8, 'BROKER_NOT_AVAILABLE', 'log_unavailable', 'the broker is not available'),
  row(9, 'REPLICA_NOT_AVAILABLE', 'log_unavailable', 'the replica is not available'),
  row(13, 'NETWORK_EXCEPTION', 'log_unavailable', 'the broker lost a connection'),
  row(14, 'COORDINATOR_LOAD_IN_PROGRESS', 'log_unavailable', 'the group coordinator is still loading'),
  row(15, 'COORDINATOR_NOT_AVAILABLE', 'log_unavailable', 'there is no group coordinator at the moment'),
  row(16, 'NOT_COORDINATOR', 'log_unavailable', 'the group coordinator has moved'),
  row(17, 'INVALID_TOPIC_EXCEPTION', 'config_invalid', 'the name is not a legal topic name'),
  row(19, 'NOT_ENOUGH_REPLICAS', 'log_unavailable', 'there are too few replicas in sync'),
  row(22, 'ILLEGAL_GENERATION', 'log_unavailable', 'the group has a newer generation'),
  row(24, 'INVALID_GROUP_ID', 'config_invalid', 'the name is not a legal group name'),
  row(25, 'UNKNOWN_MEMBER_ID', 'log_unavailable', 'the group does not know this member'),
  row(
    26,
    'INVALID_SESSION_TIMEOUT',
    'config_invalid',
    'session.timeout.ms is outside what the broker allows (group.min.session.timeout.ms to group.max.session.timeout.ms)',
  ),
  row(27, 'REBALANCE_IN_PROGRESS', 'log_unavailable', 'the group is rebalancing'),
  row(29, 'TOPIC_AUTHORIZATION_FAILED', 'topic_unavailable', 'the user has no right to it'),
  row(30, 'GROUP_AUTHORIZATION_FAILED', 'config_invalid', 'the user has no right to read the group'),
  row(
    31,
    'CLUSTER_AUTHORIZATION_FAILED',
    'topic_unavailable',
    'the user has no right to do this on the cluster',
  ),
  row(35, 'UNSUPPORTED_VERSION', 'unsupported', 'the broker does not know this request'),
  row(36, 'TOPIC_ALREADY_EXISTS', 'config_invalid', 'it exists already'),
  row(37, 'INVALID_PARTITIONS', 'config_invalid', 'the number of partitions is not allowed'),
  row(
    38,
    'INVALID_REPLICATION_FACTOR',
    'config_invalid',
    'the replication factor is larger than the number of brokers',
  ),
  row(40, 'INVALID_CONFIG', 'config_invalid', 'a topic key is not allowed'),
  row(41, 'NOT_CONTROLLER', 'log_unavailable', 'the controller has moved'),
  row(42, 'INVALID_REQUEST', 'protocol_error', 'the broker does not understand the request'),
  row(44, 'POLICY_VIOLATION', 'config_invalid', 'a policy of the cluster forbids it'),
  row(56, 'KAFKA_STORAGE_ERROR', 'log_unavailable', 'the broker cannot read or write its disk'),
  row(72, 'LISTENER_NOT_FOUND', 'log_unavailable', 'the leader has no listener of this kind'),
  row(74, 'FENCED_LEADER_EPOCH', 'log_unavailable', 'the leader has moved'),
  row(75, 'UNKNOWN_LEADER_EPOCH', 'log_unavailable', 'the leader has moved'),
  row(
    76,
    'UNSUPPORTED_COMPRESSION_TYPE',
    'unsupported',
    'it is compressed in a way that this broker cannot deliver',
  ),
  row(78, 'OFFSET_NOT_AVAILABLE', 'log_unavailable', 'the new leader does not know its end yet'),
  row(89, 'THROTTLING_QUOTA_EXCEEDED', 'log_unavailable', 'the quota of the cluster is used up'),
  row(81, 'GROUP_MAX_SIZE_REACHED', 'log_unavailable', 'the group has as many members as the broker allows'),
  row(100, 'UNKNOWN_TOPIC_ID', 'log_unavailable', 'the topic was made anew'),
]);

/** Kafka's `OFFSET_OUT_OF_RANGE`: what was to be read next is not there any more. */
export const OFFSET_OUT_OF_RANGE = 1;
/** Kafka's `UNKNOWN_TOPIC_OR_PARTITION`. */
export const UNKNOWN_TOPIC = 3;
/** Kafka's `LEADER_NOT_AVAILABLE`. */
export const LEADER_NOT_AVAILABLE = 5;
/** Kafka's `TOPIC_AUTHORIZATION_FAILED`. */
export const NOT_ALLOWED = 29;
/** Kafka's `TOPIC_ALREADY_EXISTS`. */
export const TOPIC_EXISTS = 36;

/** What went wrong, and with what. */
export interface BrokerRefusal {
  readonly errorCode: number;
  /** `cannot create topic "x"`. */
  readonly what: string;
  /** The broker's own words. */
  readonly message?: string | null;
  /** Overrides what the table says. */
  readonly retriable?: boolean;
}

/** An error code that reading met. A topic that is missing may be about to appear: its brokers learn of it one by one. */
export function readError(errorCode: number, what: string): ConnectorError {
  return brokerError({ errorCode, what, ...(errorCode === UNKNOWN_TOPIC ? { retriable: true } : {}) });
}

/** An error code in a broker's answer as a ConnectorError. */
export function brokerError({ errorCode, what, message, retriable }: BrokerRefusal): ConnectorError {
  const found = rows.get(errorCode);
  const name = found?.name ?? `error ${errorCode}`;
  const text = message || found?.text || 'an error that is not known here';
  return new ConnectorError(
    found?.code ?? 'log_unavailable',
    `${what}: ${text} (${name})`,
    retriable === undefined ? {} : { retriable },
  );
}

function row(number: number, name: string, code: ErrorCode, text: string): [number, BrokerErrorRow] {
  return [number, { name, code, text }];
}
