import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import { type Clock, ConnectorError, type Secret } from '@levada/connect-runtime-core';
import {
  guardedLookup,
  type HttpProxy,
  printable,
  proxyFor,
  tunnelledConnection,
  tunnelTarget,
} from '@levada/connect-runtime-core/source-kit';
import type { GrpcConfig } from '../config/config.ts';
import { type PlanContext, proxySettings } from '../config/connection-plan.ts';

/** Where tokens come from, by the client credentials grant of OAuth 2.0 (RFC 6749, section 4.4). */
export interface TokenEndpoint {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly scope: string | null;
  readonly audience: string | null;
  readonly proxy?: HttpProxy | undefined;
  /** Authorities that are trusted beside the built-in ones for the certificate of the proxy. */
  readonly proxyCa?: SecureContextOptions['ca'];
}

/** The token endpoint of a checked configuration; undefined when none is configured. */
export function tokenEndpoint(
  config: GrpcConfig,
  { tls, environment }: Pick<PlanContext, 'tls' | 'environment'>,
): TokenEndpoint | undefined {
  const url = config['grpc.oauth2.token.url'];
  const clientId = config['grpc.oauth2.client.id'];
  const clientSecret = config['grpc.oauth2.client.secret'];
  if (url === null || clientId === null || clientSecret === null) return undefined;
  const { 'grpc.oauth2.scope': scope, 'grpc.oauth2.audience': audience } = config;
  const proxy = proxyFor(tunnelTarget(new URL(url)), proxySettings(config, environment));
  return { url, clientId, clientSecret, scope, audience, proxy, proxyCa: tls.ca };
}

/** A token, and until when it is used: monotonic milliseconds. */
interface Token {
  readonly authorization: string;
  readonly usableUntil: number;
}

/** The fields of a token response that are read. */
interface Answer {
  readonly access_token?: unknown;
  readonly token_type?: unknown;
  readonly expires_in?: unknown;
  readonly error?: unknown;
}

const TIMEOUT_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;
/** Share of a token's life after which a new one is fetched. */
const USABLE_SHARE = 0.8;
/** Life of a token whose endpoint does not say. */
const UNSTATED_LIFE_S = 300;

/** Fetches tokens and keeps each until shortly before it expires. */
export class TokenSource {
  readonly #clock: Clock;
  #token: Token | undefined;
  /** Also when it is no longer to be used. */
  #sent: string | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The value of `authorization`: `Bearer ...`. Rejects with a retriable ConnectorError when there is none to be had. */
  async authorization(endpoint: TokenEndpoint, signal: AbortSignal): Promise<string> {
    const kept = this.#token;
    if (kept !== undefined && this.#clock.monotonic() < kept.usableUntil) return kept.authorization;
    const answer = await this.#fetch(endpoint, signal);
    const { access_token: text, expires_in: life } = answer;
    if (typeof text !== 'string' || !/^[\x21-\x7e]+$/.test(text))
      throw refused(endpoint, 'no access_token in the answer');
    const seconds = Number(life ?? UNSTATED_LIFE_S);
    const usableMs = (Number.isFinite(seconds) && seconds > 0 ? seconds : 0) * 1000 * USABLE_SHARE;
    this.#sent = text;
    this.#token = { authorization: `Bearer ${text}`, usableUntil: this.#clock.monotonic() + usableMs };
    return this.#token.authorization;
  }

  /** The server did not accept the last token: the next call fetches another one. */
  invalidate(): void {
    this.#token = undefined;
  }

  /** The token that was sent last, which a server may quote. */
  get secrets(): readonly string[] {
    return this.#sent === undefined ? [] : [this.#sent];
  }

  async #fetch(endpoint: TokenEndpoint, signal: AbortSignal): Promise<Answer> {
    const timeout = new AbortController();
    const timer = this.#clock.after(TIMEOUT_MS, () => timeout.abort());
    try {
      const response = await post(endpoint, AbortSignal.any([signal, timeout.signal]));
      const text = await bodyOf(response);
      if (response.statusCode !== 200)
        throw refused(endpoint, `HTTP ${response.statusCode}${errorCodeIn(text)}`);
      return parsed(endpoint, text);
    } catch (thrown) {
      if (timeout.signal.aborted) throw refused(endpoint, `no answer within ${TIMEOUT_MS} ms`);
      if (thrown instanceof ConnectorError) throw thrown;
      throw refused(endpoint, thrown instanceof Error ? thrown.message : String(thrown));
    } finally {
      timer.cancel();
    }
  }
}

/** Client credentials go into the header, as RFC 6749 section 2.3.1 wants; redirects are not followed. */
function post(endpoint: TokenEndpoint, signal: AbortSignal): Promise<IncomingMessage> {
  const { url, clientId, clientSecret, scope, audience, proxy, proxyCa } = endpoint;
  const body = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scope !== null) body.set('scope', scope);
  if (audience !== null) body.set('audience', audience);
  const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret.reveal())}`;
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  const target = tunnelTarget(new URL(url));
  const tls = target.secure ? {} : undefined;
  // An agent, even a new one, would connect by itself.
  const connection =
    proxy === undefined
      ? { agent: false }
      : { createConnection: tunnelledConnection({ proxy, target, ca: proxyCa, signal }, tls) };
  return new Promise((resolve, reject) => {
    const options = {
      ...connection,
      method: 'POST',
      lookup: guardedLookup,
      signal,
      headers: {
        authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
    } as const;
    const asked = send(url, options, resolve).on('error', reject);
    // Without a listener the request would stay open forever: Node then detaches the connection, and no signal ends it any more.
    asked.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      reject(new Error(`HTTP ${statusCode}`));
    });
    asked.end(body.toString());
  });
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error(`answer is longer than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parsed(endpoint: TokenEndpoint, text: string): Answer {
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer === 'object' && answer !== null) return answer;
  } catch {
    // reported below, without the text: it may hold a token
  }
  throw refused(endpoint, 'the answer is no JSON object');
}

/** The error code of RFC 6749 section 5.2, which is a word from a closed set of characters. */
function errorCodeIn(text: string): string {
  const code = /"error"\s*:\s*"([a-zA-Z_]{1,64})"/.exec(text)?.[1];
  return code === undefined ? '' : ` ${code}`;
}

/** Names in certificates are the server's choice. */
const print = printable([]);

function refused({ url }: TokenEndpoint, reason: string): ConnectorError {
  const { origin, pathname } = new URL(url);
  return new ConnectorError('connection_failed', `no token from ${origin}${pathname}: ${print(reason)}`);
}
