import {
  anyFunction,
  boolean,
  checkOptions,
  type OptionChecks,
  wholeNumberFrom,
} from '../config/option-checks.ts';
import type { SourceRecord } from '../contract/source-record.ts';
import { Delivery } from '../delivery/delivery.ts';
import type { UndeliveredRecord } from '../delivery/delivery-options.ts';
import { RecordFailure } from '../delivery/record-failure.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import { silentLogger } from '../diagnostics/logger.ts';
import type { MetricTable } from '../diagnostics/metric-def.ts';
import type { Counter } from '../diagnostics/metric-group.ts';
import type { SourceStatus } from '../diagnostics/polled-metrics.ts';
import { type ServiceLogger, serviceLogger } from '../diagnostics/service-logger.ts';
import type { Sink, SinkWriter } from '../sinks/sink.ts';
import { type Clock, systemClock } from '../time/clock.ts';
import { within } from '../time/deadline.ts';
import { configError } from './config-issues.ts';
import { plainRecord } from './records/record-values.ts';
import { serviceChecks } from './service-options.ts';
import type { CloseOptions, CloseReport, PipeSource, SourceConsumer, SourceHealth } from './source-handle.ts';

/** How records get from a source into a sink. */
export interface PipeOptions {
  /** Batches that may be on their way at once, in order. Default 5. */
  readonly maxInFlightBatches?: number | undefined;
  /** Bytes that may be on their way before another batch is taken, of sinks that know them. Default 32 MiB. */
  readonly maxInFlightBytes?: number | undefined;
  /** True: records that cannot be converted or are refused are dropped and counted, and the run continues. Default false: they end it. */
  readonly tolerant?: boolean | undefined;
  /** Aborting closes the run with the default time-out. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called with each record that was given up, why, and the counter that it is in: to keep it elsewhere. What it throws ends the run.
   *
   * @example `onDrop: ({ record, error }) => deadLetters.push({ value: record.value, why: error.message })`
   */
  readonly onDrop?: ((record: UndeliveredRecord) => void) | undefined;
  /** For the sink, as the `logger` of a source. Default: silent. */
  readonly logger?: ServiceLogger | undefined;
  /** Time stamps records that have none. Default: the machine's. */
  readonly clock?: Clock | undefined;
}

/** A source on its way into a sink. `M` is the metric table of its connector. */
export interface Run<M extends MetricTable = MetricTable> {
  /**
   * Resolves when the source has ended, everything is settled, and source and sink are closed. Rejects with the ConnectorError
   * that ended it: the source's, the sink's, or that of a record that could not be delivered. Need not be awaited.
   */
  readonly done: Promise<CloseReport>;
  /** The source's attributes. */
  status(): SourceStatus<M>;
  /** The source's health, and the sink's while the source is well; `down` once the run has failed. */
  health(): SourceHealth;
  /**
   * Ends intake, delivers what is queued, and closes the source, then what the sink has opened: a client or producer that the service
   * handed to the sink stays open. Always resolves, at the latest after `timeoutMs` and a second each for the source and the sink;
   * see {@link PipeSource.close}.
   */
  close(options?: CloseOptions): Promise<CloseReport>;
}

const MAX_IN_FLIGHT_BATCHES = 5;
const MAX_IN_FLIGHT_BYTES = 32 * 1024 * 1024;
/** How long a sink may take to close. Everything is settled by then. */
const SINK_CLOSE_MS = 1000;

const pipeChecks: OptionChecks<PipeOptions> = {
  ...serviceChecks,
  maxInFlightBatches: wholeNumberFrom(1),
  maxInFlightBytes: wholeNumberFrom(1),
  tolerant: boolean,
  onDrop: anyFunction,
};

/**
 * Runs a source into a sink, whole batches at a time, in order. Everything received is counted as produced once the sink has
 * acknowledged it, or as dropped with its cause. The sink is opened before the source is. Throws `config_invalid` for a sink that
 * cannot take what the source states to produce, and with every problem of the options.
 *
 * @example
 * ```ts
 * const { delivered } = await pipe(source.limit(100), sink).done;
 * ```
 */
export function pipe<V, M extends MetricTable>(
  source: PipeSource<V, M>,
  sink: Sink<V>,
  options: PipeOptions = {},
): Run<M> {
  checkSource(source);
  checkOptions(pipeChecks, options);
  const issues = sink.accepts?.(source.produces) ?? [];
  if (issues.length > 0) throw configError(issues);
  const consumer = source.consumer();
  const close = (): void => {
    void source.close();
  };
  if (options.signal?.aborted === true) close();
  else options.signal?.addEventListener('abort', close, { once: true });
  let failure: ConnectorError | undefined;
  let writer: SinkWriter | undefined;
  const onOpen = (opened: SinkWriter): void => {
    writer = opened;
  };
  const finish = async (): Promise<CloseReport> => {
    try {
      await through({ source, sink, consumer, options, onOpen });
    } catch (thrown) {
      failure = ConnectorError.from(thrown);
      throw failure;
    } finally {
      options.signal?.removeEventListener('abort', close);
      // Reported with the source's end.
      await consumer.leave().catch(() => undefined);
    }
    const report = await source.close();
    if (report.offsetsError !== undefined) throw report.offsetsError;
    return report;
  };
  const done = finish();
  // The failure shows in health, too; not awaiting it is no reason to end the process.
  const over = done.catch(() => undefined);
  return {
    done,
    status: () => source.status(),
    health: () => {
      if (failure !== undefined) return { status: 'down', reason: failure.message };
      const health = source.health();
      return health.status === 'down' ? health : (sinkTrouble(writer) ?? health);
    },
    close: async (closing) => {
      const report = await source.close(closing);
      await over;
      return report;
    },
  };
}

function checkSource(source: PipeSource): void {
  if (typeof source?.consumer === 'function') return;
  const message =
    'pipe takes a source, or its limit() or until(); batches() is for loops, and eachBatch() a sink that gets batches';
  throw configError([{ key: 'source', message }]);
}

interface PipeParts {
  readonly source: PipeSource;
  readonly sink: Sink;
  readonly consumer: SourceConsumer;
  readonly options: PipeOptions;
  /** The sink is open. */
  readonly onOpen: (writer: SinkWriter) => void;
}

function sinkTrouble(writer: SinkWriter | undefined): SourceHealth | undefined {
  const health = writer?.health?.();
  return health === undefined || health.status === 'up'
    ? undefined
    : { status: health.status, reason: `sink: ${health.reason}` };
}

/** Resolves when everything is settled and the sink is closed. */
async function through({ source, sink, consumer, options, onOpen }: PipeParts): Promise<void> {
  const { clock = systemClock, tolerant = false } = options;
  const logger = serviceLogger(options.logger ?? silentLogger, { connector: source.name });
  const over = new AbortController();
  const closed = consumer.closed.then(() => over.abort(new ConnectorError('closed', 'the run is over')));
  const opening = openSink(sink, { source: source.name, logger, clock, signal: over.signal, tolerant });
  const writer = await Promise.race([opening, closed]);
  if (writer === undefined) {
    // Closed before it was open: what it opens all the same is closed when it is there.
    // The run is over, and has no place left for what goes wrong with it.
    opening.then((late) => closeWriter(late, clock)).catch(() => undefined);
    return;
  }
  onOpen(writer);
  try {
    await deliverAll(consumer, deliveryInto(writer, { source, consumer, options }));
  } catch (thrown) {
    // The failure that ended the run is the one to know.
    await closeWriter(writer, clock).catch(() => undefined);
    throw thrown;
  }
  await closeWriter(writer, clock);
}

/** A sink that throws instead of rejecting rejects. */
async function openSink(sink: Sink, context: Parameters<Sink['open']>[0]): Promise<SinkWriter> {
  return await sink.open(context);
}

async function closeWriter(writer: SinkWriter, clock: Clock): Promise<void> {
  const close = async (): Promise<void> => await writer.close?.({ timeoutMs: SINK_CLOSE_MS });
  // Somewhat longer than it is asked to take.
  await within({ clock, ms: SINK_CLOSE_MS + SINK_CLOSE_MS / 4 }, 'closing the sink', close());
}

function deliveryInto(
  writer: SinkWriter,
  { source, consumer, options }: Omit<PipeParts, 'sink' | 'onOpen'>,
): Delivery<unknown> {
  const { clock = systemClock, onDrop } = options;
  return new Delivery<unknown>({
    producer: {
      send: (batch) => writer.send(batch),
      get pendingBytes() {
        return writer.pendingBytes ?? 0;
      },
    },
    convert: converterFor(writer, consumer),
    now: () => clock.now(),
    tracker: consumer.offsets,
    metrics: () => ({
      produced: reportingCounter((count) => consumer.produced(count)),
      dropped: (cause, count) => consumer.dropped(cause, count),
    }),
    tolerant: options.tolerant ?? false,
    rereads: consumer.rereads,
    maxInFlightBatches: options.maxInFlightBatches ?? MAX_IN_FLIGHT_BATCHES,
    maxInFlightBytes: options.maxInFlightBytes ?? MAX_IN_FLIGHT_BYTES,
    onDrop: onDrop && ((dropped) => onDrop({ ...dropped, record: plainRecord(dropped.record) })),
    onFailure: () => {
      void source.close();
    },
    onCommitted: (records, dropped) => consumer.committed(records, dropped),
  });
}

/** Makes of a record what the sink takes. A value that is to be checked is read first, also for a sink that takes it as it came. */
function converterFor(
  writer: SinkWriter,
  consumer: SourceConsumer,
): (record: SourceRecord, now: number) => unknown {
  if (writer.convert === undefined) return (record) => recordOf(consumer, record);
  const convert = writer.convert.bind(writer);
  if (!consumer.checksValues) return (record, now) => convert(record, now, () => recordOf(consumer, record));
  return (record, now) => {
    const read = recordOf(consumer, record);
    return convert(record, now, () => read);
  };
}

/** The record as a loop has it. */
function recordOf(consumer: SourceConsumer, record: SourceRecord): SourceRecord {
  const read = consumer.read(record);
  if ('skipped' in read) throw new RecordFailure('VALUE_CONVERTER', read.skipped, { drop: true });
  return read;
}

async function deliverAll(consumer: SourceConsumer, delivery: Delivery<unknown>): Promise<void> {
  void consumer.closed.then(() => delivery.giveUp());
  try {
    do await delivery.room();
    while (await deliverNext(consumer, delivery));
  } finally {
    await delivery.settled();
  }
  if (delivery.failure !== undefined) throw delivery.failure;
}

/**
 * False at the end. Apart from the loop, whose frame would keep the last batch in memory for as long as the next one does not
 * come.
 */
async function deliverNext(consumer: SourceConsumer, delivery: Delivery<unknown>): Promise<boolean> {
  const records = await consumer.next();
  if (records.length > 0) await delivery.deliver(records);
  return records.length > 0;
}

/** A counter that reports each addition. */
function reportingCounter(report: (count: number) => void): Counter {
  let total = 0;
  return {
    get value() {
      return total;
    },
    set value(next) {
      report(next - total);
      total = next;
    },
  };
}
