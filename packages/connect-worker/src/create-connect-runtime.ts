import { eventLog, type RawConfig } from '@levada/connect-runtime-core';
import { scrubber } from '@levada/connect-runtime-core/host';
import { configResolver } from './config/config-resolver.ts';
import { converterRows } from './config/converter-settings.ts';
import { PluginRegistry } from './config/plugin-registry.ts';
import { secretKeysOf } from './config/secret-keys.ts';
import { SecretMask } from './config/secret-mask.ts';
import { stageKeys } from './config/stage-keys.ts';
import { topicCreation } from './config/topic-creation.ts';
import { Assignment } from './group/assignment.ts';
import { GroupCheck } from './group/group-check.ts';
import { LeaseCommits } from './group/lease-commits.ts';
import { WorkerMembership } from './group/worker-membership.ts';
import { clusterCommands, stopCompleted } from './herder/cluster-commands.ts';
import { CommandGate } from './herder/command-gate.ts';
import { connectorCommands } from './herder/connector-commands.ts';
import { connectorReads } from './herder/connector-reads.ts';
import type { GroupContext, HerderContext } from './herder/herder-context.ts';
import { metricReads } from './herder/metric-reads.ts';
import { offsetCommands } from './herder/offset-commands.ts';
import { pluginQueries } from './herder/plugin-queries.ts';
import { executeRestart, restartCommands } from './herder/restart-commands.ts';
import { SessionKeys } from './herder/session-keys.ts';
import { StageTracker } from './herder/stage-tracker.ts';
import { publishTasks, taskPublication } from './herder/task-publication.ts';
import { ZombieFencing } from './herder/zombie-fencing.ts';
import { GroupMetrics } from './metrics/group-metrics.ts';
import type { SampleWindowSettings } from './metrics/sample-window.ts';
import { type WorkerCounts, workerCounts } from './metrics/worker-counts.ts';
import type { ConnectRuntime, ConnectRuntimeOptions } from './port/connect-runtime.ts';
import type { Herder } from './port/herder.ts';
import { textOf } from './port/raw-config.ts';
import { runtimeEvents } from './port/runtime-events.ts';
import type { ConfigChange } from './stores/config-state.ts';
import { createRuntimeStores, internalTopicsOf, type RuntimeStores } from './stores/runtime-stores.ts';
import { joinedHealth } from './thread/joined-health.ts';
import { LeaseCell } from './thread/task-messages.ts';
import { ConnectorEffects } from './worker/connector-effects.ts';
import { Reconciler } from './worker/reconciler.ts';
import { StatusReporter } from './worker/status-reporter.ts';
import { TaskScopes } from './worker/task-scopes.ts';
import { taskSettingsFactory, writesTransactions } from './worker/task-settings.ts';
import { Worker } from './worker/worker.ts';
import { WorkerLife } from './worker-life.ts';

/** A worker over a log: nothing is read or started before `start`. Each part is made from those before it. */
export function createConnectRuntime(options: ConnectRuntimeOptions): ConnectRuntime {
  const { clock, workerId } = options;
  const log = eventLog(runtimeEvents, options.logger, clock);
  const windows = sampleWindows(options);
  const counts = workerCounts(windows);
  const groupMetrics = new GroupMetrics(windows);
  const stores = createRuntimeStores(options, log, {
    mayWrite: () => membership.confirmed,
    writeTerm: () => membership.term,
    onTaskComplete: (name) => void stopCompleted({ ...group, statuses: stores.statuses }, name),
  });
  const lease = new LeaseCell();
  const leaseCommits = new LeaseCommits(options, () => worker.commitAll());
  const configuration = createConfiguration(options);
  const check = new GroupCheck(options, {
    configs: stores.configs,
    registry: configuration.registry,
    log,
    requestRebalance: () => membership.rebalance(),
  });
  const membership = new WorkerMembership(options, {
    configs: stores.configs,
    metrics: groupMetrics,
    check,
    onConfirmed: (until) => {
      lease.set(until);
      leaseCommits.noteRenewal(until);
    },
  });
  const stages = new StageTracker(clock);
  const gate = new CommandGate({ clock, stages, platformHealth: () => options.platform.health() });
  const assignment = new Assignment(() => membership.confirmed);
  const sessionKeys = new SessionKeys({
    configs: stores.configs,
    clock,
    signing: options.requestSigning,
    onFailure: (thrown) => log('effect_failed', { what: 'distribute a session key', reason: String(thrown) }),
  });
  const group = { options, configs: stores.configs, gate, assignment, sessionKeys, log };
  const zombies = new ZombieFencing(group);
  const scopes = new TaskScopes();
  const mayProduce = (): boolean => membership.confirmed;
  const reporter = new StatusReporter({ store: stores.statuses, workerId, isOwner: mayProduce });
  const worker = new Worker({
    runtime: options,
    stores,
    reporter,
    resolve: configuration.resolve,
    settings: taskSettingsFactory(options, configuration.registry),
    mayProduce,
    lease,
    scopes,
    fenceZombies: (name, signal) => zombies.request(name, signal),
    restartTask: (name, taskId) => void reconciler.kick(name, { connector: false, tasks: [taskId] }),
    windows,
    counts,
  });
  const effects = createEffects({ configuration, group, worker, reporter, counts });
  const reconciler = new Reconciler({
    clock,
    log,
    apply: (name, restart) => effects.apply(name, restart),
  });
  const context = createContext(
    { ...configuration, ...group, worker, reconciler, fenceZombies: (name) => zombies.fence(name) },
    stores,
  );
  stores.configs.follow((change) => carryOut(context, membership, change));
  const life = new WorkerLife({
    ...group,
    stores,
    stages,
    membership,
    reporter,
    worker,
    reconciler,
    onAssigned: (name) => void stopCompleted(context, name),
  });
  return {
    herder: createHerder(context, life),
    metrics: metricReads(context, { counts, group: groupMetrics, startedAt: clock.now() }),
    start: (signal) => life.start(signal),
    stop: ({ timeoutMs = options.taskShutdownGracefulTimeoutMs } = {}) => life.stop(timeoutMs),
    blame: (thrown) => scopes.blame(thrown),
    platformHealth: () => joinedHealth(options.platform.health(), worker.links()),
    groupFindings: () => check.findings,
  };
}

function sampleWindows(options: ConnectRuntimeOptions): SampleWindowSettings {
  return {
    now: () => options.clock.monotonic(),
    windowMs: options.metricsSampleWindowMs ?? 30_000,
    samples: options.metricsNumSamples ?? 2,
  };
}

/** How configurations are read: which plugins there are, what references stand for, and which values are secret. */
interface Configuration extends Pick<HerderContext, 'registry' | 'resolve' | 'maskFor'> {
  /** The secrets that are written in a configuration itself. */
  readonly literals: (raw: RawConfig) => readonly string[];
}

function createConfiguration(options: ConnectRuntimeOptions): Configuration {
  const registry = new PluginRegistry(options.connectors, options.converters, options);
  const providers = [...options.configProviders.keys()];
  const rowOf = converterRows(options.converters);
  const maskFor: HerderContext['maskFor'] = (connector, config) => {
    const stages = stageKeys(registry, config);
    const find = (name: string) => connector?.config.find(name) ?? stages.find(name) ?? rowOf(config, name);
    return new SecretMask({ providers, find, named: secretKeysOf(config) });
  };
  const literals = (raw: RawConfig): readonly string[] =>
    maskFor(registry.findConnector(textOf(raw, 'connector.class')?.trim() ?? ''), raw).secretTexts(raw);
  return { registry, maskFor, literals, resolve: configResolver(options.configProviders, literals) };
}

function createEffects(parts: {
  readonly configuration: Configuration;
  readonly group: GroupContext;
  readonly worker: Worker;
  readonly reporter: StatusReporter;
  readonly counts: WorkerCounts;
}): ConnectorEffects {
  const { configuration, group, worker, reporter, counts } = parts;
  const { options, configs, assignment } = group;
  const { registry, resolve, literals } = configuration;
  return new ConnectorEffects({
    configs,
    registry,
    worker,
    reporter,
    counts,
    assignment,
    logger: options.logger,
    clock: options.clock,
    scrub: (config, text) => scrubber(literals(config))(text),
    checkStart: async (config) => {
      if (options.topicCreationEnabled) topicCreation((await resolve(config)).config);
    },
    publishTasks: (name, tasks) => publishTasks(group, name, tasks),
  });
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
    ...clusterCommands(context),
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
    offsetTopic: options.offsetTopic.name,
    exactlyOnce: writesTransactions(options),
    taskThreads: options.taskThreads !== undefined,
    workerConverters: {
      'key.converter': options.keyConverter,
      'value.converter': options.valueConverter,
      'header.converter': options.headerConverter,
    },
  };
  return { ...shared, configs, offsets, statuses, validation };
}

/** Carries out what was read from the config topic. */
function carryOut(context: HerderContext, membership: WorkerMembership, change: ConfigChange): void {
  if (change.kind === 'session') {
    context.sessionKeys.changed();
    return;
  }
  if (change.kind === 'logger') {
    context.options.onLoggerLevel?.(change.logger, change.level);
    return;
  }
  if (change.kind === 'restart') {
    executeRestart(context, change.name, change.request);
    return;
  }
  if (change.changesWork) membership.rebalance();
  // Java workers rebalance for each change of task configurations.
  else if (change.kind === 'tasks') membership.expectRebalance();
  void context.reconciler.kick(change.name);
}
