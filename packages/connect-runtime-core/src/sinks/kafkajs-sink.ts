import { ConnectorError } from '../diagnostics/connector-error.ts';
import type { LogRecord } from '../platform/log-platform.ts';
import { clientError, innermost } from './client-errors.ts';
import { type ClientPort, type ClientSinkOptions, clientSink } from './client-producer.ts';
import type { Sink } from './sink.ts';

/** Bytes of a message, or text. */
type Content = string | Uint8Array;

/** A message as kafkajs takes it. */
export interface KafkaJsMessage {
  key?: Content | null;
  value: Content | null;
  partition?: number;
  timestamp?: string;
  headers?: { [name: string]: Content | Content[] | undefined };
}

/** The part of a kafkajs producer that a sink uses; also of the producers of libraries with the same interface. */
export interface KafkaJsProducer {
  send(request: { topic: string; messages: KafkaJsMessage[] }): Promise<unknown>;
}

/**
 * A sink that writes with a kafkajs producer of the service. The producer has to be connected, and is not closed. Records keep their order
 * per partition and are handed over one call after the other, with `acks: all`, the producer's default. The service's own retries come first; see
 * {@link ClientSinkOptions} for what follows. kafkajs cannot write a header without a value: such a record is refused.
 *
 * @example
 * ```ts
 * const run = pipe(source, kafkajsSink(producer, { topic: 'prices' }));
 * ```
 */
export function kafkajsSink(producer: KafkaJsProducer, options: ClientSinkOptions = {}): Sink {
  const port: ClientPort = {
    client: 'kafkajs',
    send: async (topic, records) => {
      const nameless = records.map(headerWithoutValue);
      if (records.length === 1 && nameless[0] !== undefined) return nameless;
      const sound = records.filter((_, i) => nameless[i] === undefined);
      try {
        if (sound.length > 0) await producer.send({ topic, messages: sound.map(kafkaJsMessage) });
        return nameless;
      } catch (thrown) {
        return nameless.map((problem) => problem ?? thrown);
      }
    },
    judge,
  };
  return clientSink(port, options);
}

/** A record as kafkajs takes it. */
export function kafkaJsMessage({ key, value, partition, timestamp, headers }: LogRecord): KafkaJsMessage {
  return {
    key: key === null ? null : bufferOf(key),
    value: value === null ? null : bufferOf(value),
    timestamp: String(Math.trunc(timestamp)),
    ...(partition === null ? {} : { partition }),
    ...(headers.length === 0 ? {} : { headers: headersOf(headers) }),
  };
}

/** The same bytes, not copied. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function headersOf(headers: LogRecord['headers']): { [name: string]: Content | Content[] } {
  const byName = Map.groupBy(headers, ({ key }) => key);
  return Object.fromEntries(
    [...byName].map(([name, same]) => {
      const values = same.map(({ value }) =>
        value === null ? (value as unknown as Content) : bufferOf(value),
      );
      return [name, values.length === 1 ? (values[0] as Content) : values];
    }),
  );
}

function headerWithoutValue({ headers }: LogRecord): ConnectorError | undefined {
  const header = headers.find(({ value }) => value === null);
  if (header === undefined) return undefined;
  return new ConnectorError(
    'record_rejected',
    `kafkajs cannot write header "${header.key}", which has no value`,
  );
}

function judge(thrown: unknown): ConnectorError {
  if (thrown instanceof ConnectorError) return thrown;
  const protocolCode = innermost(thrown, ({ code }) => (typeof code === 'number' ? code : undefined));
  // Errors that it stopped retrying are wrapped in those that are not retriable, which says nothing of the next call.
  const retriable = innermost(thrown, (error) => (error['retriable'] === true ? true : undefined));
  return clientError(thrown, { client: 'kafkajs', protocolCode, retriable: retriable ?? false });
}
