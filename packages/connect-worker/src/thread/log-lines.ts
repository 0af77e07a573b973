import type { Logger } from '@levada/connect-runtime-core';
import type { LogFields } from '@levada/connect-runtime-core/contract';
import type { ErrorCauseJson } from '@levada/connect-runtime-core/errors';
import { causeJson, causeOf, type LogLevel } from '@levada/connect-runtime-core/host';

/** One line of a logger in another thread. */
export interface SentLine {
  readonly kind: 'log';
  readonly level: LogLevel;
  readonly fields: LogFields;
  /** Fields that are errors: as they are, only their message and stack would arrive. */
  readonly errors: Readonly<Record<string, { readonly error: ErrorCauseJson; readonly stack: string }>>;
  readonly message: string | undefined;
}

/** Whether the worker writes lines of level debug, in memory that threads share: some tasks have one for each request. */
export class DebugSwitch {
  readonly memory: SharedArrayBuffer;
  readonly #on: Int32Array;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#on = new Int32Array(memory);
  }

  get isOn(): boolean {
    return Atomics.load(this.#on, 0) === 1;
  }

  set(on: boolean): void {
    Atomics.store(this.#on, 0, on ? 1 : 0);
  }
}

/** Most lines of a thread that wait for the worker. */
const MOST_WAITING = 10_000;

/**
 * Lines that were sent and not written yet, and those that were not sent because too many were, in memory that threads share: messages
 * of a port wait without bounds while the other thread is blocked. One thread sends, one writes.
 */
export class WaitingLines {
  readonly memory: SharedArrayBuffer;
  readonly #most: number;
  /** Waiting, then lost. */
  readonly #counts: Int32Array;

  constructor(memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT), most = MOST_WAITING) {
    this.memory = memory;
    this.#most = most;
    this.#counts = new Int32Array(memory);
  }

  /** One more is to be sent. False: it is lost, and counted as that. */
  enter(): boolean {
    if (Atomics.load(this.#counts, 0) < this.#most) {
      Atomics.add(this.#counts, 0, 1);
      return true;
    }
    Atomics.add(this.#counts, 1, 1);
    return false;
  }

  /** One was written. */
  leave(): void {
    Atomics.sub(this.#counts, 0, 1);
  }

  /** Lines that were lost since the last call. */
  takeLost(): number {
    return Atomics.exchange(this.#counts, 1, 0);
  }

  /** The thread has ended: what waits is never written. Returns how many were lost since the last call, these included. */
  end(): number {
    return this.takeLost() + Atomics.exchange(this.#counts, 0, 0);
  }
}

export interface SendingLoggerOptions {
  readonly post: (line: SentLine) => void;
  readonly debug: Pick<DebugSwitch, 'isOn'>;
  readonly waiting: Pick<WaitingLines, 'enter'>;
}

/** A logger whose lines are sent to another thread, each with these fields. */
export function sendingLogger(options: SendingLoggerOptions, own: LogFields = {}): Logger {
  const { post, debug, waiting } = options;
  const line =
    (level: LogLevel) =>
    (fields: LogFields, message?: string): void => {
      if (waiting.enter()) post(sentLine(level, { ...own, ...fields }, message));
    };
  const debugLine = line('debug');
  return {
    debug: (fields, message) => {
      if (debug.isOn) debugLine(fields, message);
    },
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    child: (fields) => sendingLogger(options, { ...own, ...fields }),
  };
}

/** Writes a line that another thread has sent. */
export function writeLine(logger: Logger, { level, fields, errors, message }: SentLine): void {
  const revived = Object.entries(errors).map(([name, { error, stack }]) => [
    name,
    Object.assign(causeOf(error), { stack }),
  ]);
  logger[level]({ ...fields, ...Object.fromEntries(revived) }, message);
}

function sentLine(level: LogLevel, all: LogFields, message: string | undefined): SentLine {
  const fields: Record<string, unknown> = {};
  const errors: Record<string, SentLine['errors'][string]> = {};
  for (const [name, value] of Object.entries(all)) {
    if (value instanceof Error) errors[name] = { error: causeJson(value), stack: value.stack ?? '' };
    else fields[name] = sendable(value);
  }
  return { kind: 'log', level, fields, errors, message };
}

/** A value as a port takes it: what it would refuse is said to be there. */
export function sendable(value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  try {
    return structuredClone(value);
  } catch {
    // Some part of it, a function for example, belongs to its thread.
    return Object.prototype.toString.call(value);
  }
}
