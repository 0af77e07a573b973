import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock, Timer } from '@levada/connect-runtime-core';
import type { RequestSignature } from '../port/connect-runtime.ts';
import { HerderError } from '../port/herder-error.ts';
import { macAlgorithms, type RequestSigning } from '../port/request-signing.ts';
import type { SessionKey } from '../stores/config-records.ts';
import type { ConfigStore } from '../stores/config-store.ts';

/** Makes {@link SessionKeys}. */
export interface SessionKeyOptions {
  readonly configs: ConfigStore;
  readonly clock: Clock;
  readonly signing: RequestSigning;
  /** A key could not be distributed; it is tried again. */
  readonly onFailure: (thrown: unknown) => void;
}

const RETRY_MS = 1_000;

/** Distributes the group's session key while this worker leads, and signs and checks requests with it. */
export class SessionKeys {
  readonly #options: SessionKeyOptions;
  #timer: Timer | undefined;
  #leads = false;
  /** Counts take-overs: a distribution of an earlier one ends. */
  #term = 0;

  constructor(options: SessionKeyOptions) {
    this.#options = options;
  }

  /** Takes over or gives up the distribution of keys. */
  lead(leads: boolean): void {
    if (leads === this.#leads) return;
    this.#leads = leads;
    this.#term += 1;
    this.#timer?.cancel();
    if (leads) void this.#distribute(this.#term);
  }

  /** Another key was read. One that has expired, such as a late one of an earlier leader, is replaced at once. */
  changed(): void {
    this.#timer?.cancel();
    if (this.#leads) void this.#distribute(this.#term);
  }

  /** Signs a body. Throws while no key is known. */
  sign(body: string): RequestSignature {
    const key = this.#options.configs.sessionKey;
    if (key === undefined) throw noKey();
    const { signatureAlgorithm: algorithm } = this.#options.signing;
    return { algorithm, signature: signatureOf(key, algorithm, body) };
  }

  /**
   * Checks a request of another worker. Throws Kafka Connect's refusals. A worker that is alone has no key of its own, and there is no one
   * who could sign: even a request that was signed with the key of an earlier group is one that was recorded.
   */
  check(
    body: Uint8Array,
    given: RequestSignature | undefined,
    { isAlone }: { readonly isAlone: boolean },
  ): void {
    const { configs, clock, signing } = this.#options;
    if (given === undefined) {
      throw new HerderError('bad_request', 'Internal request missing required signature');
    }
    if (!macAlgorithms.has(given.algorithm)) {
      throw new HerderError('bad_request', `Algorithm ${given.algorithm} not available`);
    }
    if (!signing.verificationAlgorithms.includes(given.algorithm)) throw notAccepted(given, signing);
    if (isAlone) throw invalidSignature();
    const key = configs.sessionKey;
    if (key === undefined) throw noKey();
    const expected = signatureOf(key, given.algorithm, body);
    const isValid = given.signature.length === expected.length && timingSafeEqual(given.signature, expected);
    // A request that was recorded may be sent again for as long as its key lasts, and no longer.
    if (!isValid || key.createdAt + signing.keyTtlMs <= clock.now()) {
      throw invalidSignature();
    }
  }

  async #distribute(term: number): Promise<void> {
    if (term !== this.#term) return;
    const { configs, clock, signing, onFailure } = this.#options;
    const { sessionKey } = configs;
    const expiresIn = sessionKey === undefined ? 0 : sessionKey.createdAt + signing.keyTtlMs - clock.now();
    let nextMs = expiresIn;
    if (expiresIn <= 0) {
      nextMs = signing.keyTtlMs;
      try {
        await configs.putSessionKey(newKey(signing, clock.now()));
      } catch (thrown) {
        onFailure(thrown);
        nextMs = RETRY_MS;
      }
    }
    if (term !== this.#term) return;
    // Reading the key back has set one, too.
    this.#timer?.cancel();
    this.#timer = clock.after(nextMs, () => void this.#distribute(term));
  }
}

function newKey({ keyAlgorithm, keyBits }: RequestSigning, createdAt: number): SessionKey {
  const bits = keyBits ?? macAlgorithms.get(keyAlgorithm)?.keyBits ?? 0;
  return { key: randomBytes(Math.ceil(bits / 8)).toString('base64'), algorithm: keyAlgorithm, createdAt };
}

function signatureOf({ key }: SessionKey, algorithm: string, body: string | Uint8Array): Buffer {
  const { digest = algorithm } = macAlgorithms.get(algorithm) ?? {};
  return createHmac(digest, Buffer.from(key, 'base64')).update(body).digest();
}

function notAccepted(
  { algorithm }: RequestSignature,
  { verificationAlgorithms }: RequestSigning,
): HerderError {
  return new HerderError(
    'bad_request',
    `This worker does not support the '${algorithm}' key signing algorithm used by other workers. This worker is currently configured to use: [${verificationAlgorithms.join(', ')}]. Check that all workers' configuration files permit the same set of signature algorithms, and correct any misconfigured worker and restart it.`,
  );
}

function invalidSignature(): HerderError {
  return new HerderError('forbidden', 'Internal request contained invalid signature.');
}

function noKey(): HerderError {
  return new HerderError(
    'unavailable',
    'This worker is still starting up and has not been able to read a session key from the config topic yet',
  );
}
