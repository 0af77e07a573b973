import type { RawConfig } from '../config/config-key.ts';
import { scrubber } from '../config/scrubber.ts';
import { eventLog } from '../diagnostics/log-event.ts';
import { configResolver } from './config/config-resolver.ts';
import { PluginRegistry } from './config/plugin-registry.ts';
import { secretKeysOf } from './config/secret-keys.ts';
import { SecretMask } from './config/secret-mask.ts';
import { topicCreation } from './config/topic-creation.ts';
import { CommandGate } from './herder/command-gate.ts';
import { connectorCommands } from './herder/connector-commands.ts';
import { connectorReads } from './herder/connector-reads.ts';
import type { HerderContext } from './herder/herder-context.ts';
import { offsetCommands } from './herder/offset-commands.ts';
import { pluginQueries } from './herder/plugin-queries.ts';
import { executeRestart, restartCommands } from './herder/restart-commands.ts';
import { SessionKeys } from './herder/session-keys.ts';
import { StageTracker } from './herder/stage-tracker.ts';
import { publishTasks, taskPublication } from './herder/task-publication.ts';
import type { ConnectRuntime, ConnectRuntimeOptions } from './port/connect-runtime.ts';
import type { Herder } from './port/herder.ts';
import { textOf } from './port/raw-config.ts';
import { runtimeEvents } from './port/runtime-events.ts';
import type { ConfigChange } from './stores/config-state.ts';
import { createRuntimeStores, type RuntimeStores } from './stores/runtime-stores.ts';
import { Assignment } from './worker/assignment.ts';
import { ConnectorEffects } from './worker/connector-effects.ts';
import { Reconciler } from './worker/reconciler.ts';
import { StatusReporter } from './worker/status-reporter.ts';
import { TaskScopes } from './worker/task-scopes.ts';
import { taskSettingsFactory } from './worker/task-settings.ts';
import { Worker } from './worker/worker.ts';
import { WorkerLife } from './worker-life.ts';

/** A worker over a log: nothing is read or started before `start`. */
export function createConnectRuntime(options: ConnectRuntimeOptions): ConnectRuntime {
  const log = eventLog(runtimeEvents, options.logger, options.clock);
  const stores = createRuntimeStores(options, log, (change) => onChange(context, life, change));
  const stages = new StageTracker(options.clock);
  const assignment = new Assignment();
  const mayProduce = (): boolean => life.mayProduce;
  const { workerId } = options;
  const reporter = new StatusReporter({ store: stores.statuses, workerId, isOwner: mayProduce });
  const registry = new PluginRegistry(options.connectors, options.converters);
  const maskFor = createMasks(options);
  const literals = (raw: RawConfig): readonly string[] =>
    maskFor(registry.findConnector(textOf(raw, 'connector.class')?.trim() ?? ''), raw).secretTexts(raw);
  const resolve = configResolver(options.configProviders, literals);
  const scopes = new TaskScopes();
  const worker: Worker = new Worker({
    runtime: options,
    offsets: stores.offsets,
    statuses: stores.statuses,
    reporter,
    resolve,
    settings: taskSettingsFactory(options, registry),
    internalTopics: internalTopicsOf(options),
    mayProduce,
    scopes,
    onCompleted: (name, tasks) => {
      if (stores.configs.get(name)?.tasks?.length === tasks) void stopCompleted(context, name);
    },
  });
  const effects = new ConnectorEffects({
    configs: stores.configs,
    registry,
    worker,
    reporter,
    assignment,
    logger: options.logger,
    clock: options.clock,
    scrub: (config, text) => scrubber(literals(config))(text),
    checkStart: async (config) => {
      if (options.topicCreationEnabled) topicCreation((await resolve(config)).config);
    },
    publishTasks: (name, tasks) => publishTasks(context, name, tasks),
  });
  const reconciler = new Reconciler({
    clock: options.clock,
    log,
    apply: (name, restart) => effects.apply(name, restart),
  });
  const gate = new CommandGate({ clock: options.clock, stages });
  const sessionKeys = new SessionKeys({
    configs: stores.configs,
    clock: options.clock,
    ttlMs: options.sessionKeyTtlMs,
    onFailure: (thrown) => log('effect_failed', { what: 'distribute a session key', reason: String(thrown) }),
  });
  const shared = {
    options,
    registry,
    worker,
    reconciler,
    gate,
    assignment,
    sessionKeys,
    resolve,
    maskFor,
    log,
  };
  const context = createContext(shared, stores);
  const life: WorkerLife = new WorkerLife({
    options,
    stores,
    stages,
    assignment,
    reporter,
    worker,
    reconciler,
    gate,
    sessionKeys,
    log,
  });
  return {
    herder: createHerder(context, life),
    start: (signal) => life.start(signal),
    stop: ({ timeoutMs = options.taskShutdownGracefulTimeoutMs } = {}) => life.stop(timeoutMs),
    blame: (thrown) => scopes.blame(thrown),
  };
}

function createHerder(context: HerderContext, life: WorkerLife): Herder {
  return {
    health: () => life.health(),
    ...connectorReads(context),
    ...connectorCommands(context),
    ...restartCommands(context),
    ...offsetCommands(context),
    ...pluginQueries(context),
    ...taskPublication(context),
  };
}

type Shared = Omit<HerderContext, 'configs' | 'offsets' | 'statuses' | 'validation'>;

function createContext(shared: Shared, { configs, offsets, statuses }: RuntimeStores): HerderContext {
  const { options, registry, resolve, maskFor } = shared;
  const validation = {
    registry,
    resolve,
    maskFor,
    overridePolicy: options.overridePolicy,
    internalTopics: internalTopicsOf(options),
    workerConverters: {
      'key.converter': options.keyConverter,
      'value.converter': options.valueConverter,
      'header.converter': options.headerConverter,
    },
  };
  return { ...shared, configs, offsets, statuses, validation };
}

/** A connector with nothing more to read is stopped, as a user would do it. What keeps it from that shows in its tasks. */
async function stopCompleted(context: HerderContext, name: string): Promise<void> {
  const { assignment, options } = context;
  try {
    if (assignment.leads || assignment.leaderUrl === undefined || options.callWorker === undefined) {
      await connectorCommands(context).setTargetState(name, 'STOPPED');
      return;
    }
    const path = ['connectors', name, 'stop'];
    await options.callWorker({
      method: 'PUT',
      baseUrl: assignment.leaderUrl,
      path,
      body: '',
      signature: undefined,
    });
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    context.log('effect_failed', { connector: name, what: 'stop after completion', reason });
  }
}

/** What was read from the config topic is carried out. */
function onChange(context: HerderContext, life: WorkerLife, change: ConfigChange): void {
  if (change.kind === 'session') return;
  if (change.kind === 'restart') {
    executeRestart(context, change.name, change.request);
    return;
  }
  if (change.kind !== 'target') life.rebalance();
  void context.reconciler.kick(change.name);
}

function createMasks(options: ConnectRuntimeOptions): HerderContext['maskFor'] {
  const providers = [...options.configProviders.keys()];
  return (connector, config) =>
    new SecretMask({ providers, find: (name) => connector?.config.find(name), named: secretKeysOf(config) });
}

function internalTopicsOf(options: ConnectRuntimeOptions): ReadonlySet<string> {
  return new Set([options.configTopic.name, options.offsetTopic.name, options.statusTopic.name]);
}
