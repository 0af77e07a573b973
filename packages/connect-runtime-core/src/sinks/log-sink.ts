import { checkOptions, type OptionChecks, objectWith, valueThat } from '../config/option-checks.ts';
import type { ProducedTypes } from '../contract/schema.ts';
import type { SourceRecord } from '../contract/source-record.ts';
import { unacceptedTypes } from '../converter/accepted-types.ts';
import type { Converter } from '../converter/converter.ts';
import { stringConverter } from '../converter/string-converter.ts';
import { type RecordConverters, toLogRecord } from '../delivery/record-converter.ts';
import type { ConfigIssue } from '../diagnostics/connector-error.ts';
import type { LogProducer, LogRecord, PlatformHealth } from '../platform/log-platform.ts';
import type { Sink, SinkContext, SinkHealth, SinkWriter } from './sink.ts';

/** How records become bytes, and which topic they go to. Every sink that stores bytes takes these options. */
export interface LogSinkOptions {
  /**
   * Topic of all records, or what gives the topic of each. Default: the record's own, which is the `topic` of its source.
   *
   * @example `topic: 'prices'` · `topic: ({ topic }) => `raw.${topic}``
   */
  readonly topic?: string | ((record: SourceRecord) => string) | undefined;
  /** Makes bytes of keys. Default: bytes as they are, text as UTF-8, numbers and booleans as text; no key stays none. */
  readonly keyConverter?: Converter | undefined;
  /** Makes bytes of values. Default: as for keys; null stays null, which deletes the key in a compacted topic. */
  readonly valueConverter?: Converter | undefined;
  /** Makes bytes of the values of headers. Default: as for keys. */
  readonly headerConverter?: Converter | undefined;
}

const converter = objectWith('fromConnectData');

/** Checks of the options that every sink has that stores bytes. */
export const logSinkChecks: OptionChecks<LogSinkOptions> = {
  topic: valueThat(
    'a string or a function',
    (value) => typeof value === 'string' || typeof value === 'function',
  ),
  keyConverter: converter,
  valueConverter: converter,
  headerConverter: converter,
};

/**
 * A sink that writes with a producer of a log. The producer stays its owner's: the run does not close it. Every record is settled as the
 * producer says: produced once the log has acknowledged it. Throws `config_invalid` with every problem of the options.
 *
 * @example
 * ```ts
 * const run = pipe(source, logSink(await platform.producer({ clientId: 'prices' })));
 * ```
 */
export function logSink(producer: LogProducer, options: LogSinkOptions = {}): Sink {
  checkOptions(logSinkChecks, options);
  return sinkOf(async () => writerOf(producer, options), options);
}

/** A producer that a run opens. */
export interface OpenedProducer extends LogProducer {
  /** See `SinkWriter.health`. */
  health?(): SinkHealth;
}

/** As {@link logSink}, with a producer that each run opens and closes. */
export function openedLogSink(
  open: (context: SinkContext) => Promise<OpenedProducer>,
  options: LogSinkOptions = {},
): Sink {
  return sinkOf(async (context) => {
    const producer = await open(context);
    return Object.assign(writerOf(producer, options), {
      close: (closing: { readonly timeoutMs: number }) => producer.close(closing),
      health: (): SinkHealth => producer.health?.() ?? { status: 'up' },
    });
  }, options);
}

/** The health of a sink that writes to a log: it takes what a throttled log stores later. */
export function sinkHealthOf(log: PlatformHealth): SinkHealth {
  if (log.status !== 'away') return { status: 'up' };
  return { status: log.isPartial === true ? 'degraded' : 'down', reason: log.reason };
}

function sinkOf(open: (context: SinkContext) => Promise<SinkWriter>, options: LogSinkOptions): Sink {
  return { open, accepts: (produced) => converterIssues(options, produced) };
}

function writerOf(producer: LogProducer, options: LogSinkOptions): SinkWriter<LogRecord> {
  const plain = plainConverter();
  const converters: RecordConverters = {
    key: options.keyConverter ?? plain,
    value: options.valueConverter ?? plain,
    header: options.headerConverter ?? plain,
  };
  const { topic } = options;
  const convert = (record: SourceRecord, now: number): LogRecord => toLogRecord(converters, record, now);
  return {
    convert:
      topic === undefined
        ? convert
        : (record, now) =>
            convert({ ...record, topic: typeof topic === 'string' ? topic : topic(record) }, now),
    send: (batch) => producer.send(batch),
    get pendingBytes() {
      return producer.pendingBytes;
    },
  };
}

const converterOptions = [
  ['key', 'keyConverter'],
  ['value', 'valueConverter'],
  ['header', 'headerConverter'],
] as const;

function converterIssues(options: LogSinkOptions, produced: ProducedTypes): readonly ConfigIssue[] {
  return converterOptions.flatMap(([part, option]) => {
    const converter = options[option];
    const problem = converter && unacceptedTypes(converter, part, produced);
    if (problem === undefined) return [];
    return [{ key: option, message: `${option}: ${problem}; use another one, or leave it out` }];
  });
}

function plainConverter(): Converter {
  const text = stringConverter.create({}, false);
  return {
    fromConnectData: (topic, schema, value) =>
      value instanceof Uint8Array ? value : text.fromConnectData(topic, schema, value),
  };
}
