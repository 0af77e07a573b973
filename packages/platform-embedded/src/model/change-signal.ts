import { type Clock, ConnectorError } from '@levada/connect-runtime-core';

/** Notifies readers of writes since they last looked. */
export interface ChangeSignal {
  /** Changes with each commit. To be taken before reading. */
  version(): number;
  /** Resolves once the version is another than this. Rejects with `aborted` when the signal aborts. */
  changed(since: number, signal: AbortSignal): Promise<void>;
}

/** For the process that writes: readers wake with the commit, and nothing runs in between. */
export class CommitSignal implements ChangeSignal {
  #version = 0;
  #closed = false;
  readonly #waiting = new Set<() => void>();

  version(): number {
    return this.#version;
  }

  changed(since: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (this.#closed) reject(new ConnectorError('closed', 'the log was closed'));
    else if (this.#version !== since) resolve();
    else {
      const settle = (): void => {
        this.#waiting.delete(settle);
        signal.removeEventListener('abort', settle);
        if (signal.aborted) reject(new ConnectorError('aborted', 'waiting for new records was cancelled'));
        else if (this.#closed) reject(new ConnectorError('closed', 'the log was closed'));
        else resolve();
      };
      this.#waiting.add(settle);
      signal.addEventListener('abort', settle, { once: true });
      if (signal.aborted) settle();
    }
    return promise;
  }

  /** Nothing more will be committed: ends every wait. */
  close(): void {
    this.#closed = true;
    this.notify();
  }

  /** Something was committed. */
  notify(): void {
    this.#version += 1;
    for (const settle of this.#waiting) settle();
  }
}

/** For other processes: looks every so often whether the file has changed, which costs microseconds. */
export function polledSignal(version: () => number, intervalMs: number, clock: Clock): ChangeSignal {
  return {
    version,
    changed: async (since, signal) => {
      while (version() === since) await clock.sleep(intervalMs, signal);
    },
  };
}
