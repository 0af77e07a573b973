import type { RawConfig } from '@levada/connect-runtime-core';
import { settlesWithin } from '@levada/connect-runtime-core/host';
import { isWhollyAway } from '@levada/connect-runtime-core/platform';
import type { CommittedOffset, ConnectorInfo, ConnectorMetrics, Herder, TaskInfo } from '../port/herder.ts';
import { HerderError } from '../port/herder-error.ts';
import { textOf } from '../port/raw-config.ts';
import type { TaskStatus } from '../port/status.ts';
import type { StoredConnector } from '../stores/config-state.ts';
import { type HerderContext, requireConnector, requireLeader, useOffsets } from './herder-context.ts';

type Reads = Pick<
  Herder,
  | 'knownConnectors'
  | 'workers'
  | 'connectors'
  | 'connector'
  | 'config'
  | 'tasks'
  | 'status'
  | 'taskStatus'
  | 'connections'
  | 'metrics'
  | 'offsets'
  | 'activeTopics'
>;

/** Longest that a question for offsets waits for the log. */
const FRESH_OFFSETS_MS = 1_000;

/**
 * The herder's questions. They answer from what is in memory, once the stores were read; only offsets are read from the log
 * first.
 */
export function connectorReads(context: HerderContext): Reads {
  const { configs, statuses, worker, options, gate } = context;
  const read =
    <A extends readonly unknown[], R>(answer: (...given: A) => R | Promise<R>) =>
    async (...given: A): Promise<R> => {
      await gate.read();
      return await answer(...given);
    };
  return {
    knownConnectors: () => (gate.readable ? configs.names() : []),
    workers: read(() => {
      requireLeader(context);
      return [options.workerId, ...context.assignment.memberIds].toSorted();
    }),
    connectors: read(() => configs.names()),
    connector: read((name) => connectorInfo(context, requireConnector(context, name))),
    config: read((name) => shownConfig(context, requireConnector(context, name))),
    tasks: read((name) => taskInfos(context, requireConnector(context, name))),
    status: read((name) => {
      const connector = statuses.connector(name);
      if (connector === undefined)
        throw new HerderError('not_found', `No status found for connector ${name}`);
      return { name, connector, tasks: statuses.tasks(name), type: typeOf(context, configs.get(name)) };
    }),
    taskStatus: read((name: string, id: number): TaskStatus => {
      const status = statuses.task(name, id);
      if (status === undefined) throw new HerderError('not_found', `No status found for task ${name}-${id}`);
      return { id, ...status };
    }),
    connections: read((name) => {
      requireConnector(context, name);
      return worker.connections(name);
    }),
    metrics: read((name) => connectorMetrics(context, requireConnector(context, name))),
    offsets: read(async (name: string): Promise<readonly CommittedOffset[]> => {
      const offsets = await useOffsets(context, requireConnector(context, name));
      try {
        // As Connect does, so that a commit just made is seen; while the log is away, what was read before has to do.
        if (!isWhollyAway(options.platform.health())) {
          const fresh = offsets.readToEnd().catch(() => undefined);
          await settlesWithin({ clock: options.clock, ms: FRESH_OFFSETS_MS }, fresh);
        }
        return offsets.list();
      } finally {
        await offsets.release();
      }
    }),
    activeTopics: read((name) => {
      requireTopicTracking(options.topicTrackingEnabled, 'Topic tracking is disabled.');
      return statuses.topics(name);
    }),
  };
}

/** A connector as answers show it: secrets masked, `name` always there. */
export function connectorInfo(context: HerderContext, stored: StoredConnector): ConnectorInfo {
  const { name, tasks = [] } = stored;
  return {
    name,
    config: shownConfig(context, stored),
    tasks: tasks.map((_, task) => ({ connector: name, task })),
    type: typeOf(context, stored),
  };
}

/** Throws Kafka Connect's 403 when topics are not tracked, or may not be reset. */
export function requireTopicTracking(enabled: boolean, message: string): void {
  if (!enabled) throw new HerderError('forbidden', message);
}

function shownConfig(context: HerderContext, { name, config }: StoredConnector): RawConfig {
  const shown = maskOf(context, config).maskAll(config);
  return Object.hasOwn(shown, 'name') ? shown : { ...shown, name };
}

function taskInfos(context: HerderContext, stored: StoredConnector): readonly TaskInfo[] {
  const mask = maskOf(context, stored.config);
  return (stored.tasks ?? []).map((config, task) => ({
    id: { connector: stored.name, task },
    config: mask.maskAll(config),
  }));
}

function maskOf({ registry, maskFor }: HerderContext, config: RawConfig) {
  return maskFor(registry.findConnector(textOf(config, 'connector.class')?.trim() ?? ''), config);
}

function typeOf({ registry }: HerderContext, stored: StoredConnector | undefined) {
  const className = stored === undefined ? undefined : textOf(stored.config, 'connector.class');
  return registry.findConnector(className?.trim() ?? '') === undefined ? 'unknown' : 'source';
}

/** A connector that was not started yet has its metrics too, all at their first values. */
function connectorMetrics(
  { worker, registry, maskFor }: HerderContext,
  stored: StoredConnector,
): ConnectorMetrics {
  const className = textOf(stored.config, 'connector.class')?.trim() ?? '';
  const connector = worker.get(stored.name)?.connector ?? registry.findConnector(className);
  if (connector === undefined) {
    throw new HerderError('not_found', `No metrics for connector ${stored.name}, its class is not installed`);
  }
  const shown = connector.config.canonical(maskFor(connector, stored.config).maskAll(stored.config));
  return {
    objectName: connector.objectName(stored.name, shown),
    group: worker.ensure(stored, connector).metrics,
  };
}
