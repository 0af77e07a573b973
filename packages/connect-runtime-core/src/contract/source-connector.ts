import type { ConfigDef, ConfigValue } from '../config/config-def.ts';
import type { ConfigKey, ParsedConfig, RawConfig } from '../config/config-key.ts';
import type { LogEventTable } from '../diagnostics/log-event.ts';
import type { MetricTable } from '../diagnostics/metric-def.ts';
import type { MetricObjectName } from '../diagnostics/metric-group.ts';
import type { ProducedTypes } from './schema.ts';
import type { SourceEventName } from './source-event.ts';
import type { SourceOffset, SourcePartition } from './source-offset.ts';
import type { SourceTask } from './source-task.ts';

/** One partition and the offset it is to get; null forgets the partition. */
export interface OffsetChange {
  readonly partition: SourcePartition | null;
  readonly offset: SourceOffset | null;
}

/** Whether a source's records can be stored exactly once; `unsupported` says why not, for people. */
export type ExactlyOnceSupport = 'SUPPORTED' | { readonly unsupported: string };

/**
 * An immutable descriptor of a connector: what it is called, how it is configured and how its tasks are made. No base
 * class, no instance state. Corresponds to Kafka Connect's `SourceConnector`.
 */
export interface SourceConnector<
  Rows extends readonly ConfigKey[] = readonly ConfigKey[],
  M extends MetricTable = MetricTable,
  E extends SourceEventName = SourceEventName,
> {
  /** Canonical class name, for example `io.vendor.connect.websocket.WebSocketSourceConnector`. */
  readonly className: string;
  /** Full class names that are accepted for it and never answered. */
  readonly aliases?: readonly string[];
  /** Version of the package; shown by `/connector-plugins`. */
  readonly version: string;
  /** The connector's own keys. Keys that every connector has (`name`, `tasks.max`, converters) are added by the runtime. */
  readonly config: ConfigDef<Rows>;
  /** Attributes of each connector; see `sourceMetrics` for those that every source has. */
  readonly metrics: M;
  /** The events that `on` takes in library use; `dropped` is one of every source. Default: any. */
  readonly emits?: readonly E[];
  /** The log events of its tasks. */
  readonly events: LogEventTable;
  /** Names the metrics of one connector, from its name and its present configuration, in which secrets are masked. */
  objectName(connectorName: string, config: RawConfig): MetricObjectName;
  /** Most tasks that `tasks.max` may ask for; more is a validation error. Default: no limit. */
  readonly maxTasks?: number;
  /**
   * Rules over several keys and over local files. Gets resolved values and what validation says so far; returns the list
   * with errors added. Must not touch the network.
   */
  validate?(raw: RawConfig, values: readonly ConfigValue[]): readonly ConfigValue[];
  /**
   * The types of its records with a configuration that has no errors. Called by validation and by library use, which refuse a
   * converter that does not take them. Default: nothing is known, and nothing is refused.
   */
  produces?(config: ParsedConfig<Rows>): ProducedTypes;
  /**
   * Whether a new task with this configuration reads again what was not committed; it concerns records that have an offset.
   * Default: true. A source whose offsets only number what came answers false: what may or may not be stored is then dropped
   * and counted instead of failing the task, because failing would bring nothing back.
   */
  rereads?(config: ParsedConfig<Rows>): boolean;
  /**
   * Whether a new task with this configuration continues exactly after any committed offset, and misses and repeats nothing: then a
   * worker with `exactly.once.source.support=enabled` stores its records and their offsets in transactions. Corresponds to the method of that
   * name in Kafka Connect. Default: unknown; the connector runs without transactions, and `exactly.once.support=required` is refused.
   */
  exactlyOnceSupport?(config: ParsedConfig<Rows>): ExactlyOnceSupport;
  /**
   * Whether its tasks say where transactions end, by `TaskContext.transaction`: then `transaction.boundary=connector` is accepted. Corresponds to
   * Kafka Connect's `canDefineTransactionBoundaries`. Default: false.
   */
  definesTransactions?(config: ParsedConfig<Rows>): boolean;
  /** One raw configuration per task. At most `maxTasks` of them. */
  taskConfigs(raw: RawConfig, maxTasks: number): readonly RawConfig[];
  /** A task that was not started yet. */
  createTask(): SourceTask<ParsedConfig<Rows>, M>;
  /**
   * Checks a request to change offsets of a stopped connector. True: the offsets are meaningful to it and were accepted;
   * false: it keeps no offsets of its own, only the runtime's are changed. Throws a ConnectorError to refuse.
   */
  alterOffsets?(raw: RawConfig, changes: readonly OffsetChange[]): boolean;
}

/** Any source connector, whatever its configuration rows and metrics. */
// biome-ignore lint/suspicious/noExplicitAny: the task's configuration type is that of a parameter, so no common type but this fits
export type AnySourceConnector = SourceConnector<any, any, any>;
