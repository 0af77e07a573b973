import type { RawConfig } from '@levada/connect-runtime-core';
import type { ConnectionSnapshot } from '@levada/connect-runtime-core/contract';
import type { ConfirmedUntil } from '@levada/connect-runtime-core/host';
import type { PlatformHealth } from '@levada/connect-runtime-core/platform';
import type { TaskReport } from '../metrics/task-metrics.ts';
import type { SentLine } from './log-lines.ts';
import type { CallMessage } from './port-calls.ts';

/** The configurations that a task is made from, as they are stored. */
export interface TaskConfigTexts {
  readonly connector: RawConfig;
  readonly task: RawConfig;
}

/** What a thread is started with. Plain data and shared memory. */
export interface TaskThreadStart {
  readonly connectorName: string;
  readonly taskId: number;
  /** Full name of the connector's class. */
  readonly className: string;
  readonly configs: TaskConfigTexts;
  /** The worker's clocks at the start, with the machine's own beside them, because each thread counts from a start of its own. */
  readonly clock: { readonly monotonic: number; readonly machine: number };
  /** See `LeaseCell`. */
  readonly lease: SharedArrayBuffer;
  /** See `SharedCounters`. */
  readonly counters: SharedArrayBuffer;
  /** See `DebugSwitch`. */
  readonly debug: SharedArrayBuffer;
  /** See `WaitingLines`. */
  readonly lines: SharedArrayBuffer;
  /** What the host gives to the code of its own that runs in the thread. */
  readonly host: unknown;
}

/** To the thread. */
export type ToThread =
  | CallMessage
  /** Commit now what is committable. */
  | { readonly kind: 'commit' }
  /** Drain and end within that time. A shorter time wins. */
  | { readonly kind: 'stop'; readonly timeoutMs: number };

/** From the thread: what `WorkerSourceTask` reports, and what the worker shows. */
export type FromThread =
  | CallMessage
  | SentLine
  | { readonly kind: 'running' | 'completed' }
  /** Secrets are taken out of the trace. */
  | { readonly kind: 'failed'; readonly trace: string; readonly again: boolean }
  | { readonly kind: 'commit'; readonly succeeded: boolean; readonly ms: number }
  | TaskState
  /** The task is over; nothing follows. */
  | { readonly kind: 'ended'; readonly undelivered: number };

/** How the task is doing: sent twice a second, before each change of state, and at the end. Also a sign of life. */
export interface TaskState {
  readonly kind: 'state';
  /** In the order of the metric table. */
  readonly counters: readonly number[];
  /** In the order of the metric table. */
  readonly gauges: readonly number[];
  readonly report: TaskReport;
  /** Topics in which something was stored since the last message. */
  readonly topics: readonly string[];
  readonly connection: ConnectionSnapshot | undefined;
  /** Of the thread's own link to the log. */
  readonly platform: PlatformHealth;
  readonly reconfigurable: boolean;
}

/** What a thread asks its worker for; see `ThreadServices`. */
export type ThreadRequest =
  | 'resolve'
  | 'openOffsets'
  | 'readOffsets'
  | 'putOffsets'
  | 'offsetRecords'
  | 'offsetsCommitted'
  | 'fence'
  | 'checkCurrent';

/** What a worker asks a thread for: to hand the task a changed configuration. */
export type WorkerRequestToThread = 'reconfigure';

/** How often a thread says how it is doing, in milliseconds. */
export const STATE_EVERY_MS = 500;

/**
 * Until when the worker may rely on its membership, in memory that its threads share: they know that it has ended also while the worker's own
 * thread is busy. One writer.
 */
export class LeaseCell {
  readonly memory: SharedArrayBuffer;
  /** Microseconds by the worker's monotonic clock, then by the wall clock. Integers, because only they are read and written as a whole. */
  readonly #until: BigInt64Array;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(16)) {
    this.memory = memory;
    this.#until = new BigInt64Array(memory);
  }

  /** Undefined: it has ended. */
  set(until: ConfirmedUntil | undefined): void {
    Atomics.store(this.#until, 0, microseconds(until?.monotonic ?? 0));
    Atomics.store(this.#until, 1, microseconds(until?.wall ?? 0));
  }

  /** By clocks that count as those of the worker do. */
  isValid(monotonic: number, wall: number): boolean {
    return (
      microseconds(monotonic) < Atomics.load(this.#until, 0) &&
      microseconds(wall) < Atomics.load(this.#until, 1)
    );
  }
}

function microseconds(ms: number): bigint {
  return BigInt(Math.round(Math.min(ms * 1000, Number.MAX_SAFE_INTEGER)));
}
