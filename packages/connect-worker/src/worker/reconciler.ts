import { type Clock, ConnectorError, type EventLog } from '@levada/connect-runtime-core';
import { type BackoffPolicy, backoffDelay } from '@levada/connect-runtime-core/converter';
import type { runtimeEvents } from '../port/runtime-events.ts';
import type { PendingRestart } from './connector-effects.ts';

export interface ReconcilerOptions {
  /** One pass over a connector. */
  readonly apply: (name: string, restart: PendingRestart) => Promise<void>;
  readonly clock: Clock;
  readonly log: EventLog<typeof runtimeEvents>;
}

interface Work {
  dirty: boolean;
  restart: PendingRestart;
  running: Promise<void> | undefined;
}

const backoff: BackoffPolicy = { intervalMs: 500, maxMs: 10_000 };

/**
 * Sees to it that each connector gets a pass after every change: one at a time per connector, any number of changes taken
 * together, repeated with back-off when it fails.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  readonly #work = new Map<string, Work>();
  readonly #closed = new AbortController();

  constructor(options: ReconcilerOptions) {
    this.#options = options;
  }

  /** Something about the connector changed. Resolves when it is carried out, and whatever changed meanwhile. */
  async kick(name: string, restart?: { readonly connector: boolean; readonly tasks: readonly number[] }) {
    if (this.#closed.signal.aborted) return;
    const work = this.#work.get(name) ?? { dirty: false, restart: nothing(), running: undefined };
    this.#work.set(name, work);
    work.dirty = true;
    if (restart?.connector === true) work.restart.connector = true;
    for (const task of restart?.tasks ?? []) work.restart.tasks.add(task);
    work.running ??= this.#run(name, work);
    await work.running;
  }

  /** Resolves when nothing is under way for the connector. */
  async settled(name: string): Promise<void> {
    await this.#work.get(name)?.running;
  }

  /** Begins no further pass. Resolves when those under way are over. */
  async close(): Promise<void> {
    this.#closed.abort();
    await Promise.all([...this.#work.values()].map((work) => work.running ?? Promise.resolve()));
  }

  async #run(name: string, work: Work): Promise<void> {
    let attempt = 0;
    while (work.dirty && !this.#closed.signal.aborted) {
      work.dirty = false;
      const { restart } = work;
      work.restart = nothing();
      try {
        await this.#options.apply(name, restart);
        attempt = 0;
      } catch (thrown) {
        attempt += 1;
        work.dirty = true;
        if (restart.connector) work.restart.connector = true;
        for (const task of restart.tasks) work.restart.tasks.add(task);
        await this.#backOff(name, attempt, thrown);
      }
    }
    this.#work.delete(name);
  }

  async #backOff(name: string, attempt: number, thrown: unknown): Promise<void> {
    const { clock, log } = this.#options;
    const { message } = ConnectorError.from(thrown);
    log('effect_failed', { connector: name, attempt, reason: message });
    // Closing ends the wait; the loop sees it.
    const delay = backoffDelay(backoff, attempt, Math.random);
    await clock.sleep(delay, this.#closed.signal).catch(() => undefined);
  }
}

function nothing(): PendingRestart {
  return { connector: false, tasks: new Set() };
}
