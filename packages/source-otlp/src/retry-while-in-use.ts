import type { Clock } from '@levada/connect-runtime-core';

/** Longest wait of a task that continues nothing: the one before, which was given up, may take that long to let go. */
export const FIRST_START_MS = 3000;
/** Between two attempts: doubled each time. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;

/** How a task waits for what another process, or a task before it, has. */
export interface Patience {
  /** Longest wait for one port or folder, in milliseconds. */
  readonly waitMs: number;
  readonly clock: Clock;
  /** Aborting ends the attempts. */
  readonly signal: AbortSignal;
  /** Somebody has it: it is tried again in so many milliseconds; undefined: it is free now, or was given up. */
  readonly onInUse: (wait: InUse | undefined) => void;
}

/** Something that is in use. */
export interface InUse {
  readonly error: Error;
  /** From 1. */
  readonly attempt: number;
  readonly nextTryInMs: number;
}

/** Makes attempts as long as they fail because somebody has the port or folder, at growing intervals. Rejects as the last attempt does. */
export async function retryWhileInUse<T>(
  code: 'EADDRINUSE' | 'log_in_use',
  { waitMs, clock, signal, onInUse }: Patience,
  attempt: () => Promise<T>,
): Promise<T> {
  const until = clock.monotonic() + waitMs;
  try {
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await attempt();
      } catch (thrown) {
        const left = until - clock.monotonic();
        if (!isInUse(thrown, code) || signal.aborted || left <= 0) throw thrown;
        const nextTryInMs = Math.min(
          left,
          LONGEST_PAUSE_MS,
          FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, 10),
        );
        onInUse({ error: thrown, attempt: attempts, nextTryInMs });
        // Aborted: the next attempt is the last.
        await clock.sleep(nextTryInMs, signal).catch(() => undefined);
      }
    }
  } finally {
    onInUse(undefined);
  }
}

function isInUse(thrown: unknown, code: string): thrown is Error {
  return thrown instanceof Error && 'code' in thrown && thrown.code === code;
}
