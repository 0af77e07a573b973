import type { Clock } from '@levada/connect-runtime-core';

const PATIENCE_MS = 3000;
const EVERY_MS = 100;

/** What is waited for, and how. */
export interface InUseOptions {
  /** Code of the errors that say so. */
  readonly code: 'EADDRINUSE' | 'log_in_use';
  readonly clock: Clock;
  /** Aborting ends the attempts. */
  readonly signal: AbortSignal;
}

/**
 * Makes an attempt every 100 ms for 3 s as long as it fails because somebody has the port or folder: the task before, which was
 * given up, may take that long to let go of it. Rejects as the last attempt does.
 */
export async function retryWhileInUse<T>(attempt: () => Promise<T>, options: InUseOptions): Promise<T> {
  const { code, clock, signal } = options;
  const until = clock.monotonic() + PATIENCE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (thrown) {
      const inUse = thrown instanceof Error && 'code' in thrown && thrown.code === code;
      if (!inUse || signal.aborted || clock.monotonic() >= until) throw thrown;
      // Aborted: the next attempt is the last.
      await clock.sleep(EVERY_MS, signal).catch(() => undefined);
    }
  }
}
