import { ConnectorError } from '@levada/connect-runtime-core';
import { type BackoffPolicy, backoffDelay } from '@levada/connect-runtime-core/converter';
import { taskTransactionalId } from '../config/exactly-once.ts';
import { HerderError } from '../port/herder-error.ts';
import { configKeys } from '../stores/config-records.ts';
import { type GroupContext, redirectTo } from './herder-context.ts';

/** Longest that the fencing of one connector is tried. */
const FENCING_MS = 60_000;
/** Producers that are fenced by one call. */
const AT_ONCE = 1_000;
/** How often a task asks for it before it fails. */
const ATTEMPTS = 10;
const backoff: BackoffPolicy = { intervalMs: 250, maxMs: 10_000 };

/**
 * Fences the tasks that a connector had before its present ones, so that none of them writes any more: the leader's part of exactly-once
 * support (KIP-618). A record of the number of tasks follows in the config topic; without it no task of the present ones starts. One
 * fencing per connector at a time, for all who ask meanwhile.
 */
export class ZombieFencing {
  readonly #context: GroupContext;
  readonly #active = new Map<string, Promise<void>>();

  constructor(context: GroupContext) {
    this.#context = context;
  }

  /** On the leader. Resolves when the present tasks may start. */
  fence(name: string): Promise<void> {
    const active = this.#active.get(name);
    if (active !== undefined) return active;
    const fencing = this.#fence(name).finally(() => this.#active.delete(name));
    this.#active.set(name, fencing);
    return fencing;
  }

  /** On whatever worker: does it, or asks the leader to. Rejects when that fails again and again, or the signal aborts. */
  async request(name: string, signal: AbortSignal): Promise<void> {
    const { log, options } = this.#context;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#ask(name);
        return;
      } catch (thrown) {
        if (attempt === ATTEMPTS || signal.aborted) throw thrown;
        const { message } = ConnectorError.from(thrown);
        log('effect_failed', { connector: name, attempt, what: 'fence earlier tasks', reason: message });
        await options.clock.sleep(backoffDelay(backoff, attempt, Math.random), signal);
      }
    }
  }

  async #ask(name: string): Promise<void> {
    const { assignment, configs, options, sessionKeys } = this.#context;
    if (assignment.leads) {
      await this.fence(name);
      return;
    }
    const { leaderUrl } = assignment;
    if (leaderUrl === undefined || options.callWorker === undefined) throw redirectTo(undefined);
    await options.callWorker({
      method: 'PUT',
      baseUrl: leaderUrl,
      path: ['connectors', name, 'fence'],
      body: '',
      signature: configs.sessionKey === undefined ? undefined : sessionKeys.sign(''),
    });
  }

  async #fence(name: string): Promise<void> {
    const { configs } = this.#context;
    await configs.readToEnd();
    const before = configs.fenced(name);
    if (before?.current === true) return;
    const tasks = configs.get(name)?.tasks;
    const count = tasks?.length ?? 0;
    // The one task that follows the one before has its id, and fences it by itself.
    const isOneByOne = before?.tasks === 1 && count === 1;
    if (before !== undefined && !isOneByOne) await this.#fenceProducers(name, before.tasks);
    await configs.readToEnd();
    if (configs.get(name)?.tasks !== tasks) {
      throw new HerderError(
        'conflict',
        'Fencing failed because new task configurations were generated for the connector',
      );
    }
    await configs.putFenced(name, count);
  }

  async #fenceProducers(name: string, count: number): Promise<void> {
    const { options } = this.#context;
    const { transactions } = options.platform;
    const ending = new AbortController();
    const said = `${configKeys.fencing(name)} in the config topic says that there were ${count} tasks`;
    const timer = options.clock.after(FENCING_MS, () =>
      ending.abort(new ConnectorError('timeout', `fencing took longer than ${FENCING_MS} ms, and ${said}`)),
    );
    try {
      // In parts, because the number may be anything that was written to the topic.
      for (let first = 0; first < count; first += AT_ONCE) {
        const length = Math.min(AT_ONCE, count - first);
        const ids = Array.from({ length }, (_, at) => taskTransactionalId(options.groupId, name, first + at));
        ending.signal.throwIfAborted();
        await transactions?.fence(ids, ending.signal);
      }
    } finally {
      timer.cancel();
    }
  }
}
