import { ConnectorError } from '../diagnostics/connector-error.ts';
import type { Clock, Timer } from '../time/clock.ts';

/** A clock that a test moves by hand. Nothing happens by itself. */
export interface ManualClock extends Clock {
  /**
   * Moves both times forward. Timers that fall due run in the order of their times, each at its own time, and promises
   * settle before the next one; timers set meanwhile count too. Resolves when everything due has run.
   */
  advance(ms: number): Promise<void>;
  /** Sets the wall clock `ms` forward (or back, when negative) alone, as an administrator would. No timer runs. */
  jump(ms: number): void;
  /** Timers and sleeps that are armed now. 0 after a clean stop. */
  readonly pending: number;
  /** Milliseconds until the next timer; undefined when there is none. */
  readonly nextInMs: number | undefined;
}

interface Armed {
  readonly due: number;
  readonly callback: () => void;
}

/** A manual clock. `now` is the wall clock's first value (default: the start of 2026, UTC); `monotonic` starts at 0. */
export function createManualClock(options: { readonly now?: number } = {}): ManualClock {
  let wallOffset = options.now ?? Date.UTC(2026, 0, 1);
  let elapsed = 0;
  const armed: Armed[] = [];

  const after = (ms: number, callback: () => void): Timer => {
    const timer = { due: elapsed + Math.max(0, ms), callback };
    const later = armed.findIndex((other) => other.due > timer.due);
    armed.splice(later < 0 ? armed.length : later, 0, timer);
    return { cancel: () => remove(armed, timer) };
  };

  const advance = async (ms: number): Promise<void> => {
    const end = elapsed + ms;
    await settle();
    for (let next = armed[0]; next !== undefined && next.due <= end; next = armed[0]) {
      armed.shift();
      elapsed = Math.max(elapsed, next.due);
      next.callback();
      await settle();
    }
    elapsed = Math.max(elapsed, end);
  };

  return {
    now: () => wallOffset + elapsed,
    monotonic: () => elapsed,
    after,
    sleep: (ms, signal) => sleepOn(after, ms, signal),
    advance,
    jump: (ms) => {
      wallOffset += ms;
    },
    get pending() {
      return armed.length;
    },
    get nextInMs() {
      const next = armed[0];
      return next === undefined ? undefined : next.due - elapsed;
    },
  };
}

function sleepOn(after: Clock['after'], ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      timer.cancel();
      reject(new ConnectorError('aborted', 'wait was cancelled', { cause: signal?.reason }));
    };
    const timer = after(ms, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

function remove(armed: Armed[], timer: Armed): void {
  const at = armed.indexOf(timer);
  if (at >= 0) armed.splice(at, 1);
}

/** Every promise that can settle without input or output has settled before the next turn of the event loop. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
