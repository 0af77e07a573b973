import type { ProducedTypes } from '../contract/schema.ts';
import type { SourceRecord } from '../contract/source-record.ts';
import type { ConfigIssue } from '../diagnostics/connector-error.ts';
import type { Logger } from '../diagnostics/logger.ts';
import type { SendResult } from '../platform/log-platform.ts';
import type { Clock } from '../time/clock.ts';

/** What a sink is opened with. */
export interface SinkContext {
  /** Name of the source whose records it gets. */
  readonly source: string;
  readonly logger: Logger;
  /** The only source of time. */
  readonly clock: Clock;
  /** Aborted when the run is over, whether or not everything was delivered: nothing is to be waited for any longer. */
  readonly signal: AbortSignal;
  /** Whether records that cannot be delivered are dropped and counted, and the run continues. See `PipeOptions.tolerant`. */
  readonly tolerant: boolean;
}

/**
 * Where `pipe` takes the records of a source: a log, a callback, a client that the service has. A plain value: nothing is open before
 * a run opens it, and each run opens it for itself. `V` is the type of the values that it takes.
 */
export interface Sink<V = unknown> {
  /** What it cannot take of what a source states to produce. `pipe` throws these problems as one `config_invalid` error. Default: none. */
  accepts?(produced: ProducedTypes): readonly ConfigIssue[];
  /** Called once per run, before the source is started. A rejection ends the run, and leaves nothing open. */
  open(context: SinkContext): Promise<SinkWriter<unknown, V>>;
}

/** How an open sink is doing. `degraded`: it will mend by itself. */
export type SinkHealth =
  | { readonly status: 'up' }
  | { readonly status: 'degraded' | 'down'; readonly reason: string };

/** An open sink. `T` is what it takes: what {@link SinkWriter.convert} makes of a record; `V` is the type of the values that it reads. */
export interface SinkWriter<T = unknown, V = unknown> {
  /**
   * Called for each record of a batch before the batch is handed over, with the record as the source made it: text may be held as
   * UTF-8 bytes. `now` stands in for a missing time stamp, in milliseconds since 1970; `read` gives the record as a loop has it, with a
   * value of type `V`. What it throws fails the record. Default: what `read` gives.
   */
  convert?(record: SourceRecord, now: number, read: () => SourceRecord<V>): T;
  /**
   * Takes a batch, in order after all batches before; called again before earlier batches are settled, so that several are in flight.
   * Resolves when each record is stored or has failed for good, with the failures by index. A rejection fails the whole batch.
   * The values of records may change once the batch is settled: what is kept for longer is copied.
   */
  send(batch: readonly T[]): Promise<SendResult>;
  /** Bytes handed over and not yet settled, where they are known: `pipe` waits while they are too many. */
  readonly pendingBytes?: number;
  /** Whether it takes records at the moment, for `health()` of the run. Costs nothing. Default: it does. */
  health?(): SinkHealth;
  /** Called once, at the end of the run, when everything is settled or given up. Closes what {@link Sink.open} opened, and nothing else. */
  close?(options: { readonly timeoutMs: number }): Promise<void>;
}
