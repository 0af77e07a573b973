import { ConnectorError, type ConnectorErrorOptions } from '../diagnostics/connector-error.ts';
import type { ErrorCode } from '../diagnostics/error-codes.ts';
import { messageOf } from '../diagnostics/error-json.ts';

/** Kafka's error codes (https://kafka.apache.org/protocol#protocol_error_codes) after which trying again cannot help. */
const permanent: ReadonlyMap<number, ErrorCode> = new Map([
  [3, 'topic_unavailable'], // UNKNOWN_TOPIC_OR_PARTITION; clients have waited for it
  [10, 'record_too_large'], // MESSAGE_TOO_LARGE
  [17, 'topic_unavailable'], // INVALID_TOPIC_EXCEPTION
  [18, 'record_too_large'], // RECORD_LIST_TOO_LARGE
  [29, 'topic_unavailable'], // TOPIC_AUTHORIZATION_FAILED
  [31, 'topic_unavailable'], // CLUSTER_AUTHORIZATION_FAILED
  [32, 'record_rejected'], // INVALID_TIMESTAMP
  [43, 'record_rejected'], // UNSUPPORTED_FOR_MESSAGE_FORMAT
  [44, 'record_rejected'], // POLICY_VIOLATION
  [47, 'fenced'], // INVALID_PRODUCER_EPOCH
  [53, 'topic_unavailable'], // TRANSACTIONAL_ID_AUTHORIZATION_FAILED
  [76, 'record_rejected'], // UNSUPPORTED_COMPRESSION_TYPE
  [87, 'record_rejected'], // INVALID_RECORD
  [90, 'fenced'], // PRODUCER_FENCED
]);

/** What a client says of an error, in its own words. */
export interface ClientVerdict {
  /** Name of the client. */
  readonly client: string;
  /** Kafka's error code, where brokers answered with one. */
  readonly protocolCode?: number | undefined;
  /** Whether the client, or what surrounds it, may succeed later. Counts where there is no code. */
  readonly retriable: boolean;
}

/** The error of a client as one of ours. */
export function clientError(
  thrown: unknown,
  { client, protocolCode, retriable }: ClientVerdict,
): ConnectorError {
  const message = `${client}: ${messageOf(thrown)}`;
  const known = protocolCode === undefined ? undefined : permanent.get(protocolCode);
  const options: ConnectorErrorOptions = { cause: thrown };
  if (known !== undefined) return new ConnectorError(known, message, options);
  const passes = protocolCode !== undefined && protocolCode > 0 ? true : retriable;
  return new ConnectorError(passes ? 'log_unavailable' : 'record_rejected', message, options);
}

/** A property of an error or of one of its causes: the first that is given, from the error inwards. */
export function innermost<T>(
  thrown: unknown,
  read: (error: Readonly<Record<string, unknown>>) => T | undefined,
): T | undefined {
  for (let [at, depth] = [thrown, 0]; typeof at === 'object' && at !== null && depth < 8; depth += 1) {
    const error = at as Readonly<Record<string, unknown>>;
    const found = read(error);
    if (found !== undefined) return found;
    const { errors, cause, originalError } = error;
    at = (Array.isArray(errors) ? errors[0] : undefined) ?? cause ?? originalError;
  }
  return undefined;
}
