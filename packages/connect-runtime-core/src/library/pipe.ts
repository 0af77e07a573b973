import { unacceptedTypes } from '../converter/accepted-types.ts';
import type { Converter } from '../converter/converter.ts';
import { stringConverter } from '../converter/string-converter.ts';
import { Delivery } from '../delivery/delivery.ts';
import type { UndeliveredRecord } from '../delivery/delivery-options.ts';
import { OffsetTracker } from '../delivery/offset-tracker.ts';
import type { RecordConverters } from '../delivery/record-converter.ts';
import type { ConnectorError } from '../diagnostics/connector-error.ts';
import type { Counter } from '../diagnostics/metric-group.ts';
import type { LogProducer } from '../platform/log-platform.ts';
import { type Clock, systemClock } from '../time/clock.ts';
import { configError } from './config-issues.ts';
import type {
  CloseOptions,
  CloseReport,
  SourceConsumer,
  SourceHandle,
  SourceHealth,
} from './source-handle.ts';

/** How records get from a source into a log. */
export interface PipeOptions {
  /** Default of all three: bytes as they are, text as UTF-8, numbers and booleans as text. */
  readonly keyConverter?: Converter;
  readonly valueConverter?: Converter;
  readonly headerConverter?: Converter;
  /** Batches that may be on their way at once, in order. Default 5. */
  readonly maxInFlightBatches?: number;
  /** Bytes that may be on their way before another batch is taken. Default 32 MiB. */
  readonly maxInFlightBytes?: number;
  /** True: records that cannot be converted or are refused are dropped and counted, and the run continues. Default false: they end it. */
  readonly tolerant?: boolean;
  /** Aborting closes the run with the default time-out. */
  readonly signal?: AbortSignal;
  /** Called with each record that was given up. What it throws ends the run. */
  readonly onDrop?: (record: UndeliveredRecord) => void;
  /** Time stamps records that have none. Default: the machine's. */
  readonly clock?: Clock;
}

/** A source on its way into a log. */
export interface Run {
  /**
   * Resolves when the source has ended, everything is settled and the source is closed. Rejects with the ConnectorError
   * that ended it: the source's, or that of a record that could not be delivered. Need not be awaited.
   */
  readonly done: Promise<CloseReport>;
  /** The source's attributes. */
  status(): Readonly<Record<string, number | boolean>>;
  /** The source's health; `down` once the run has failed. */
  health(): SourceHealth;
  /** Ends intake, delivers what is queued, and closes the source; not the producer. Always resolves, see {@link SourceHandle.close}. */
  close(options?: CloseOptions): Promise<CloseReport>;
}

const MAX_IN_FLIGHT_BATCHES = 5;
const MAX_IN_FLIGHT_BYTES = 32 * 1024 * 1024;

/**
 * Runs a source into a log, whole batches at a time, in order. Everything received is counted as produced once the log has
 * acknowledged it, or as dropped with its cause. The producer stays the caller's. Throws `config_invalid` for a converter that
 * cannot take what the source states to produce.
 */
export function pipe(source: SourceHandle, producer: LogProducer, options: PipeOptions = {}): Run {
  checkConverters(source, options);
  const batches = source.consumer();
  const delivery = deliveryOf(source, batches, { ...options, producer });
  const close = (): void => {
    void source.close();
  };
  if (options.signal?.aborted === true) close();
  else options.signal?.addEventListener('abort', close, { once: true });
  const finish = async (): Promise<CloseReport> => {
    try {
      await deliverAll(batches, delivery);
    } finally {
      options.signal?.removeEventListener('abort', close);
      await source.close();
    }
    return source.close();
  };
  const done = finish();
  // The failure shows in health, too; not awaiting it is no reason to end the process.
  done.catch(() => undefined);
  return {
    done,
    status: () => source.status(),
    health: () => healthOf(source, delivery.failure),
    close: (closeOptions) => source.close(closeOptions),
  };
}

const converterOptions = [
  ['key', 'keyConverter'],
  ['value', 'valueConverter'],
  ['header', 'headerConverter'],
] as const;

function checkConverters(source: SourceHandle, options: PipeOptions): void {
  const issues = converterOptions.flatMap(([part, option]) => {
    const converter = options[option];
    const problem = converter && unacceptedTypes(converter, part, source.produces);
    if (problem === undefined) return [];
    return [{ key: option, message: `${option}: ${problem}; use another one, or leave it out` }];
  });
  if (issues.length > 0) throw configError(issues);
}

function deliveryOf(
  source: SourceHandle,
  batches: SourceConsumer,
  options: PipeOptions & { readonly producer: LogProducer },
): Delivery {
  const plain = plainConverter();
  const converters: RecordConverters = {
    key: options.keyConverter ?? plain,
    value: options.valueConverter ?? plain,
    header: options.headerConverter ?? plain,
  };
  const clock = options.clock ?? systemClock;
  return new Delivery({
    producer: options.producer,
    converters,
    now: () => clock.now(),
    tracker: new OffsetTracker(),
    metrics: () => ({
      produced: reportingCounter((count) => batches.produced(count)),
      dropped: (cause, count) => batches.dropped(cause, count),
    }),
    tolerant: options.tolerant ?? false,
    rereads: batches.rereads,
    maxInFlightBatches: options.maxInFlightBatches ?? MAX_IN_FLIGHT_BATCHES,
    maxInFlightBytes: options.maxInFlightBytes ?? MAX_IN_FLIGHT_BYTES,
    onDrop: options.onDrop,
    onFailure: () => {
      void source.close();
    },
    onCommitted: (records, dropped) => batches.committed(records, dropped),
  });
}

async function deliverAll(batches: SourceConsumer, delivery: Delivery): Promise<void> {
  void batches.closed.then(() => delivery.giveUp());
  try {
    do await delivery.room();
    while (await deliverNext(batches, delivery));
  } finally {
    await delivery.settled();
  }
  if (delivery.failure !== undefined) throw delivery.failure;
}

/**
 * False at the end. Apart from the loop, whose frame would keep the last batch in memory for as long as the next one does not
 * come.
 */
async function deliverNext(batches: SourceConsumer, delivery: Delivery): Promise<boolean> {
  const records = await batches.next();
  if (records.length > 0) await delivery.deliver(records);
  return records.length > 0;
}

function healthOf(source: SourceHandle, failure: ConnectorError | undefined): SourceHealth {
  return failure === undefined ? source.health() : { status: 'down', reason: failure.message };
}

function plainConverter(): Converter {
  const text = stringConverter.create({}, false);
  return {
    fromConnectData: (topic, schema, value) =>
      value instanceof Uint8Array ? value : text.fromConnectData(topic, schema, value),
  };
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
