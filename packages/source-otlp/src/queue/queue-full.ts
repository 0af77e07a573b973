import { type Refusal, refused } from '../receive/admission/export-outcome.ts';

/** The answer to an export that a full queue dropped; it is counted as received and dropped, and not as rejected. */
export const queueFull: Refusal = refused('unavailable', 'queue full');

/** The end of an export whose client left while it was held. Never sent, and not counted: nothing was taken of it. */
export const clientGone: Refusal = refused('unavailable', 'the client is gone');

/**
 * Bytes of bodies that are looked at in a second although nothing can be taken. To read JSON and check it takes up to 20 ns a byte,
 * so that a flood into full queues takes no more than a tenth of a core for it.
 */
const BYTES_PER_SECOND = 4 * 1024 * 1024;

/**
 * How many bytes of bodies may be looked at while nothing can be taken. A body may be longer than what is left: then none is
 * looked at until that is paid off, so that large bodies have their turn, too.
 */
export class LookBudget {
  #left = BYTES_PER_SECOND;
  #at = Number.NEGATIVE_INFINITY;

  /** Whether a body may be looked at now, in monotonic milliseconds. */
  has(now: number): boolean {
    const back = ((now - this.#at) / 1000) * BYTES_PER_SECOND;
    this.#left = Math.min(BYTES_PER_SECOND, this.#left + back);
    this.#at = now;
    return this.#left > 0;
  }

  /** Whether a body of so many bytes may be looked at now: then it is paid for. */
  take(bytes: number, now: number): boolean {
    if (!this.has(now)) return false;
    this.#left -= bytes;
    return true;
  }
}
