import type { Clock, Timer } from '@levada/connect-runtime-core';

/** The memory of a thread of JavaScript, as its keeper sees it. */
export interface ProcessMemory {
  /** Bytes of buffers that JavaScript holds, or held until its last collection. Asked 10 to 100 times a second. */
  bufferBytes(): number;
  /** All bytes that JavaScript has taken from the system, free ones included. */
  heldBytes(): number;
  /** Share of a core that the thread used since the last call, however busy the machine and other threads are. */
  busyShare(): number;
  /** Frees what was needed for a short time only. Takes less than a millisecond. */
  collectYoung(): void;
  /** Frees all garbage. Blocks the thread: 20 to 50 ms with a heap of tens of MiB, longer with a larger one. Returns the milliseconds. */
  collectAll(): number;
  /**
   * Returns free memory of the C library to the system. Blocks every thread that allocates, for some 10 to 50 ms after a burst.
   * Throws when this is not possible here.
   */
  returnFree(): void;
}

export interface MemoryKeeperOptions {
  readonly clock: Clock;
  readonly memory: ProcessMemory;
  /** Called once if free memory cannot be returned; it is not tried again. */
  readonly onNotReturned?: (error: unknown) => void;
}

/** Time between two looks at the buffers while they hardly change, and while they do: a flood brings 4 MiB in 10 ms. */
const LOOK_MS = 100;
const CHANGING_LOOK_MS = 10;
/** Change since the last look after which the next one comes soon. Memory that a collection freed may be returned only after it. */
const CHANGE_BYTES = 1024 * 1024;
/**
 * Garbage in buffers after which the young ones are freed. V8 lets 64 MiB come together first: every chunk that a socket reads is a
 * new buffer, and hardly anything else is allocated beside large messages, so that V8 sees no reason to collect.
 */
const GARBAGE_BYTES = 8 * 1024 * 1024;
/** Time after which it is judged whether the process was quiet meanwhile. */
const JUDGE_MS = 10_000;
/** The same until the first collection, because a start leaves more garbage than anything else. */
const FIRST_JUDGE_MS = 2500;
/** A process is quiet when it works less than this. A connector at a thousand messages a second works more. */
const QUIET_SHARE = 0.02;
/** What must have been taken since the last collection to make another one worth it. */
const WORTH_BYTES = 8 * 1024 * 1024;
/** A process is calm when it works less than this: a slow feed continues after a burst. */
const CALM_SHARE = 0.2;
/** Growth since the last collection that makes another one worth it in a calm process: more than the young generation of a steady feed takes. */
const CALM_WORTH_BYTES = 24 * 1024 * 1024;
/** The same as a share of what the last collection left: garbage between two collections of V8 grows with the heap. */
const CALM_WORTH_SHARE = 0.25;
/** Extra collections after a burst, while queued records still pin memory. */
const REPEATS = 3;
/** Collections that block the thread for longer become rare: each doubles the time until the next one, up to the second constant. */
const SLOW_COLLECTION_MS = 50;
const LONGEST_WAIT_MS = 640_000;
/** Time between a collection and the return of what it freed, which V8 does in the background. */
const RETURN_MS = 5000;
/** Shortest time between two returns: each takes locks of the C library that all threads of the process wait for. */
const RETURN_GAP_MS = 10_000;

/**
 * Keeps a worker from holding memory that it does not need. V8 collects when something is allocated: a worker that falls silent
 * after a flood would keep all that the flood has left, and one that has started what its start has. So a thread that was quiet for
 * ten seconds, or 2.5 after its start, collects everything once, and so does one that is calm and holds much more than before. Free
 * memory is returned to the system afterwards, while the thread is calm. Under load only short-lived buffers are freed, before they
 * pile up. Returns what ends it.
 */
export function keepMemory({ clock, memory, onNotReturned }: MemoryKeeperOptions): () => void {
  let judgedAt = clock.monotonic();
  let lastBuffers = memory.bufferBytes();
  let leastBuffers = lastBuffers;
  let heldAfterwards = 0;
  let leastHeld = Number.POSITIVE_INFINITY;
  let repeats = 0;
  let waitMs = JUDGE_MS;
  let collectableAt = judgedAt;
  let returnAt = Number.POSITIVE_INFINITY;
  let returnedAt = Number.NEGATIVE_INFINITY;
  let canReturn = true;
  /** Highest share of load since the last judgement, of parts of that time. */
  let highestShare = 0;
  let timer: Timer;
  const look = (): void => {
    const buffers = memory.bufferBytes();
    leastBuffers = Math.min(leastBuffers, buffers);
    const changing = Math.abs(buffers - lastBuffers) >= CHANGE_BYTES;
    lastBuffers = buffers;
    if (buffers - leastBuffers >= GARBAGE_BYTES) {
      memory.collectYoung();
      lastBuffers = leastBuffers = memory.bufferBytes();
    }
    if (clock.monotonic() >= returnAt) returnWhenCalm();
    const judgeMs = heldAfterwards === 0 ? FIRST_JUDGE_MS : JUDGE_MS;
    if (clock.monotonic() - judgedAt >= judgeMs) judge();
    timer = clock.after(changing ? CHANGING_LOOK_MS : LOOK_MS, look);
  };
  const measureShare = (): number => {
    const share = memory.busyShare();
    highestShare = Math.max(highestShare, share);
    return share;
  };
  const returnWhenCalm = (): void => {
    const now = clock.monotonic();
    if (measureShare() >= CALM_SHARE) {
      returnAt = now + RETURN_MS;
      return;
    }
    returnAt = Number.POSITIVE_INFINITY;
    returnedAt = now;
    try {
      memory.returnFree();
    } catch (error) {
      canReturn = false;
      onNotReturned?.(error);
    }
  };
  const isWorthCollecting = (share: number): boolean => {
    const held = memory.heldBytes();
    const calmWorth = Math.max(CALM_WORTH_BYTES, heldAfterwards * CALM_WORTH_SHARE);
    if (held - heldAfterwards >= (share < QUIET_SHARE ? WORTH_BYTES : calmWorth)) {
      repeats = REPEATS;
      return true;
    }
    if (repeats === 0 || held - leastHeld < calmWorth) return false;
    repeats -= 1;
    return true;
  };
  const judge = (): void => {
    judgedAt = clock.monotonic();
    measureShare();
    const share = highestShare;
    highestShare = 0;
    const isStart = heldAfterwards === 0;
    if (share >= (isStart ? QUIET_SHARE : CALM_SHARE) || judgedAt < collectableAt) return;
    if (!isWorthCollecting(share)) return;
    const tookMs = memory.collectAll();
    waitMs = tookMs > SLOW_COLLECTION_MS ? Math.min(2 * waitMs, LONGEST_WAIT_MS) : JUDGE_MS;
    collectableAt = judgedAt + waitMs;
    if (canReturn) returnAt = Math.max(judgedAt + RETURN_MS, returnedAt + RETURN_GAP_MS);
    heldAfterwards = memory.heldBytes();
    leastHeld = Math.min(leastHeld, heldAfterwards);
    leastBuffers = memory.bufferBytes();
  };
  memory.busyShare();
  timer = clock.after(LOOK_MS, look);
  return () => timer.cancel();
}
