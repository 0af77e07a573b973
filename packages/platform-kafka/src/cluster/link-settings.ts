import type { Clock } from '@levada/connect-runtime-core';
import { readSsl } from '@levada/connect-runtime-core/source-kit';
import type { ClientConfig } from '../client/client-config.ts';
import type { SaslLogin } from '../client/sasl-settings.ts';
import type { LinkOptions } from '../wire/link-options.ts';

/** Connection settings from a configuration. Reads key and certificate files, so a client that is opened later uses renewed ones. */
export async function linkSettings(
  config: ClientConfig,
  clientId: string,
  clock: Clock,
): Promise<LinkOptions> {
  const tls = config.tls === undefined ? undefined : readSsl(config.tls);
  return {
    clientId,
    ...(tls === undefined ? {} : { tls }),
    ...(config.sasl === undefined ? {} : { sasl: saslOptions(config.sasl) }),
    connectionTimeoutMs: config.connectTimeoutMs,
    requestTimeoutMs: config.requestTimeoutMs,
    clock,
  };
}

function saslOptions({ mechanism, username, password }: SaslLogin): NonNullable<LinkOptions['sasl']> {
  return { mechanism, username, password: password.reveal() };
}
