import type { Clock } from '@levada/connect-runtime-core';
import { ConnectorError, isConnectorError } from '@levada/connect-runtime-core';
import { errorCodes, errorText } from '../model/broker-errors.ts';
import type { KafkaCalls } from './kafka-calls.ts';
import type { OAuthToken, SaslOptions } from './link-options.ts';
import { type SaslExchange, scramSignOn } from './scram.ts';

/** Share of a session's lifetime after which it is renewed. */
const RENEW_AFTER = 0.85;

type SaslCall = 'SaslHandshake' | 'SaslAuthenticate';

/** The connection to authenticate. */
export interface SaslPeer {
  readonly host: string;
  readonly port: number;
  readonly sasl: SaslOptions;
  readonly clock: Clock;
  readonly call: <Name extends SaslCall>(
    name: Name,
    args: KafkaCalls[Name]['args'],
  ) => Promise<KafkaCalls[Name]['answer']>;
}

/**
 * Authenticates. Returns the monotonic time of the next authentication; Infinity if the broker sets no limit (KIP-368). Rejects
 * with `handshake_rejected`, or with the reason why the connection ended.
 */
export async function signOn({ host, port, sasl, clock, call }: SaslPeer): Promise<number> {
  const { mechanism } = sasl;
  const refusal = (reason: string, cause?: unknown): ConnectorError =>
    new ConnectorError('handshake_rejected', `broker ${host}:${port} refused the sign-on: ${reason}`, {
      cause,
    });
  const { errorCode, mechanisms } = await call('SaslHandshake', { mechanism });
  if (errorCode === errorCodes.UNSUPPORTED_SASL_MECHANISM)
    throw refusal(`it does not have SASL mechanism ${mechanism}, only ${mechanisms.join(', ')}`);
  if (errorCode !== errorCodes.NONE) throw refusal(errorText(errorCode));
  let lifetimeMs = 0;
  const exchange: SaslExchange = async (authBytes) => {
    const answer = await call('SaslAuthenticate', { authBytes });
    if (answer.errorCode !== 0)
      throw refusal(failure(mechanism, answer.errorMessage ?? errorText(answer.errorCode)));
    lifetimeMs = Number(answer.sessionLifetimeMs);
    return answer.authBytes;
  };
  try {
    await authenticate(sasl, exchange);
  } catch (thrown) {
    if (isConnectorError(thrown)) throw thrown;
    throw refusal(failure(mechanism, thrown instanceof Error ? thrown.message : String(thrown)), thrown);
  }
  return lifetimeMs > 0 ? clock.monotonic() + lifetimeMs * RENEW_AFTER : Number.POSITIVE_INFINITY;
}

function failure(mechanism: string, reason: string): string {
  return `SASL ${mechanism} authentication failed: ${reason}`;
}

async function authenticate(sasl: SaslOptions, exchange: SaslExchange): Promise<void> {
  switch (sasl.mechanism) {
    case 'PLAIN':
      // RFC 4616, without another identity to act for
      await exchange(Buffer.from(`\0${sasl.username}\0${sasl.password}`));
      return;
    case 'SCRAM-SHA-256':
      return await scramSignOn({ ...sasl, hash: 'sha256' }, exchange);
    case 'SCRAM-SHA-512':
      return await scramSignOn({ ...sasl, hash: 'sha512' }, exchange);
    case 'OAUTHBEARER': {
      const problem = await exchange(bearerMessage(await tokenFrom(sasl.token)));
      if (problem.length === 0) return;
      // The server reports the problem, and refuses once the client has acknowledged it (RFC 7628)
      await exchange(Buffer.from('\x01'));
      throw new Error(problem.toString());
    }
  }
}

async function tokenFrom(token: () => Promise<OAuthToken>): Promise<OAuthToken> {
  try {
    return await token();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConnectorError('handshake_rejected', `no token to sign on with: ${reason}`, { cause });
  }
}

function bearerMessage({ value, extensions = {} }: OAuthToken): Buffer {
  const more = Object.entries(extensions).map(([key, text]) => `${key}=${text}\x01`);
  return Buffer.from(`n,,\x01auth=Bearer ${value}\x01${more.join('')}\x01`);
}
