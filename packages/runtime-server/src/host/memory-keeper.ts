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
  /** Frees everything that is not needed any more. Holds the process up for some 20 to 50 ms. */
  collectAll(): void;
}

export interface MemoryKeeperOptions {
  readonly clock: Clock;
  readonly memory: ProcessMemory;
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

/**
 * Keeps a worker from holding memory that it does not need. V8 collects when something is allocated: a worker that falls silent
 * after a flood would keep all that the flood has left, and one that has started what its start has. So a thread that was quiet for
 * ten seconds, or 2.5 after its start, collects everything once; under load only short-lived buffers are freed, before they pile up.
 * Returns what ends it.
 */
export function keepMemory({ clock, memory }: MemoryKeeperOptions): () => void {
  let judgedAt = clock.monotonic();
  let lastBuffers = memory.bufferBytes();
  let leastBuffers = lastBuffers;
  let heldAfterwards = 0;
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
    const judgeMs = heldAfterwards === 0 ? FIRST_JUDGE_MS : JUDGE_MS;
    if (clock.monotonic() - judgedAt >= judgeMs) judge();
    timer = clock.after(changing ? CHANGING_LOOK_MS : LOOK_MS, look);
  };
  const judge = (): void => {
    judgedAt = clock.monotonic();
    if (memory.busyShare() >= QUIET_SHARE) return;
    if (memory.heldBytes() - heldAfterwards < WORTH_BYTES) return;
    memory.collectAll();
    heldAfterwards = memory.heldBytes();
    leastBuffers = memory.bufferBytes();
  };
  memory.busyShare();
  timer = clock.after(LOOK_MS, look);
  return () => timer.cancel();
}
