import type { Clock } from '@levada/connect-runtime-core';

/** Notifies one waiter of changes, once for a burst of them. */
export interface Changes {
  /** Something changed. Called any number of times. */
  readonly notify: () => void;
  /** Resolves with true when something changed since the last call and it has been quiet for a moment; with false when the signal aborts. */
  readonly next: (signal: AbortSignal) => Promise<boolean>;
}

/** An editor that saves a file makes several changes within a few milliseconds. */
const QUIET_MS = 15;
/** Changes that never end are looked at nevertheless. */
const LONGEST_MS = 200;

/** Nothing has changed yet. */
export function createChanges(clock: Clock): Changes {
  let count = 0;
  let seen = 0;
  let wake: () => void = () => undefined;
  const changeOrAbort = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      wake = () => {
        signal.removeEventListener('abort', wake);
        resolve();
      };
      if (signal.aborted || count !== seen) wake();
      else signal.addEventListener('abort', wake, { once: true });
    });
  return {
    notify: () => {
      count += 1;
      wake();
    },
    next: async (signal) => {
      await changeOrAbort(signal);
      const first = clock.monotonic();
      while (!signal.aborted && seen !== count && clock.monotonic() - first < LONGEST_MS) {
        seen = count;
        // An abort ends the wait early, and is looked at below.
        await clock.sleep(QUIET_MS, signal).catch(() => undefined);
      }
      seen = count;
      return !signal.aborted;
    },
  };
}
