import type { LogRecord } from '../platform/log-platform.ts';
import { clientError, innermost } from './client-errors.ts';
import { type ClientSinkOptions, clientSink } from './client-producer.ts';
import { type KafkaJsProducer, kafkaJsMessage } from './kafkajs-sink.ts';
import type { Sink } from './sink.ts';

/**
 * A sink that writes with a producer of `@confluentinc/kafka-javascript` (`KafkaJS`, its promisified interface) of the service. The producer
 * has to be connected, and is not closed. It batches, keeps the order and tries again by itself, as its own configuration
 * says (`acks`, `enable.idempotence`, `message.timeout.ms`), and says the outcome of each record. It writes a header with an empty value as one
 * without a value.
 *
 * @example
 * ```ts
 * const run = pipe(source, confluentKafkaSink(producer, { topic: 'prices' }));
 * ```
 */
export function confluentKafkaSink(producer: KafkaJsProducer, options: ClientSinkOptions = {}): Sink {
  const sendOne = async (topic: string, record: LogRecord): Promise<unknown> => {
    try {
      // It is in the client's queue when the call returns.
      await producer.send({ topic, messages: [kafkaJsMessage(withoutNull(record))] });
      return undefined;
    } catch (thrown) {
      return thrown;
    }
  };
  const port = {
    client: '@confluentinc/kafka-javascript',
    send: (topic: string, records: readonly LogRecord[]) =>
      Promise.all(records.map((record) => sendOne(topic, record))),
    judge,
  };
  return clientSink(port, options);
}

/** It writes headers that are empty as those without a value, and takes no others for that. */
function withoutNull(record: LogRecord): LogRecord {
  if (record.headers.every(({ value }) => value !== null)) return record;
  return {
    ...record,
    headers: record.headers.map(({ key, value }) => ({ key, value: value ?? new Uint8Array() })),
  };
}

/** Codes of librdkafka itself after which trying again cannot help (rdkafka.h, `rd_kafka_resp_err_t`). */
const permanent: ReadonlySet<number> = new Set([
  -199, // BAD_MSG
  -186, // INVALID_ARG
  -172, // STATE: the producer is not connected
  -170, // NOT_IMPLEMENTED
  -169, // AUTHENTICATION
  -150, // FATAL
  -144, // FENCED
]);

function judge(thrown: unknown) {
  const code = innermost(thrown, (error) => (typeof error['code'] === 'number' ? error['code'] : undefined));
  // UNKNOWN_PARTITION and UNKNOWN_TOPIC of its own are the brokers' UNKNOWN_TOPIC_OR_PARTITION.
  const protocolCode = code === -190 || code === -188 ? 3 : code;
  const retriable = code !== undefined && !permanent.has(code);
  return clientError(thrown, { client: '@confluentinc/kafka-javascript', protocolCode, retriable });
}
