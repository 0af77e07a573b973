import type { ProducedTypes } from '../contract/schema.ts';
import type { SourceEventName } from '../contract/source-event.ts';
import type { SourceRecord } from '../contract/source-record.ts';
import type { DroppedRecords } from '../contract/source-task.ts';
import type { OffsetTracking } from '../delivery/offset-tracker.ts';
import type { ConnectorError } from '../diagnostics/connector-error.ts';
import type { MetricTable } from '../diagnostics/metric-def.ts';
import type { SourceStatus } from '../diagnostics/polled-metrics.ts';
import type { DropCause } from '../diagnostics/source-metrics.ts';
import type { OnInvalid } from './records/record-feed.ts';
import type { Records } from './records/records.ts';
import type { SourceListener } from './source-events.ts';

/** What a liveness or readiness probe asks. `degraded`: it will mend by itself, or data is about to be dropped. */
export type SourceHealth =
  | { readonly status: 'up' }
  | { readonly status: 'degraded' | 'down'; readonly reason: string };

/** How a source ended. */
export interface CloseReport {
  /** Records that were delivered in the source's whole life. */
  readonly delivered: number;
  /** Records that were received and accepted, and are given up with the close. */
  readonly undelivered: number;
  /** Why the offsets of some delivered records are not in the offset store. They will be delivered again. Absent: all are stored. */
  readonly offsetsError?: ConnectorError;
}

/** How long a close may take. */
export interface CloseOptions {
  /** Milliseconds that the consumer is given to take what is queued. Default 5000; 0: nothing is waited for. */
  readonly timeoutMs?: number | undefined;
}

/**
 * A source batch by batch, for a consumer that delivers records to somewhere and knows the outcome of each. Every record taken is
 * settled once: counted as produced, or as dropped with its cause.
 */
export interface SourceConsumer<V = unknown> {
  /**
   * Starts the source if need be. Resolves with the next records in order, waiting as long as that takes; with none once
   * the source has ended. Rejects once when it has failed for good, after everything received was handed out.
   */
  next(): Promise<readonly SourceRecord[]>;
  /**
   * One of these records as a loop has it: text as strings, or with the value that `json()`, `decode()` and their kin make. Throws a
   * `conversion_failed` ConnectorError for a value that is invalid; `skipped` is that error where `onInvalid` says that the record is
   * dropped. {@link next} waits for what `onInvalid` returned, and rejects with what it rejects with.
   */
  read(record: SourceRecord): SourceRecord<V> | { readonly skipped: ConnectorError };
  /**
   * Whether `onInvalid` was given for its values: then {@link read} is to be called for each record, also where it is delivered as it
   * came.
   */
  readonly checksValues: boolean;
  /** So many of the records taken were delivered. */
  produced(count: number): void;
  /** So many of the records taken are given up. */
  dropped(cause: DropCause, count: number): void;
  /**
   * All records of a batch are settled: the source may notify its peer, and use the memory of their values again. `dropped` names
   * those that were given up; default: none. A consumer that keeps values that are bytes copies them before, or leaves this out.
   */
  committed(records: readonly SourceRecord[], dropped?: DroppedRecords): void;
  /**
   * Which offsets the source may store: records are submitted in the order in which {@link next} gave them, and acknowledged when they
   * are delivered or dropped. Without that, nothing is stored.
   */
  readonly offsets: OffsetTracking;
  /** Whether a new source reads again what was not committed; see `SourceConnector.rereads`. */
  readonly rereads: boolean;
  /** Resolves when the source is closed. What was not settled until then was counted as `delivery_unknown`. */
  readonly closed: Promise<void>;
  /**
   * Takes no more, once everything taken is settled, and closes the source. What it received beyond that counts as undelivered. Rejects as the
   * end of a loop does, when offsets could not be stored. Idempotent.
   */
  leave(): Promise<void>;
}

/** What happens to records that cannot be decoded. */
export interface DecodeOptions {
  /**
   * See {@link OnInvalid}. Default `throw`, of values that are decoded: a sink of a pipe that stores records as they came does not decode
   * them. Given, it applies to every record, whatever the sink.
   */
  readonly onInvalid?: OnInvalid | undefined;
}

/** What `pipe` runs: a source, or a source that ends early. `V` is the type of its values, `M` the metric table of its connector. */
export interface PipeSource<V = unknown, M extends MetricTable = MetricTable> {
  /** Name of the source in log lines and metrics. */
  readonly name: string;
  /** The types of its records, as far as its connector states them. */
  readonly produces: ProducedTypes;
  /** All attributes of the connector's metric table, as they are now. Works at any time, also after the end. */
  status(): SourceStatus<M>;
  /** Whether it works, and if not, why. */
  health(): SourceHealth;
  /** Becomes the consumer, batch by batch. Throws when the source has a consumer. */
  consumer(): SourceConsumer<V>;
  /**
   * Ends intake, lets the consumer take what is queued, and closes everything. Always resolves, at the latest after
   * `timeoutMs` and the second that a connection is given to close. Idempotent; the shortest time-out given wins. Do not await it inside the loop over
   * the same source: leave the loop instead.
   */
  close(options?: CloseOptions): Promise<CloseReport>;
}

/**
 * A source that ends early, for a loop or for `pipe`. A pipe ends it once everything that it took is settled; what was received beyond that is
 * not acknowledged, and counts as undelivered.
 */
export interface LimitedSource<V = unknown, M extends MetricTable = MetricTable>
  extends Records<V>,
    PipeSource<V, M> {
  /**
   * At most so many records; see {@link Records.limit}.
   *
   * @example
   * ```ts
   * await pipe(source.limit(100), sink).done;
   * ```
   */
  limit(count: number): LimitedSource<V, M>;
  /** Ends after the first record for which the condition is true; see {@link Records.until}. A pipe asks it before the sink has the record. */
  until(condition: (record: SourceRecord<V>) => boolean): LimitedSource<V, M>;
}

/**
 * One connector that runs inside a service, without a worker. Nothing is opened before the first use: iterating, `ready`,
 * `consumer` or `pipe` start it. It has one consumer, and runs once. `V` is the type of its values, `M` the metric table of its
 * connector, `E` the names of the events that it emits; every handle is a `SourceHandle`.
 *
 * `for await` gives record by record, text as strings; a record counts as delivered when the loop asks for the next one.
 * Leaving the loop closes the source; the record at which it was left counts as undelivered, because `break` and a
 * thrown error look alike. A source that fails for good throws out of the loop after its last record.
 */
export interface SourceHandle<
  V = unknown,
  M extends MetricTable = MetricTable,
  E extends SourceEventName = SourceEventName,
> extends LimitedSource<V, M>,
    AsyncDisposable {
  /** Listens to one kind of event. Throws `config_invalid` for a name that no source has. */
  on<N extends E | 'dropped'>(event: N, listener: SourceListener<N>): this;
  /** Stops listening. */
  off<N extends E | 'dropped'>(event: N, listener: SourceListener<N>): this;
  /**
   * Starts the source if need be. Resolves when the first connection is up or, for servers, the port is bound. Rejects
   * with a ConnectorError on a permanent failure, `closed` when the source is closed before, or `aborted` with the reason as its
   * cause when its signal is; an unreachable peer is waited for.
   */
  ready(): Promise<void>;
  /**
   * This source with values that are parsed as JSON. `T` is what you expect of it, and is not checked: {@link decode} can do that. A value
   * that is not JSON is invalid.
   *
   * @example
   * ```ts
   * for await (const { value } of source.json<{ symbol: string; price: number }>()) console.log(value.price);
   * ```
   */
  json<T = unknown>(options?: DecodeOptions): SourceHandle<T, M, E>;
  /** This source with values that are text, bytes read as UTF-8. Any other value, and bytes that are not UTF-8, are invalid. */
  text(options?: DecodeOptions): SourceHandle<string, M, E>;
  /** This source with values that are bytes, text as UTF-8. Any other value is invalid. */
  bytes(options?: DecodeOptions): SourceHandle<Uint8Array, M, E>;
  /**
   * This source with values that the function makes of its records: for a schema library, or a format of your own. It gets records as a plain
   * loop has them, text as strings. A record for which it throws is invalid. A promise that it returns is not waited for.
   *
   * @example
   * ```ts
   * const prices = source.decode(({ value }) => Price.parse(JSON.parse(String(value))), { onInvalid: 'skip' });
   * ```
   */
  decode<T>(decoder: (record: SourceRecord) => T, options?: DecodeOptions): SourceHandle<T, M, E>;
}
