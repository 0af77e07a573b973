import { ConnectorError } from '@levada/connect-runtime-core';

/** A record that a transformation cannot handle. Messages are Kafka Connect's, which name values where Java's do. */
export function dataFailure(message: string): ConnectorError {
  return new ConnectorError('conversion_failed', message);
}

/** A value of a key that shows to be wrong when a transformation is made. */
export function configFailure(key: string, message: string): ConnectorError {
  return new ConnectorError('config_invalid', message, { issues: [{ key, message }] });
}
