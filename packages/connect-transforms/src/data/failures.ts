import { ConnectorError } from '@levada/connect-runtime-core';

/** A record that a transformation cannot handle. The messages are Kafka Connect's; they include values where Java's do. */
export function dataFailure(message: string): ConnectorError {
  return new ConnectorError('conversion_failed', message);
}

/** A configuration value that turns out to be wrong when the transformation is created. */
export function configFailure(key: string, message: string): ConnectorError {
  return new ConnectorError('config_invalid', message, { issues: [{ key, message }] });
}
