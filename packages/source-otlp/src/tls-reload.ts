import type { Clock, Timer } from '@levada/connect-runtime-core';
import type { TlsContexts } from './config/tls-files.ts';

/** How TLS files are watched. */
export interface TlsReloadOptions {
  readonly clock: Clock;
  /** Milliseconds between two looks; 0: none. */
  readonly everyMs: number;
  /** What the receivers use now. */
  readonly present: TlsContexts;
  /** Reads the files; throws when something of them is wrong. */
  readonly read: () => TlsContexts;
  readonly onChanged: (contexts: TlsContexts) => void;
  readonly onFailed: (error: Error) => void;
}

/** Checks the TLS files periodically, and notifies of changes. Files that do not match each other wait for the next check. */
export class TlsReload {
  readonly #options: TlsReloadOptions;
  #known: string;
  #timer: Timer | undefined;

  constructor(options: TlsReloadOptions) {
    this.#options = options;
    this.#known = textOf(options.present);
    this.#schedule();
  }

  /** No further look. Idempotent. */
  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #schedule(): void {
    const { clock, everyMs } = this.#options;
    if (everyMs === 0) return;
    this.#timer = clock.after(everyMs, () => {
      this.#schedule();
      this.#look();
    });
  }

  #look(): void {
    const { read, onChanged, onFailed } = this.#options;
    try {
      const contexts = read();
      if (textOf(contexts) === this.#known) return;
      onChanged(contexts);
      this.#known = textOf(contexts);
    } catch (thrown) {
      onFailed(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
  }
}

function textOf(contexts: TlsContexts): string {
  return [...contexts.values()].flatMap(({ cert, key, ca }) => [cert, key, ca].map(String)).join('\n');
}
