import { ConnectorError, isConnectorError } from '../errors/connector-error.ts';
import type { Clock } from '../time/clock.ts';
import { CommandQueue } from './command-queue.ts';
import { settlesWithin } from './deadline.ts';
import { HerderError } from './herder-error.ts';
import type { StageTracker } from './stage-tracker.ts';

/** What a gate works with. */
export interface CommandGateOptions {
  readonly clock: Clock;
  readonly stages: StageTracker;
  /** Resolves when the worker has started. */
  readonly ready: Promise<void>;
}

/** One change of a connector. */
export interface Command<T> {
  readonly name: string;
  /** What is done, behind "The worker is currently". */
  readonly stage: string;
  readonly run: () => Promise<T>;
}

/** A command waits this long for a worker that is starting. */
const STARTING_MS = 1_500;
/** A command may take this long, waiting for earlier ones included. As long as Kafka Connect waits for its config topic. */
const COMMAND_MS = 30_000;

/**
 * Every change goes through here: not before the worker has started, one at a time per connector, within a time, and with
 * Kafka Connect's answers when the log is away.
 */
export class CommandGate {
  readonly #options: CommandGateOptions;
  readonly #queue = new CommandQueue();
  #closed = false;

  constructor(options: CommandGateOptions) {
    this.#options = options;
  }

  /** Refuses everything from now on. */
  close(): void {
    this.#closed = true;
  }

  /** The command's outcome, failures as HerderErrors. */
  async run<T>({ name, stage, run }: Command<T>): Promise<T> {
    await this.#open();
    const { clock, stages } = this.#options;
    let expired = false;
    const result = this.#queue.run(name, async () => {
      // Nobody waits for the answer any more: a change that was reported as failed must not happen later.
      if (expired) throw new ConnectorError('timeout', 'waited too long for earlier changes');
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

  async #open(): Promise<void> {
    const { clock, ready, stages } = this.#options;
    if (this.#closed) throw shuttingDown();
    if (await settlesWithin({ clock, ms: STARTING_MS }, ready)) return;
    const stage = stages.current();
    throw new HerderError(
      'unavailable',
      `Worker is still starting up.${stage === undefined ? '' : ` The worker is currently ${stage.text}`}`,
    );
  }

  #translate(thrown: unknown): unknown {
    if (!isConnectorError(thrown)) return thrown;
    if (thrown.code === 'timeout')
      return new HerderError('timeout', this.#options.stages.timeoutMessage(), { cause: thrown });
    const kind = thrown.retriable ? 'unavailable' : 'internal';
    return new HerderError(kind, thrown.message, { cause: thrown });
  }
}

function shuttingDown(): HerderError {
  return new HerderError('unavailable', 'The worker is shutting down');
}
