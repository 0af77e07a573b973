import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock, Timer } from '../../time/clock.ts';
import type { RequestSignature } from '../port/connect-runtime.ts';
import { HerderError } from '../port/herder-error.ts';
import type { SessionKey } from '../stores/config-records.ts';
import type { ConfigStore } from '../stores/config-store.ts';

/** Makes {@link SessionKeys}. */
export interface SessionKeyOptions {
  readonly configs: ConfigStore;
  readonly clock: Clock;
  /** Connect's `inter.worker.key.ttl.ms`. */
  readonly ttlMs: number;
  /** A key could not be distributed; it is tried again. */
  readonly onFailure: (thrown: unknown) => void;
}

const ALGORITHM = 'HmacSHA256';
const KEY_BYTES = 32;
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

  /** Signs a body. Rejects while no key is known. */
  sign(body: string): RequestSignature {
    const key = this.#options.configs.sessionKey;
    if (key === undefined) throw noKey();
    return { algorithm: ALGORITHM, signature: signatureOf(key, body) };
  }

  /** Checks a request of another worker. Throws Kafka Connect's refusals. */
  check(body: Uint8Array, given: RequestSignature | undefined): void {
    if (given === undefined) {
      throw new HerderError('bad_request', 'Internal request missing required signature');
    }
    if (given.algorithm !== ALGORITHM) {
      throw new HerderError(
        'bad_request',
        `This worker does not support the '${given.algorithm}' key signing algorithm used by other workers. This worker is currently configured to use: [${ALGORITHM}]. Check that all workers' configuration files permit the same set of signature algorithms, and correct any misconfigured worker and restart it.`,
      );
    }
    const key = this.#options.configs.sessionKey;
    if (key === undefined) throw noKey();
    const expected = signatureOf(key, body);
    if (given.signature.length !== expected.length || !timingSafeEqual(given.signature, expected)) {
      throw new HerderError('forbidden', 'Internal request contained invalid signature.');
    }
  }

  async #distribute(term: number): Promise<void> {
    if (term !== this.#term) return;
    const { configs, clock, ttlMs, onFailure } = this.#options;
    const { sessionKey } = configs;
    const expiresIn = sessionKey === undefined ? 0 : sessionKey.createdAt + ttlMs - clock.now();
    let nextMs = expiresIn;
    if (expiresIn <= 0) {
      const key = randomBytes(KEY_BYTES).toString('base64');
      nextMs = ttlMs;
      try {
        await configs.putSessionKey({ key, algorithm: ALGORITHM, createdAt: clock.now() });
      } catch (thrown) {
        onFailure(thrown);
        nextMs = RETRY_MS;
      }
    }
    if (term === this.#term) this.#timer = clock.after(nextMs, () => void this.#distribute(term));
  }
}

function signatureOf({ key }: SessionKey, body: string | Uint8Array): Buffer {
  return createHmac('sha256', Buffer.from(key, 'base64')).update(body).digest();
}

function noKey(): HerderError {
  return new HerderError(
    'unavailable',
    'This worker is still starting up and has not been able to read a session key from the config topic yet',
  );
}
