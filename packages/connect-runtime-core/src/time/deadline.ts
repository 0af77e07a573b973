import { ConnectorError } from '../diagnostics/connector-error.ts';
import type { Clock } from './clock.ts';

/** A bound for a wait. */
export interface Within {
  readonly clock: Clock;
  readonly ms: number;
}

/** Longest that is kept for what follows a step. */
const CLOSING_MS = 250;

/**
 * The part of a time-out that a step leaves to what follows it: a tenth, at most 250 ms. Each step that contains others keeps
 * its part, so that all of them together end within the time-out of the outermost.
 */
export function closingShare(timeoutMs: number): number {
  return Math.min(CLOSING_MS, timeoutMs / 10);
}

/**
 * The promise's outcome, or a `timeout` ConnectorError when it takes longer. What comes later is ignored, also a rejection.
 */
export function within<T>(bound: Within, what: string, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = bound.clock.after(bound.ms, () => {
      reject(new ConnectorError('timeout', `${what} took longer than ${bound.ms} ms`));
    });
    promise.then(resolve, reject).finally(() => timer.cancel());
  });
}

/** Whether the promise settles, one way or the other, in that time. Never rejects. */
export async function settlesWithin(bound: Within, promise: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = bound.clock.after(bound.ms, () => resolve(false));
    const settled = (): void => {
      timer.cancel();
      resolve(true);
    };
    promise.then(settled, settled);
  });
}
