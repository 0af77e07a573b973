import type { Clock, Timer } from '@levada/connect-runtime-core';

/** What a request needs of a queue. */
export interface NeededRoom {
  readonly exports: number;
  readonly bytes: number;
}

export interface RoomWaitsOptions {
  readonly clock: Clock;
  /** Why there is no room for so much: there never will be, or not now. Undefined: there is. */
  readonly refusal: (need: NeededRoom) => 'never' | 'queue_full' | 'queue_bytes' | undefined;
  /** See `TaskContext.throttledUntil`. */
  readonly throttledUntil?: (() => number | undefined) | undefined;
  /** Requests begin to wait, or none waits any more. */
  readonly onChange: () => void;
  /** The log took nothing for the time of grace, and those that waited are let go. */
  readonly onGraceOver: (graceMs: number) => void;
}

/** How long a request is held at most. */
export interface HoldLimits {
  /** Milliseconds in which the queue has to make room at all, for this request or for others. */
  readonly graceMs: number;
  /** Milliseconds for this request. */
  readonly mostMs: number;
  /** It was let in before, and there was too little room for it then: it comes before those that were not. */
  readonly again: boolean;
}

/**
 * How a wait ended. `room`: there is room, and nothing else came first. `late`: there is none, and the request is treated as
 * one that arrives at a full queue. `gone`: its client does not wait any more.
 */
export type WaitEnd = 'room' | 'late' | 'gone';

/**
 * Milliseconds after which a request that was let in to have its body read is passed by those after it: a client that sends slowly
 * keeps no room that others could use. Each time, twice as many are let in as before, so that many slow clients do not hold up others
 * for long either.
 */
const SLOW_BODY_MS = 100;

/** A request that waits. */
export interface RoomWait {
  readonly ended: Promise<WaitEnd>;
  /** The client is gone. */
  cancel(): void;
}

interface HeldRequest {
  readonly line: Set<HeldRequest>;
  readonly need: NeededRoom;
  readonly graceMs: number;
  readonly timer: Timer;
  readonly end: (how: WaitEnd) => void;
}

/**
 * Requests that are held because the queue of their signal is full, first come, first served. They wait for as long as the log
 * takes something out of the queue now and then, or asks to wait; once it has done neither for the time of grace, those that wait are let
 * go, and later ones are not held until it takes something again.
 */
export class RoomWaits {
  readonly #options: RoomWaitsOptions;
  /** What requests need is known for sure only after their bodies were read: these were let in, and needed more. */
  readonly #again = new Set<HeldRequest>();
  readonly #newcomers = new Set<HeldRequest>();
  /** Runs while requests wait: since the log last took something, or since the first of them came. */
  #grace: Timer | undefined;
  /** Runs while requests wait after others that were let in. */
  #passing: Timer | undefined;
  /** As how many requests one is counted that is let in now: half as many each time that those let in before did not come. */
  #weight = 1;
  #stuck = false;
  #closed = false;

  constructor(options: RoomWaitsOptions) {
    this.#options = options;
  }

  /** Requests that wait now. */
  get size(): number {
    return this.#again.size + this.#newcomers.size;
  }

  /** Whether requests are held now, should the queue be full. */
  canHold(graceMs: number): boolean {
    return !this.#stuck && !this.#closed && graceMs > 0;
  }

  /** Holds a request. Undefined: it is not held, because the log takes nothing, or the receivers stop. */
  wait(need: NeededRoom, { graceMs, mostMs, again }: HoldLimits): RoomWait | undefined {
    if (!this.canHold(graceMs)) return undefined;
    const { clock } = this.#options;
    const { promise, resolve } = Promise.withResolvers<WaitEnd>();
    const timer = clock.after(mostMs, () => this.#end(held, 'late'));
    const line = again ? this.#again : this.#newcomers;
    const held: HeldRequest = { line, need, graceMs, timer, end: resolve };
    line.add(held);
    if (this.size === 1) this.#options.onChange();
    this.#grace ??= clock.after(graceMs, () => this.#giveUp(graceMs));
    return { ended: promise, cancel: () => this.#end(held, 'gone') };
  }

  /** Something was taken out of the queue. */
  offerFreed(): void {
    this.#stuck = false;
    this.#weight = 1;
    if (this.size === 0) return;
    this.letIn();
    this.#grace?.cancel();
    this.#beginGrace();
  }

  /**
   * Those for which there is room wait no longer. Called when a request is over, too: it may have left its room to others. Returns
   * whether there was room for any.
   */
  letIn(): boolean {
    const { refusal } = this.#options;
    let exports = 0;
    let bytes = 0;
    for (const held of this.#inOrder()) {
      const { need } = held;
      if (refusal(need) === 'never') {
        this.#end(held, 'late');
        continue;
      }
      const all = {
        exports: Math.floor(exports * this.#weight) + need.exports,
        bytes: Math.floor(bytes * this.#weight) + need.bytes,
      };
      if (refusal(all) !== undefined) break;
      exports += need.exports;
      bytes += need.bytes;
      this.#end(held, 'room');
    }
    if (exports > 0) this.#passLater();
    return exports > 0;
  }

  /** Nothing is held any more. */
  close(): void {
    this.#closed = true;
    this.#endAll();
  }

  *#inOrder(): Iterable<HeldRequest> {
    yield* this.#again;
    yield* this.#newcomers;
  }

  #beginGrace(): void {
    const [first] = this.#inOrder();
    this.#grace = first && this.#options.clock.after(first.graceMs, () => this.#giveUp(first.graceMs));
  }

  /** What was let in may not come: its room is offered again, if it is still there. */
  #passLater(): void {
    this.#passing?.cancel();
    this.#passing = undefined;
    if (this.size === 0) return;
    this.#passing = this.#options.clock.after(SLOW_BODY_MS, () => {
      this.#weight /= 2;
      this.letIn();
    });
  }

  #giveUp(graceMs: number): void {
    // The log takes nothing out of a queue in which nothing is.
    if (this.letIn()) {
      this.#beginGrace();
      return;
    }
    const { clock, throttledUntil } = this.#options;
    const until = throttledUntil?.();
    const leftMs = until === undefined ? 0 : until + graceMs - clock.monotonic();
    if (leftMs > 0) {
      this.#grace = clock.after(leftMs, () => this.#giveUp(graceMs));
      return;
    }
    this.#stuck = true;
    this.#options.onGraceOver(graceMs);
    this.#endAll();
  }

  #endAll(): void {
    for (const held of this.#inOrder()) this.#end(held, 'late');
  }

  #end(held: HeldRequest, how: WaitEnd): void {
    if (!held.line.delete(held)) return;
    held.timer.cancel();
    held.end(how);
    if (this.size > 0) return;
    this.#grace?.cancel();
    this.#grace = undefined;
    this.#passing?.cancel();
    this.#passing = undefined;
    this.#weight = 1;
    this.#options.onChange();
  }
}
