import {
  type Clock,
  type EventLog,
  eventLog,
  isConnectorError,
  type Logger,
  type RawConfig,
} from '@levada/connect-runtime-core';
import { connectorClassOf } from '../config/connector-type.ts';
import { makeTaskConfigs, sameTasks } from '../config/make-task-configs.ts';
import type { PluginRegistry } from '../config/plugin-registry.ts';
import type { Assignment } from '../group/assignment.ts';
import type { WorkerCounts } from '../metrics/worker-counts.ts';
import { herderErrorStatus } from '../port/herder-error.ts';
import { sameConfig, textOf } from '../port/raw-config.ts';
import { runtimeEvents } from '../port/runtime-events.ts';
import { traceOf } from '../port/trace.ts';
import type { StoredConnector } from '../stores/config-state.ts';
import type { ConfigStore } from '../stores/config-store.ts';
import type { StatusReporter } from './status-reporter.ts';
import type { RunningConnector, Worker } from './worker.ts';

/** What was asked to be restarted since a connector was last looked at. */
export interface PendingRestart {
  connector: boolean;
  readonly tasks: Set<number>;
}

export interface ConnectorEffectsOptions {
  readonly configs: ConfigStore;
  readonly registry: PluginRegistry;
  readonly worker: Worker;
  readonly reporter: StatusReporter;
  readonly counts: WorkerCounts;
  readonly assignment: Assignment;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Takes the secrets of a configuration out of a text. */
  readonly scrub: (config: RawConfig, text: string) => string;
  /** Checks, with references resolved, what no task configuration shows. Rejects with what is wrong. */
  readonly checkStart: (config: RawConfig) => Promise<void>;
  /** Stores the task configurations that this worker made: directly, or through the leader. */
  readonly publishTasks: (name: string, tasks: readonly RawConfig[]) => Promise<void>;
}

/**
 * Makes one connector be as the config topic and the assignment say, from whatever it is now. Only the last state counts, so
 * any number of changes in a row needs one pass. One pass per connector at a time.
 */
export class ConnectorEffects {
  readonly #options: ConnectorEffectsOptions;
  readonly #log: EventLog<typeof runtimeEvents>;
  /** Which life of each name was last seen. */
  readonly #epochs = new Map<string, number>();

  constructor(options: ConnectorEffectsOptions) {
    this.#options = options;
    this.#log = eventLog(runtimeEvents, options.logger, options.clock);
  }

  /** One pass. Rejects when the log is away while task configurations are to be stored; then it is to be repeated. */
  async apply(name: string, restart: PendingRestart): Promise<void> {
    const { configs, assignment } = this.#options;
    const stored = configs.get(name);
    await this.#clear(name, stored);
    await this.#stopUnassigned(name);
    if (stored === undefined || !assignment.any(name)) return;
    if (stored.target === 'STOPPED') await this.#stop(stored);
    else if (stored.target === 'PAUSED') await this.#pause(stored);
    else await this.#run(stored, restart);
  }

  /** Ends what is no longer to run here, and forgets what is known of an earlier connector of that name. */
  async #clear(name: string, stored: StoredConnector | undefined): Promise<void> {
    const { worker, reporter, assignment } = this.#options;
    const running = worker.get(name);
    const reason = this.#reasonToEnd(running, stored);
    if (running !== undefined && reason !== undefined) {
      await worker.remove(name);
      this.#log('connector_stopped', { connector: name, reason });
    }
    const epoch = this.#epochs.get(name);
    const isGone = stored === undefined && assignment.leads;
    const isNew = stored !== undefined && epoch !== undefined && epoch !== stored.epoch;
    if (isGone || (isNew && assignment.connector(name))) reporter.remove(name);
    else if (running !== undefined && !assignment.any(name)) reporter.unassign(name);
    if (stored === undefined) this.#epochs.delete(name);
    else this.#epochs.set(name, stored.epoch);
  }

  /** Stops tasks that other workers are to run. */
  async #stopUnassigned(name: string): Promise<void> {
    const { worker, assignment } = this.#options;
    const running = worker.get(name);
    if (running === undefined) return;
    const others = [...running.tasks.keys()].filter((id) => !assignment.task(name, id));
    await Promise.all(others.map((id) => worker.stopTask(running, id)));
  }

  #reasonToEnd(running: RunningConnector | undefined, stored: StoredConnector | undefined) {
    if (stored === undefined) return 'deleted';
    if (!this.#options.assignment.any(stored.name)) return 'revoked';
    return running !== undefined && this.#isAnother(running, stored) ? 'replaced' : undefined;
  }

  /** A connector that was deleted and created again, or that got another class. */
  #isAnother(running: RunningConnector, stored: StoredConnector): boolean {
    const className = textOf(stored.config, 'connector.class') ?? '';
    const connector = this.#options.registry.findConnector(className.trim());
    return running.epoch !== stored.epoch || running.connector !== connector;
  }

  async #stop({ name, tasks = [] }: StoredConnector): Promise<void> {
    const { assignment, publishTasks } = this.#options;
    await this.#stopTasks(name);
    // Written by a pass that was under way when the connector was stopped, here or on another worker.
    if (!assignment.connector(name)) return;
    if (tasks.length > 0) await publishTasks(name, []);
    this.#options.reporter.keepTasks(name, 0);
    this.#options.reporter.connector(name, 'STOPPED');
  }

  async #pause({ name, tasks = [] }: StoredConnector): Promise<void> {
    const { reporter, assignment, worker } = this.#options;
    const running = worker.get(name);
    if (running !== undefined) {
      running.made = undefined;
      await worker.pauseTasks(running);
    }
    for (const task of tasks.keys()) if (assignment.task(name, task)) reporter.task(name, task, 'PAUSED');
    if (!assignment.connector(name)) return;
    reporter.keepTasks(name, tasks.length);
    reporter.connector(name, 'PAUSED');
  }

  async #stopTasks(name: string): Promise<void> {
    const running = this.#options.worker.get(name);
    if (running === undefined) return;
    running.made = undefined;
    await this.#options.worker.stopTasks(running);
    running.measured.clear();
  }

  async #run(stored: StoredConnector, restart: PendingRestart): Promise<void> {
    const { configs, assignment } = this.#options;
    const running = this.#ensure(stored);
    if (running === undefined) return;
    if (assignment.connector(stored.name)) {
      const started = await this.#startConnector(running, stored, restart.connector);
      if (!started) return;
    }
    const present = configs.get(stored.name);
    if (present !== undefined && isStarted(present, stored)) {
      await this.#alignTasks(running, present, restart.tasks);
    }
  }

  #ensure(stored: StoredConnector): RunningConnector | undefined {
    try {
      const connector = this.#options.registry.connector(connectorClassOf(stored.config));
      return this.#options.worker.ensure(stored, connector);
    } catch (thrown) {
      this.#failConnector(stored, thrown);
      this.#failTasks(stored, thrown);
      return undefined;
    }
  }

  /**
   * Makes the task configurations again when the connector's own has changed, it failed, it is to be restarted, or those that
   * are stored are not what it made. False when that failed, or the connector is no longer to run; tasks stay as they are then.
   */
  async #startConnector(
    running: RunningConnector,
    stored: StoredConnector,
    restarting: boolean,
  ): Promise<boolean> {
    const { reporter, publishTasks, configs } = this.#options;
    const { name, config } = stored;
    if (!restarting && isMade(running, stored)) return true;
    if (restarting) reporter.connector(name, 'RESTARTING');
    let tasks: readonly RawConfig[];
    try {
      await this.#options.checkStart(config);
      tasks = makeTaskConfigs(running.connector, stored);
    } catch (thrown) {
      running.made = undefined;
      this.#failConnector(stored, thrown);
      return false;
    }
    const present = configs.get(name);
    if (!isStarted(present, stored)) return false;
    try {
      if (!sameTasks(tasks, present?.tasks)) await publishTasks(name, tasks);
    } catch (thrown) {
      if (!isTooMuch(thrown)) throw thrown;
      running.made = undefined;
      this.#failConnector(stored, thrown);
      return false;
    }
    // Storing them makes the group rebalance: another worker may own the connector now.
    if (!this.#options.assignment.connector(name)) return false;
    running.made = { config, tasks };
    this.#options.counts.connectorStarts.record(true);
    reporter.connector(name, 'RUNNING');
    this.#log('connector_started', { connector: name, tasks: tasks.length });
    return true;
  }

  /** Starts, changes, restarts and ends tasks, side by side, so that they are what the configuration says. */
  async #alignTasks(
    running: RunningConnector,
    stored: StoredConnector,
    restart: ReadonlySet<number>,
  ): Promise<void> {
    const { name, tasks = [] } = stored;
    const ids = new Set([...running.tasks.keys(), ...tasks.keys()]);
    await Promise.all(
      [...ids].map((id) => this.#alignTask(running, stored, { id, restart: restart.has(id) })),
    );
    this.#options.worker.forgetOthers(running);
    if (this.#options.assignment.connector(name)) this.#options.reporter.keepTasks(name, tasks.length);
  }

  async #alignTask(
    running: RunningConnector,
    stored: StoredConnector,
    { id, restart }: { readonly id: number; readonly restart: boolean },
  ): Promise<void> {
    const { configs, worker, reporter, assignment } = this.#options;
    const wanted = stored.tasks?.[id] !== undefined && assignment.task(stored.name, id);
    const present = running.tasks.get(id);
    if (!wanted) {
      if (present !== undefined) await worker.stopTask(running, id);
      return;
    }
    if (present !== undefined && !restart && (await worker.reconfigureTask(running, stored, id))) return;
    if (restart) reporter.task(stored.name, id, 'RESTARTING');
    await worker.stopTask(running, id);
    if (isSame(configs.get(stored.name), stored) && assignment.task(stored.name, id))
      worker.startTask(running, stored, id);
  }

  /** Of a connector whose class this worker does not have, although another one may. */
  #failTasks({ name, config, tasks = [] }: StoredConnector, thrown: unknown): void {
    const trace = traceOf(thrown, (text) => this.#options.scrub(config, text));
    for (const id of tasks.keys())
      if (this.#options.assignment.task(name, id)) this.#options.reporter.task(name, id, 'FAILED', trace);
  }

  #failConnector({ name, config }: StoredConnector, thrown: unknown): void {
    if (!this.#options.assignment.connector(name)) return;
    this.#options.counts.connectorStarts.record(false);
    const scrub = (text: string): string => this.#options.scrub(config, text);
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    this.#log('connector_failed', { connector: name, reason: scrub(reason) });
    this.#options.reporter.connector(name, 'FAILED', traceOf(thrown, scrub));
  }
}

/**
 * Whether a connector that was looked at is still there and to run. What changed while a pass was waiting for something is
 * the next pass's; this one must not undo it.
 */
function isStarted(present: StoredConnector | undefined, seen: StoredConnector): boolean {
  return present?.epoch === seen.epoch && present.target === 'STARTED';
}

/** Whether nothing at all was written for it meanwhile. */
function isSame(present: StoredConnector | undefined, seen: StoredConnector): boolean {
  return isStarted(present, seen) && present?.config === seen.config && present.tasks === seen.tasks;
}

/** Whether task configurations were refused for their size, by the log or by the leader: trying again does not help. */
function isTooMuch(thrown: unknown): boolean {
  if (isConnectorError(thrown)) return thrown.code === 'record_too_large';
  return thrown instanceof Error && 'status' in thrown && thrown.status === herderErrorStatus.too_large;
}

/** A stop takes task configurations away, and may be taken back before anybody looks. */
function isMade({ made }: RunningConnector, { config, tasks }: StoredConnector): boolean {
  return made !== undefined && sameConfig(made.config, config) && sameTasks(made.tasks, tasks);
}
