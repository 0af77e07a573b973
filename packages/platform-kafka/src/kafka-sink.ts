import { type ConfigIssue, isConnectorError } from '@levada/connect-runtime-core';
import { number, type OptionChecks, string } from '@levada/connect-runtime-core/config';
import {
  type LogSinkOptions,
  logSinkChecks,
  type OpenedProducer,
  openedLogSink,
  type Sink,
  type SinkContext,
  sinkHealthOf,
} from '@levada/connect-runtime-core/sinks';
import { producerSettings } from './client/producer-settings.ts';
import {
  byOption,
  checkKafkaOptions,
  connectionChecks,
  type KafkaConnectionOptions,
  openFromOptions,
} from './kafka-connection.ts';

export interface KafkaSinkOptions extends KafkaConnectionOptions, LogSinkOptions {
  /** Compression of batches. Default `none`. */
  readonly compression?: 'none' | 'gzip' | 'zstd' | undefined;
  /** How long a batch waits for more records, in milliseconds. Default 0: a batch collects records while another one is in flight. */
  readonly lingerMs?: number | undefined;
  /** Bytes of a full batch. Default 131072. */
  readonly batchBytes?: number | undefined;
  /** Maximum size of a record and of a request, in bytes. Larger records are dropped and counted. Default 1048576. */
  readonly maxRequestBytes?: number | undefined;
  /**
   * How long a record is retried before it is given up, in milliseconds. Default 2147483647, practically as long as the run;
   * meanwhile the source waits, and `health()` of the run reports it.
   */
  readonly deliveryTimeoutMs?: number | undefined;
}

const checks: OptionChecks<KafkaSinkOptions> = {
  ...connectionChecks,
  ...logSinkChecks,
  compression: string,
  lingerMs: number,
  batchBytes: number,
  maxRequestBytes: number,
  deliveryTimeoutMs: number,
};

/**
 * A sink that writes to topics of a Kafka cluster, idempotently and acknowledged by all in-sync replicas. Each run opens and
 * closes its own producer. Brokers may be unreachable: records wait for them. The topics must exist, unless brokers create them.
 * Throws one `config_invalid` ConnectorError with every problem of the options; unknown options have a suggestion.
 *
 * @example
 * ```ts
 * const run = pipe(source, kafkaSink({ bootstrap: 'localhost:9092', topic: 'prices' }));
 * ```
 */
export function kafkaSink(options: KafkaSinkOptions): Sink {
  // Callers without types may omit the options
  checkKafkaOptions(checks, options ?? {}, producerIssues);
  return openedLogSink((context) => openProducer(options, context), options);
}

async function openProducer(options: KafkaSinkOptions, context: SinkContext): Promise<OpenedProducer> {
  const platform = await openFromOptions(options, context);
  try {
    const clientId = `${options.clientId ?? 'levada'}-${context.source}`;
    const producer = await byOption(options, () =>
      platform.producer({ clientId, overrides: producerKeys(options) }),
    );
    return {
      send: (records) => producer.send(records),
      get pendingBytes() {
        return producer.pendingBytes;
      },
      flush: () => producer.flush(),
      health: () => sinkHealthOf(platform.health()),
      close: async (closing) => {
        // Everything is settled or given up by now: no acknowledgement is awaited again
        await producer.close({ timeoutMs: 0 });
        await platform.close(closing);
      },
    };
  } catch (thrown) {
    await platform.close({ timeoutMs: 0 });
    throw thrown;
  }
}

function producerIssues(options: KafkaSinkOptions): readonly ConfigIssue[] {
  try {
    producerSettings('', producerKeys(options));
    return [];
  } catch (thrown) {
    if (isConnectorError(thrown)) return thrown.issues;
    throw thrown;
  }
}

function producerKeys(options: KafkaSinkOptions): Record<string, string> {
  const keys = {
    'compression.type': options.compression,
    'linger.ms': options.lingerMs,
    'batch.size': options.batchBytes,
    'max.request.size': options.maxRequestBytes,
    'delivery.timeout.ms': options.deliveryTimeoutMs,
  };
  const { config = {} } = options;
  // `config` takes precedence, and is part of the platform's keys
  const isGiven = (key: string): boolean =>
    Object.hasOwn(config, key) || Object.hasOwn(config, `producer.${key}`);
  return Object.fromEntries(
    Object.entries(keys).flatMap(([key, value]) =>
      value === undefined || isGiven(key) ? [] : [[key, String(value)]],
    ),
  );
}
