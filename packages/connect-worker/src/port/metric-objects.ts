import type { MetricGroup } from '@levada/connect-runtime-core';
import type { Status, TaskStatus } from './status.ts';

/** One attribute of a family of metrics. */
export interface MetricAttribute<S> {
  /** One sentence for HELP lines and documentation. */
  readonly help: string;
  /** The present value. Text stands for itself; NaN: nothing was measured yet. */
  readonly read: (source: S) => number | string;
}

/** The metrics that Kafka Connect registers under one `type` of object names. */
export interface MetricFamily<S> {
  /** `kafka.connect` in most cases. */
  readonly domain: string;
  /** The `type` of the object names. */
  readonly type: string;
  /** Keys of the object names beside `type`, in order. */
  readonly keys: readonly string[];
  /** Beginning of the series' names, as Strimzi's rules of the JMX exporter form it. */
  readonly series: string;
  /** One sentence that says of what there is an object. */
  readonly help: string;
  /** By Connect's names. Those that end in `-total` only grow. */
  readonly attributes: Readonly<Record<string, MetricAttribute<S>>>;
}

/** A family, whatever its values are read from. */
// biome-ignore lint/suspicious/noExplicitAny: the source is that of a parameter, so no common type but this fits
export type AnyMetricFamily = MetricFamily<any>;

/** One object of a family, with what it is read from. */
export interface MetricObject {
  readonly family: AnyMetricFamily;
  /** Values of the family's keys, in order. */
  readonly keys: readonly string[];
  /** The present value of an attribute of the family; NaN: nothing was measured yet. */
  readonly read: (attribute: string) => number | string;
}

/** A connector whose metrics this worker shows. */
export interface MeasuredConnector {
  readonly name: string;
  /** `connector.class` by its full name, as far as it is installed. */
  readonly className: string;
  /** Undefined when another worker shows it, or there is none yet. */
  readonly status: Status | undefined;
  /** Of the tasks that this worker shows, by id. */
  readonly tasks: readonly TaskStatus[];
  /** Attributes of its connector's table; undefined when its class is not installed or nothing of it runs here. */
  readonly group: MetricGroup | undefined;
}

/** What a worker can say about itself in numbers. Read at each scrape; nothing is computed in between. */
export interface WorkerMetrics {
  /** Kafka Connect's metrics of this worker as a whole. */
  objects(): Iterable<MetricObject>;
  /** Kafka Connect's metrics of one of {@link connectors}, and of its tasks. */
  objectsOf(connector: MeasuredConnector): Iterable<MetricObject>;
  /**
   * The connectors and tasks of this worker; and on the leader of a group those that no worker runs at the moment, so that a
   * connector is shown by one worker from its creation to its deletion.
   */
  connectors(): readonly MeasuredConnector[];
}
