/** One row per kind of failure. `retriable` says whether trying the same thing again may succeed. */
interface ErrorCodeRow {
  readonly retriable: boolean;
  readonly meaning: string;
}

/** The closed set of codes that a {@link ConnectorError} carries. */
export const errorCodes = {
  config_invalid: { retriable: false, meaning: 'a configuration value is missing or not allowed' },
  connection_failed: { retriable: true, meaning: 'the peer could not be reached or refused the connection' },
  connection_lost: { retriable: true, meaning: 'an established connection ended' },
  handshake_rejected: { retriable: true, meaning: 'the peer answered the handshake with a refusal' },
  protocol_error: { retriable: true, meaning: 'the peer broke its protocol' },
  message_too_large: { retriable: true, meaning: 'the peer sent a message above the configured limit' },
  reconnect_exhausted: { retriable: false, meaning: 'the configured number of reconnect attempts is spent' },
  reconnect_disabled: { retriable: false, meaning: 'the connection ended and reconnecting is switched off' },
  conversion_failed: { retriable: false, meaning: 'a message could not be converted to a record' },
  tolerance_exceeded: {
    retriable: false,
    meaning: 'a record could not be transformed or converted, and errors.tolerance does not allow to drop it',
  },
  record_too_large: { retriable: false, meaning: 'a record is larger than the log accepts' },
  record_rejected: {
    retriable: false,
    meaning: 'the log refuses this record whatever the number of attempts',
  },
  topic_unavailable: { retriable: false, meaning: 'the topic does not exist, or may not be written' },
  log_unavailable: {
    retriable: true,
    meaning: 'the log cannot be reached or is not able to store at the moment',
  },
  log_corrupt: { retriable: false, meaning: 'stored data is damaged' },
  log_in_use: { retriable: false, meaning: 'another process holds the storage' },
  delivery_timeout: { retriable: true, meaning: 'the log did not acknowledge within the delivery timeout' },
  fenced: { retriable: false, meaning: 'another producer or worker has taken over' },
  file_unreadable: {
    retriable: false,
    meaning: 'a local file is missing, not readable or not what was expected',
  },
  address_in_use: { retriable: false, meaning: 'a local port is taken or may not be bound' },
  timeout: { retriable: true, meaning: 'something did not answer in time' },
  closed: { retriable: false, meaning: 'the object was used after it was closed' },
  aborted: { retriable: false, meaning: 'the operation was cancelled by its signal' },
  unsupported: { retriable: false, meaning: 'the request asks for something that is not offered' },
  internal: { retriable: false, meaning: 'an error of the connector or the runtime itself' },
} as const satisfies Record<string, ErrorCodeRow>;

/** Why something failed; see {@link errorCodes} for the meaning of each. */
export type ErrorCode = keyof typeof errorCodes;
