import type { Clock } from '@levada/connect-runtime-core';
import type * as Jose from 'jose';
import type { BearerRules } from '../config/access-config.ts';

/** Longest that the issuer is waited for. */
const ISSUER_TIMEOUT_MS = 5_000;
/** Longest document of an issuer. */
const MAX_DOCUMENT_BYTES = 1024 * 1024;
/** An issuer that did not answer is asked again after this time. */
const RETRY_AFTER_MS = 5_000;
/** Clocks of the issuer and of this machine may differ so much, in seconds. */
const CLOCK_TOLERANCE_S = 30;

/** A token that is valid. */
export interface TokenUser {
  readonly name: string;
  readonly roles: readonly string[];
}

/** The issuer's keys cannot be had now, so nothing can be said of a token. */
export class IssuerUnavailable extends Error {
  constructor(cause: unknown) {
    super('Tokens cannot be checked now, because their issuer does not answer', { cause });
    this.name = 'IssuerUnavailable';
  }
}

/** Checks signed tokens (RFC 7519) by the keys of their issuer, which it finds by OpenID Connect Discovery 1.0 and reads again when it does not know one. */
export class BearerTokens {
  readonly #rules: BearerRules;
  readonly #clock: Clock;
  #keys: Promise<Jose.JWTVerifyGetKey> | undefined;
  #retryAt = Number.NEGATIVE_INFINITY;
  #trouble: unknown;

  constructor(rules: BearerRules, clock: Clock) {
    this.#rules = rules;
    this.#clock = clock;
  }

  /** The user of a token; undefined when it is not valid. Rejects with {@link IssuerUnavailable}. */
  async user(token: string): Promise<TokenUser | undefined> {
    const { issuer, audience, userClaim, rolesClaim } = this.#rules;
    const jose = await loadJose();
    const keys = await this.#findKeys(jose);
    try {
      const { payload } = await jose.jwtVerify(token, keys, {
        issuer,
        audience: [...audience],
        clockTolerance: CLOCK_TOLERANCE_S,
        currentDate: new Date(this.#clock.now()),
        requiredClaims: ['exp'],
      });
      const name = claimAt(payload, userClaim);
      if (typeof name !== 'string' || name === '') return undefined;
      return { name, roles: textsOf(claimAt(payload, rolesClaim)) };
    } catch (thrown) {
      if (isUnavailable(thrown, jose)) throw new IssuerUnavailable(thrown);
      return undefined;
    }
  }

  async #findKeys(jose: typeof Jose): Promise<Jose.JWTVerifyGetKey> {
    if (this.#keys === undefined && this.#clock.monotonic() < this.#retryAt) {
      throw new IssuerUnavailable(this.#trouble);
    }
    this.#keys ??= this.#discover(jose);
    try {
      return await this.#keys;
    } catch (thrown) {
      this.#keys = undefined;
      this.#trouble = thrown;
      this.#retryAt = this.#clock.monotonic() + RETRY_AFTER_MS;
      throw new IssuerUnavailable(thrown);
    }
  }

  async #discover(jose: typeof Jose): Promise<Jose.JWTVerifyGetKey> {
    const { issuer, keysUrl } = this.#rules;
    const url = keysUrl ?? (await discoveredKeys(issuer));
    return jose.createRemoteJWKSet(new URL(url), {
      timeoutDuration: ISSUER_TIMEOUT_MS,
      [jose.customFetch]: async (address, init) => whole(await fetch(address, init)),
    });
  }
}

/** Loaded with the first token: most workers never see one. */
function loadJose(): Promise<typeof Jose> {
  return import('jose');
}

async function discoveredKeys(issuer: string): Promise<string> {
  const answer = await fetch(`${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(ISSUER_TIMEOUT_MS),
  });
  if (!answer.ok) throw new Error(`the issuer answered ${answer.status}`);
  const found = (await (await whole(answer)).json()) as {
    readonly issuer?: unknown;
    readonly jwks_uri?: unknown;
  };
  if (found.issuer !== issuer) throw new Error(`the issuer calls itself ${JSON.stringify(found.issuer)}`);
  if (typeof found.jwks_uri !== 'string') throw new Error('the issuer names no jwks_uri');
  return found.jwks_uri;
}

/** An answer that was read to its end. Rejects when it is too long. */
async function whole(answer: Response): Promise<Response> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    size += part.length;
    // Leaving the loop ends the connection.
    if (size > MAX_DOCUMENT_BYTES)
      throw new Error(`the issuer's answer is longer than ${MAX_DOCUMENT_BYTES} bytes`);
    parts.push(part);
  }
  return new Response(Buffer.concat(parts), { status: answer.status });
}

/** Not a fault of the token: no answer, or not the one that was asked for. */
function isUnavailable(thrown: unknown, { errors }: typeof Jose): boolean {
  if (thrown instanceof errors.JWKSTimeout) return true;
  if (!(thrown instanceof errors.JOSEError)) return true;
  return thrown.code === 'ERR_JOSE_GENERIC' || thrown instanceof errors.JWKSInvalid;
}

function claimAt(payload: Jose.JWTPayload, path: string): unknown {
  if (Object.hasOwn(payload, path)) return payload[path];
  let value: unknown = payload;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/** A list, or words in one text as `scope` has them. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.split(' ').filter((word) => word !== '');
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
