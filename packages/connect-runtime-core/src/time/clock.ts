import { ConnectorError } from '../diagnostics/connector-error.ts';

/** A timer that was set and can be taken back. Cancelling twice, or after it fired, does nothing. */
export interface Timer {
  cancel(): void;
}

/** The only source of time and timers. Tests use the manual clock of `./testing`. */
export interface Clock {
  /** Wall clock in milliseconds since 1970. Jumps when the machine's clock is set: for time stamps, never for durations. */
  now(): number;
  /** Milliseconds that only grow, from an arbitrary start: for durations and deadlines. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds. Rejects with an `aborted` ConnectorError as soon as the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after `ms` milliseconds, unless cancelled. The timer does not keep the process alive. */
  after(ms: number, callback: () => void): Timer;
}

/** Longest delay that timers take; longer waits are made of several. */
const LONGEST_MS = 2_147_483_647;

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep,
  after,
};

function after(ms: number, callback: () => void): Timer {
  return arm(ms, callback, (handle) => handle.unref());
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      timer.cancel();
      reject(new ConnectorError('aborted', 'wait was cancelled', { cause: signal?.reason }));
    };
    const timer = arm(ms, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

function arm(ms: number, callback: () => void, onSet?: (handle: NodeJS.Timeout) => void): Timer {
  let handle: NodeJS.Timeout;
  const set = (left: number): void => {
    const step = Math.min(left, LONGEST_MS);
    handle = setTimeout(() => (left > step ? set(left - step) : callback()), step);
    onSet?.(handle);
  };
  set(ms);
  return { cancel: () => clearTimeout(handle) };
}
