import { ConnectorError } from '@levada/connect-runtime-core';

/** The error of options that grpc-js cannot use; `thrown` says why. */
export function invalidTransport(thrown: unknown): ConnectorError {
  const message = `transport: ${ConnectorError.from(thrown).message}`;
  return new ConnectorError('config_invalid', message, {
    cause: thrown,
    issues: [{ key: 'transport', message }],
  });
}
