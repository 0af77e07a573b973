import { ConnectorError, type EventLog } from '@levada/connect-runtime-core';
import { type BackoffPolicy, backoffDelay } from '@levada/connect-runtime-core/converter';
import { closingShare, settlesWithin } from '@levada/connect-runtime-core/host';
import type { GroupAssignment } from '@levada/connect-runtime-core/platform';
import type { Assignment } from './group/assignment.ts';
import type { MembershipListener, WorkerMembership } from './group/worker-membership.ts';
import type { CommandGate } from './herder/command-gate.ts';
import type { SessionKeys } from './herder/session-keys.ts';
import type { StageTracker } from './herder/stage-tracker.ts';
import type { ConnectRuntimeOptions, StopReport } from './port/connect-runtime.ts';
import type { HerderHealth } from './port/herder.ts';
import type { runtimeEvents } from './port/runtime-events.ts';
import type { RuntimeStores } from './stores/runtime-stores.ts';
import type { Reconciler } from './worker/reconciler.ts';
import type { StatusReporter } from './worker/status-reporter.ts';
import type { Worker } from './worker/worker.ts';

export interface WorkerLifeOptions {
  readonly options: ConnectRuntimeOptions;
  readonly stores: RuntimeStores;
  readonly stages: StageTracker;
  readonly membership: WorkerMembership;
  readonly assignment: Assignment;
  readonly reporter: StatusReporter;
  readonly worker: Worker;
  readonly reconciler: Reconciler;
  readonly gate: CommandGate;
  readonly sessionKeys: SessionKeys;
  readonly log: EventLog<typeof runtimeEvents>;
  /** Another part of a connector is to run here than before. */
  readonly onAssigned: (name: string) => void;
}

const INITIALIZING = 'initializing and reading to the end of internal topics';
const JOINING = 'joining the worker group';
/** A stage that lasts longer than this makes the worker unhealthy. */
const UNHEALTHY_MS = 10_000;
/** Longest for all that follows the tasks at a stop: writing statuses, leaving the group, closing stores. */
const CLOSE_MS = 1_000;
/** Longest wait for the statuses of what was handed back. */
const FLUSH_MS = 1_000;
const startBackoff: BackoffPolicy = { intervalMs: 250, maxMs: 5_000 };

/** The beginning and the end of a worker: opens stores, joins the group, stops everything in order. */
export class WorkerLife {
  readonly #options: WorkerLifeOptions;
  readonly #ending = new AbortController();
  readonly #listener: MembershipListener = {
    onAssigned: (assignment) => this.#assign(assignment),
    onLost: (reason) => this.#lose(reason),
  };
  readonly #createdAt: number;
  #started: Promise<void> | undefined;
  #stopped: Promise<StopReport> | undefined;
  /** Resolves when a stop has ended all tasks. */
  #drained: Promise<StopReport> | undefined;
  #ready = false;
  /** Set while this worker is not a member of its group after it was, or could not become one; ends with the next assignment. */
  #lost: { readonly reason: string; readonly over: PromiseWithResolvers<void> } | undefined;

  constructor(options: WorkerLifeOptions) {
    this.#options = options;
    this.#createdAt = options.options.clock.now();
  }

  health(): HerderHealth {
    const stage = this.#options.stages.current();
    if (!this.#ready) {
      return {
        status: this.#lost === undefined ? 'starting' : 'unhealthy',
        stage: stage?.text ?? INITIALIZING,
        since: stage?.since ?? this.#createdAt,
      };
    }
    if (stage === undefined || stage.forMs < UNHEALTHY_MS) return { status: 'healthy' };
    return { status: 'unhealthy', stage: stage.text, since: stage.since };
  }

  start(signal?: AbortSignal): Promise<void> {
    const ending = this.#ending.signal;
    const combined = signal === undefined ? ending : AbortSignal.any([signal, ending]);
    this.#started ??= this.#start(combined);
    return this.#started;
  }

  stop(timeoutMs: number): Promise<StopReport> {
    this.#stopped ??= this.#stop(timeoutMs);
    return this.#stopped;
  }

  async #start(signal: AbortSignal): Promise<void> {
    const { stages, stores, gate, membership } = this.#options;
    try {
      await stages.during(INITIALIZING, () => this.#retrying(signal, () => stores.open(signal)));
      gate.reached('readable');
      this.#lookBack();
      await stages.during(this.#joining, () =>
        this.#retrying(signal, () => membership.join(this.#listener, signal)),
      );
    } catch (thrown) {
      // A stop is no failure of the start.
      if (this.#ending.signal.aborted) return;
      throw thrown;
    }
    this.#accept();
    this.#options.log('worker_started', { connectors: stores.configs.names().length });
  }

  /** An orderly end hands tasks back: those that still run by their status were cut off. */
  #lookBack(): void {
    const { stores, options, log } = this.#options;
    const { statuses } = stores;
    const tasks = statuses.names().flatMap((name) =>
      statuses
        .tasks(name)
        .filter(({ state, workerId }) => state === 'RUNNING' && workerId === options.workerId)
        .map(({ id }) => `${name}-${id}`),
    );
    if (tasks.length > 0) log('previous_session_unclean', { tasks });
  }

  /** Until it succeeds, or fails with something that trying again cannot mend. */
  async #retrying(signal: AbortSignal, step: () => Promise<void>): Promise<void> {
    const { options, log } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      if (signal.aborted) throw new ConnectorError('aborted', 'the start was cancelled');
      try {
        await step();
        return;
      } catch (thrown) {
        const error = ConnectorError.from(thrown);
        if (!error.retriable || signal.aborted) throw error;
        const delayMs = backoffDelay(startBackoff, attempt, Math.random);
        log('store_unavailable', { attempt, reason: error.message, nextTryInMs: delayMs });
        await options.clock.sleep(delayMs, signal);
      }
    }
  }

  /** What a worker that joins, or joins again after it was removed, is doing. */
  readonly #joining = (): string =>
    this.#lost === undefined ? JOINING : `joining the worker group again, because ${this.#lost.reason}`;

  #accept(): void {
    this.#ready = true;
    this.#options.gate.reached('ready');
  }

  /** Resolves when nothing runs here that is not in the assignment. What is new in it starts in the background. */
  async #assign(given: GroupAssignment): Promise<void> {
    const { reporter, reconciler, sessionKeys, stores } = this.#options;
    const changed = this.#set(given);
    if (!this.#ending.signal.aborted) stores.configs.lead(given.isLeader);
    reporter.setGeneration(given.generation);
    if (given.isLeader) this.#removeStatusesOfDeleted();
    const stopped = this.#stopUnassigned(changed);
    for (const name of changed) {
      void reconciler.kick(name);
      this.#options.onAssigned(name);
    }
    await stopped;
    this.#lost?.over.resolve();
    this.#lost = undefined;
    // A worker without other members sends no requests to others, and gets none.
    if (!this.#ending.signal.aborted) sessionKeys.lead(given.isLeader && given.work !== 'all');
  }

  /** Resolves when nothing runs here any more. */
  async #lose(reason: string): Promise<void> {
    const { stages, sessionKeys, stores, log } = this.#options;
    log('worker_removed', {}, reason);
    sessionKeys.lead(false);
    stores.configs.lead(false);
    const over = Promise.withResolvers<void>();
    const known = this.#lost?.over;
    this.#lost = { reason, over: known ?? over };
    if (known === undefined && this.#ready) void stages.during(this.#joining, () => over.promise);
    const changed = this.#set(undefined);
    await this.#stopUnassigned(changed);
    for (const name of changed) void this.#options.reconciler.kick(name);
    await this.#drained;
  }

  /** Takes effect at once. Returns the connectors that have another part here than before. */
  #set(given: GroupAssignment | undefined): readonly string[] {
    const { assignment, stores, worker } = this.#options;
    return assignment.set(given, new Set([...stores.configs.names(), ...worker.names()]));
  }

  /** Stops what is not assigned any more, and says so in the statuses. */
  async #stopUnassigned(names: readonly string[]): Promise<void> {
    const { assignment, worker, reporter } = this.#options;
    const stopTasksOf = async (name: string): Promise<void> => {
      const running = worker.get(name);
      if (running === undefined) return;
      if (!assignment.connector(name)) {
        running.made = undefined;
        reporter.unassignConnector(name);
      }
      const tasks = [...running.tasks.keys()].filter((id) => !assignment.task(name, id));
      await Promise.all(tasks.map((id) => worker.stopTask(running, id)));
      for (const id of tasks) reporter.unassignTask(name, id);
    };
    await Promise.all(names.map(stopTasksOf));
    // Before the next owner, which is assigned them afterwards, writes its own.
    await this.#options.stores.statuses.flush(FLUSH_MS);
  }

  /** Removes the statuses of connectors that were deleted while no worker ran. */
  #removeStatusesOfDeleted(): void {
    const { stores, reporter } = this.#options;
    const known = new Set(stores.configs.names());
    for (const name of stores.statuses.names()) if (!known.has(name)) reporter.remove(name);
  }

  async #stop(timeoutMs: number): Promise<StopReport> {
    const { options, gate, sessionKeys, membership, worker, reconciler, reporter, stores, log } =
      this.#options;
    const { clock } = options;
    const deadline = clock.monotonic() + timeoutMs;
    gate.close();
    sessionKeys.lead(false);
    this.#ending.abort();
    this.#lost?.over.resolve();
    const passes = reconciler.close();
    this.#drained = worker.stopAll(timeoutMs - closingShare(timeoutMs));
    const report = await this.#drained;
    const end = Math.min(deadline, clock.monotonic() + CLOSE_MS);
    const left = (): number => Math.max(0, end - clock.monotonic());
    await settlesWithin({ clock, ms: left() / 2 }, Promise.allSettled([passes, this.#started]));
    if (this.#ready) for (const name of stores.configs.names()) reporter.unassign(name);
    // Before a successor can write its own.
    await stores.statuses.flush(left() / 3);
    await settlesWithin({ clock, ms: left() / 2 }, membership.leave());
    await stores.close(left());
    const undelivered = report.undelivered.reduce((sum, { count }) => sum + count, 0);
    log('worker_stopped', { undelivered });
    return report;
  }
}
