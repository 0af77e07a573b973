import { ConnectorError } from '../errors/connector-error.ts';
import type { Clock } from '../time/clock.ts';

/** A bound for a wait. */
export interface Within {
  readonly clock: Clock;
  readonly ms: number;
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
