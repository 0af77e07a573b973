import { type Clock, ConnectorError } from '@levada/connect-runtime-core';

/** Notifies readers of new writes. */
export interface ChangeSignal {
  /** Changes with each commit. Read it before reading records. */
  version(): number;
  /** Resolves once the version differs from `since`. Rejects with `aborted` when the signal aborts. */
  waitForChange(since: number, signal: AbortSignal): Promise<void>;
}

/** For the writing process: readers wake with the commit, without polling. */
export class CommitSignal implements ChangeSignal {
  #version = 0;
  #closed = false;
  readonly #waiting = new Set<() => void>();

  version(): number {
    return this.#version;
  }

  waitForChange(since: number, signal: AbortSignal): Promise<void> {
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

  /** Ends every wait, because no commit follows. */
  close(): void {
    this.#closed = true;
    this.notify();
  }

  /** Reports a commit. */
  notify(): void {
    this.#version += 1;
    for (const settle of this.#waiting) settle();
  }
}

/** For other processes: polls the version of the file, which costs microseconds. */
export function polledSignal(version: () => number, intervalMs: number, clock: Clock): ChangeSignal {
  return {
    version,
    waitForChange: async (since, signal) => {
      while (version() === since) await clock.sleep(intervalMs, signal);
    },
  };
}
