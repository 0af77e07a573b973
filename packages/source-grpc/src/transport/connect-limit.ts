import { ConnectorError, type Timer } from '@levada/connect-runtime-core';
import type { ChannelOptions } from './channel.ts';

/** What connecting goes through, in order; the last only with a server that allows no calls yet. */
type Phase =
  | 'name lookup and TCP'
  | 'the proxy'
  | 'TLS'
  | 'HTTP/2 settings'
  | 'room for a call (MAX_CONCURRENT_STREAMS is 0)';

/** Ends one attempt to connect when it takes too long, or when its signal aborts. Its creator calls {@link end}. */
export class ConnectLimit {
  /** The phase that the time-out message names. */
  phase: Phase = 'name lookup and TCP';
  readonly #signal: AbortSignal;
  readonly #timer: Timer | undefined;
  readonly #abort = (): void => this.#reach(ConnectorError.from(this.#signal.reason, 'aborted'));
  #reached: ConnectorError | undefined;
  #callback: ((error: ConnectorError) => void) | undefined;

  constructor({ signal, clock, connectTimeoutMs }: ChannelOptions) {
    this.#signal = signal;
    if (signal.aborted) this.#abort();
    else signal.addEventListener('abort', this.#abort, { once: true });
    if (connectTimeoutMs > 0) {
      this.#timer = clock.after(connectTimeoutMs, () => this.#late(connectTimeoutMs));
    }
  }

  /** Calls back once when the attempt has to end, at once if it already has. Returns what takes this back. */
  whenReached(callback: (error: ConnectorError) => void): () => void {
    if (this.#reached === undefined) this.#callback = callback;
    else callback(this.#reached);
    return () => {
      this.#callback = undefined;
    };
  }

  /** Throws if the attempt has to end. */
  check(): void {
    if (this.#reached !== undefined) throw this.#reached;
  }

  /** The attempt is over. */
  end(): void {
    this.#timer?.cancel();
    this.#signal.removeEventListener('abort', this.#abort);
  }

  #late(connectTimeoutMs: number): void {
    const text = `no answer within ${connectTimeoutMs} ms, waiting for ${this.phase}`;
    this.#reach(new ConnectorError('timeout', text));
  }

  #reach(error: ConnectorError): void {
    this.#reached ??= error;
    this.#callback?.(this.#reached);
  }
}
