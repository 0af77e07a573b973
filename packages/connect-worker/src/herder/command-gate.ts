import { type Clock, ConnectorError, isConnectorError } from '@levada/connect-runtime-core';
import { settlesWithin } from '@levada/connect-runtime-core/host';
import { isWhollyAway, type PlatformHealth } from '@levada/connect-runtime-core/platform';
import { HerderError, type HerderErrorKind } from '../port/herder-error.ts';
import type { StageTracker } from './stage-tracker.ts';

export interface CommandGateOptions {
  readonly clock: Clock;
  readonly stages: StageTracker;
  readonly platformHealth: () => PlatformHealth;
}

/** How far a worker's start is: it reads its stores, then it joins the group, then it accepts changes. */
const phases = ['reading', 'readable', 'ready'] as const;

/** One of {@link phases}. */
export type StartPhase = (typeof phases)[number];

/** One change of a connector. */
export interface Command<T> {
  readonly name: string;
  /** The current activity; completes "The worker is currently". */
  readonly stage: string;
  readonly run: () => Promise<T>;
}

/** A request waits this long for a worker that is starting, and no longer than until its log has been away for this long. */
const STARTING_MS = 1_500;
/** A command may take this long, waiting for earlier ones included. As long as Kafka Connect waits for its config topic. */
const COMMAND_MS = 30_000;

/**
 * Every read waits here until the stores were read, and every change until the worker has started. Changes run one at a time
 * per connector, within a time, and with Kafka Connect's answers when the log is away.
 */
export class CommandGate {
  readonly #options: CommandGateOptions;
  readonly #queue = new CommandQueue();
  /** Wakes the requests that wait for the start. */
  readonly #waiting = new Set<() => void>();
  #phase: StartPhase = 'reading';
  /** Since when the log is away, as its health says it, and in monotonic time. */
  #away: { readonly since: number; readonly from: number } | undefined;
  #closed = false;

  constructor(options: CommandGateOptions) {
    this.#options = options;
  }

  /** Refuses changes from now on, and reads unless the stores were read. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  /** The start has come this far. */
  reached(phase: StartPhase): void {
    this.#phase = phase;
    this.#wake();
  }

  /** Whether the stores were read to their ends: what is in memory is all there is. It stays so when the log goes away. */
  get readable(): boolean {
    return this.#isAt('readable');
  }

  /** Resolves when reads can be answered from memory. */
  async read(): Promise<void> {
    if (!this.readable) await this.#until('readable');
  }

  /** The command's outcome, failures as HerderErrors. */
  async run<T>({ name, stage, run }: Command<T>): Promise<T> {
    if (this.#closed) throw shuttingDown();
    await this.#until('ready');
    const { clock, stages } = this.#options;
    let expired = false;
    const result = this.#queue.run(name, async () => {
      // The answer is no longer waited for: a change that was reported as failed must not happen later.
      if (expired)
        throw new ConnectorError('timeout', 'the change was not made: changes before it took too long');
      if (this.#closed) throw shuttingDown();
      return await stages.during(stage, run);
    });
    if (!(await settlesWithin({ clock, ms: COMMAND_MS }, result))) {
      expired = true;
      throw new HerderError('timeout', stages.timeoutMessage());
    }
    try {
      return await result;
    } catch (thrown) {
      throw this.#translate(thrown);
    }
  }

  async #until(phase: StartPhase): Promise<void> {
    const { clock, stages } = this.#options;
    const end = clock.monotonic() + STARTING_MS;
    while (!this.#isAt(phase)) {
      if (this.#closed) throw shuttingDown();
      const left = Math.min(end - clock.monotonic(), this.#patienceMs());
      if (left <= 0) {
        const stage = stages.current();
        throw new HerderError(
          'unavailable',
          `Worker is still starting up.${stage === undefined ? '' : ` The worker is currently ${stage.text}`}`,
        );
      }
      await this.#changes(left);
    }
  }

  /** What is left of the time for which it is worth while to wait for the log. */
  #patienceMs(): number {
    const { clock, platformHealth } = this.#options;
    const health = platformHealth();
    if (health.status !== 'away' || !isWhollyAway(health)) return STARTING_MS;
    const { since } = health;
    // By the wall clock once: it may be set while requests wait.
    if (this.#away?.since !== since) {
      this.#away = { since, from: clock.monotonic() - Math.max(0, clock.now() - since) };
    }
    return this.#away.from + STARTING_MS - clock.monotonic();
  }

  /** Until the start comes further, the gate closes or that time is over. */
  #changes(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        timer.cancel();
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = this.#options.clock.after(ms, wake);
      this.#waiting.add(wake);
    });
  }

  #isAt(phase: StartPhase): boolean {
    return phases.indexOf(this.#phase) >= phases.indexOf(phase);
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }

  #translate(thrown: unknown): unknown {
    if (!isConnectorError(thrown)) return thrown;
    if (thrown.code === 'timeout')
      return new HerderError('timeout', this.#options.stages.timeoutMessage(), { cause: thrown });
    return new HerderError(kindOf(thrown), thrown.message, { cause: thrown });
  }
}

function kindOf({ code, retriable }: ConnectorError): HerderErrorKind {
  if (code === 'record_too_large') return 'too_large';
  return retriable ? 'unavailable' : 'internal';
}

function shuttingDown(): HerderError {
  return new HerderError('unavailable', 'The worker is shutting down');
}

/** Runs commands of one key one after the other, and those of different keys side by side. */
class CommandQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** The command's outcome. It runs when every earlier command of the key is over, however that ended. */
  run<T>(key: string, command: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(command);
    const tail = result.then(ignore, ignore).then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    this.#tails.set(key, tail);
    return result;
  }
}

function ignore(): void {
  // the outcome is the caller's; the queue only continues
}
