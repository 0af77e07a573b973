import type { MetricGroup, RawConfig } from '@levada/connect-runtime-core';
import type { ConfigKeyInfo, ConfigValue } from '@levada/connect-runtime-core/config';
import type {
  ConnectionSnapshot,
  MetricObjectName,
  OffsetChange,
} from '@levada/connect-runtime-core/contract';
import type { PlatformHealth } from '@levada/connect-runtime-core/platform';
import type { ConfigUpdate } from './config-update.ts';
import type { RequestSignature } from './connect-runtime.ts';
import type { ConnectorStatus, ConnectorType, TargetState, TaskStatus } from './status.ts';

/** A connector as it is configured. `config` is as the user wrote it: references unresolved, literal secrets masked. */
export interface ConnectorInfo {
  readonly name: string;
  readonly config: RawConfig;
  readonly tasks: readonly { readonly connector: string; readonly task: number }[];
  readonly type: ConnectorType;
}

/** Configuration of one task, secrets masked. */
export interface TaskInfo {
  readonly id: { readonly connector: string; readonly task: number };
  readonly config: RawConfig;
}

/** Result of validating a configuration. `values` in the order of answers; keys that carry errors but have no definition come first. */
export interface ConfigValidation {
  /** The `connector.class` as it was given. */
  readonly name: string;
  readonly errorCount: number;
  readonly groups: readonly string[];
  readonly configs: readonly { readonly definition: ConfigKeyInfo | null; readonly value: ConfigValue }[];
  /** Hints that are no errors: unknown keys with the nearest known one, keys without effect. Not part of Connect's answer. */
  readonly warnings: readonly string[];
}

/** An installed plugin. */
export interface PluginInfo {
  readonly className: string;
  readonly type: 'sink' | 'source' | 'converter' | 'header_converter' | 'transformation' | 'predicate';
  readonly version: string;
}

/** One source partition and its committed offset. */
export interface CommittedOffset {
  readonly partition: Readonly<Record<string, unknown>>;
  readonly offset: Readonly<Record<string, unknown>>;
}

/** Live connection of a connector's task. */
export interface TaskConnection {
  readonly task: number;
  readonly connection: ConnectionSnapshot;
  /** How the log is that the task writes to. */
  readonly log: PlatformHealth['status'];
}

/** The metrics of one connector, live. */
export interface ConnectorMetrics {
  readonly objectName: MetricObjectName;
  readonly group: MetricGroup;
}

/** Which parts of a connector to restart. */
export interface RestartRequest {
  readonly includeTasks: boolean;
  readonly onlyFailed: boolean;
}

/** How far the worker is. */
export type HerderHealth =
  | { readonly status: 'starting' | 'unhealthy'; readonly stage: string; readonly since: number }
  | { readonly status: 'healthy' };

/**
 * What the REST interface talks to. Promise-only. Rejections are {@link HerderError}s, whose kind the REST layer maps to a
 * status; anything else is an error of ours. Reads answer from the snapshot and never wait for a rebalance. Before the log
 * was read to its end there is no snapshot: then they wait a moment for it, and reject as `unavailable`.
 */
export interface Herder {
  health(): HerderHealth;
  /** Names of the connectors in the snapshot, none before there is one. For what is shown in any case, such as metrics. */
  knownConnectors(): readonly string[];
  /** Ids of the workers of the group, as statuses have them, also of those that run nothing. The leader knows them. */
  workers(): Promise<readonly string[]>;
  connectors(): Promise<readonly string[]>;
  connector(name: string): Promise<ConnectorInfo>;
  config(name: string): Promise<RawConfig>;
  tasks(name: string): Promise<readonly TaskInfo[]>;
  /** Kafka's 404 message when there is no status yet: "No status found for connector X". */
  status(name: string): Promise<ConnectorStatus>;
  taskStatus(name: string, task: number): Promise<TaskStatus>;
  /** Connections of the tasks that run here and have one. */
  connections(name: string): Promise<readonly TaskConnection[]>;
  metrics(name: string): Promise<ConnectorMetrics>;
  /** Resolves once the connector is in the config log and was read back. Rejects `already_exists`. */
  create(name: string, config: RawConfig, initialState?: TargetState): Promise<ConnectorInfo>;
  /** Creates or replaces. */
  putConfig(
    name: string,
    config: RawConfig,
  ): Promise<{ readonly created: boolean; readonly info: ConnectorInfo }>;
  /** Merges; null removes a key. */
  patchConfig(name: string, patch: RawConfig): Promise<ConnectorInfo>;
  delete(name: string): Promise<void>;
  setTargetState(name: string, target: TargetState): Promise<void>;
  /** Restarts the connector alone (both flags false) or by plan; with a plan, answers the planned states. */
  restart(name: string, request: RestartRequest): Promise<ConnectorStatus | undefined>;
  restartTask(name: string, task: number): Promise<void>;
  offsets(name: string): Promise<readonly CommittedOffset[]>;
  /** Both answer Connect's success message. */
  alterOffsets(name: string, changes: readonly OffsetChange[]): Promise<string>;
  resetOffsets(name: string): Promise<string>;
  /**
   * For other workers of the group: stores task configurations that the connector's owner made. `readTasks` makes them from the body, and
   * is called only when the signature is that of the group.
   */
  putTasks(
    name: string,
    body: Uint8Array,
    readTasks: (body: Uint8Array) => readonly RawConfig[],
    signature: RequestSignature | undefined,
  ): Promise<void>;
  /**
   * For other workers of the group, which are about to start tasks with transactions: resolves when no earlier task of the
   * connector can write any more.
   */
  fence(name: string, body: Uint8Array, signature: RequestSignature | undefined): Promise<void>;
  /** Sets the level of a logger, and of all below it, on every worker of the group. Resolves when it is set here. */
  setLoggerLevel(logger: string, level: string): Promise<void>;
  activeTopics(name: string): Promise<readonly string[]>;
  resetActiveTopics(name: string): Promise<void>;
  plugins(connectorsOnly: boolean): readonly PluginInfo[];
  pluginConfig(plugin: string): Promise<readonly ConfigKeyInfo[]>;
  /** `plugin` is the text of the path: full, simple or short class name. */
  validate(plugin: string, config: RawConfig): Promise<ConfigValidation>;
  /** What storing the configuration under its `name` would do at this moment, whether or not it is valid. A read. */
  configUpdate(plugin: string, config: RawConfig): Promise<ConfigUpdate>;
}
