import type { Clock } from '@levada/connect-runtime-core';
import { ConnectorError } from '@levada/connect-runtime-core';
import type { SASLOptions } from 'kafkajs';
import SaslAuthenticator from 'kafkajs/src/broker/saslAuthenticator/index.js';
import type { ApiVersions, Protocol } from './protocol.ts';

/** Share of a session's life after which it is renewed. */
const RENEW_AFTER = 0.85;

/** What signs on. */
export interface SaslPeer {
  readonly host: string;
  readonly port: number;
  readonly sasl: SASLOptions;
  readonly versions: ApiVersions;
  readonly clock: Clock;
  readonly send: (protocol: Protocol) => Promise<unknown>;
}

/**
 * Signs on with one of kafkajs's mechanisms. Returns the monotonic time at which to do it again; Infinity when the broker
 * sets no limit (KIP-368). Rejects with `handshake_rejected`.
 */
export async function signOn(peer: SaslPeer): Promise<number> {
  const { host, port, sasl, versions, clock, send } = peer;
  // A copy each time: kafkajs stores its state in the object that it is given.
  const authenticator = new SaslAuthenticator({ host, port, sasl: { ...sasl }, send }, quiet, versions, true);
  try {
    await authenticator.authenticate();
  } catch (thrown) {
    if (!isAuthenticationError(thrown)) throw thrown;
    const message = `broker ${host}:${port} refused the sign-on: ${thrown.message}`;
    throw new ConnectorError('handshake_rejected', message, { cause: thrown });
  }
  const lifetimeMs = Number(authenticator.sessionLifetime);
  return lifetimeMs > 0 ? clock.monotonic() + lifetimeMs * RENEW_AFTER : Number.POSITIVE_INFINITY;
}

function isAuthenticationError(thrown: unknown): thrown is Error {
  return thrown instanceof Error && thrown.name === 'KafkaJSSASLAuthenticationError';
}

/** kafkajs logs what it also throws. */
const quiet = { namespace: () => ({ debug: ignore, error: ignore, info: ignore, warn: ignore }) };

function ignore(): void {
  // see above
}
