import { shownValueThat } from '../config/option-checks.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import type { LogRecord } from '../platform/log-platform.ts';
import { clientError, innermost } from './client-errors.ts';
import { type ClientSinkOptions, clientSink } from './client-producer.ts';
import { bufferOf } from './kafkajs-sink.ts';
import type { Sink } from './sink.ts';

/** A message as `@platformatic/kafka` takes it, with bytes or texts. */
export interface PlatformaticKafkaMessage<T> {
  topic: string;
  key?: T;
  value?: T;
  partition?: number;
  timestamp?: bigint;
  headers?: Map<T, T>;
}

/** The part of a producer of `@platformatic/kafka` that a sink uses. `T` is what its serializers take: bytes where it has none. */
export interface PlatformaticKafkaProducer<T> {
  send(options: { messages: PlatformaticKafkaMessage<T>[]; acks?: number }): Promise<unknown>;
}

/** How records are handed to a producer of `@platformatic/kafka`. */
export interface PlatformaticKafkaSinkOptions<A extends 'bytes' | 'text'> extends ClientSinkOptions {
  /**
   * What the producer takes: `bytes` when it has no serializers, `text` when it has `stringSerializers`. As text, a record whose key, value or
   * header is not UTF-8 is refused. Default `bytes`.
   */
  readonly as?: A | undefined;
}

const form = shownValueThat("'bytes' or 'text'", (value) => value === 'bytes' || value === 'text');
/** Acknowledged by all in-sync replicas. */
const ALL = -1;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A sink that writes with a producer of `@platformatic/kafka` of the service, which is not closed. Records keep their order per partition and
 * are handed over one call after the other, acknowledged by all in-sync replicas. Throws `config_invalid` when `as` does not fit the serializers of the
 * producer, which would write nothing instead of the values.
 *
 * @example
 * ```ts
 * const run = pipe(source, platformaticKafkaSink(producer, { topic: 'prices', as: 'text' }));
 * ```
 */
export function platformaticKafkaSink(
  producer: PlatformaticKafkaProducer<string>,
  options: PlatformaticKafkaSinkOptions<'text'> & { readonly as: 'text' },
): Sink;
export function platformaticKafkaSink(
  producer: PlatformaticKafkaProducer<Buffer>,
  options?: PlatformaticKafkaSinkOptions<'bytes'>,
): Sink;
export function platformaticKafkaSink<T>(
  producer: PlatformaticKafkaProducer<T>,
  options: PlatformaticKafkaSinkOptions<'bytes' | 'text'> = {},
): Sink {
  const { as = 'bytes' } = options;
  const contentOf = (as === 'text' ? textOf : bufferOf) as (bytes: Uint8Array) => T;
  const send = async (records: readonly LogRecord[]): Promise<readonly unknown[]> => {
    const messages: (PlatformaticKafkaMessage<T> | ConnectorError)[] = records.map((record) =>
      messageOf(record, contentOf),
    );
    const sound = messages.filter(
      (message): message is PlatformaticKafkaMessage<T> => !(message instanceof ConnectorError),
    );
    const failures = messages.map((message) => (message instanceof ConnectorError ? message : undefined));
    try {
      if (sound.length > 0) await producer.send({ messages: sound, acks: ALL });
      return failures;
    } catch (thrown) {
      return failures.map((failure) => failure ?? thrown);
    }
  };
  const port = { client, send: (_: string, records: readonly LogRecord[]) => send(records), judge };
  const sink = clientSink(port, options, { as: form });
  checkSerializers(producer, as);
  return sink;
}

const client = '@platformatic/kafka';

/**
 * Its serializers turn what they do not take into nothing, without an error. They are not part of its interface: where they cannot be found, the
 * types decide.
 */
function checkSerializers(producer: object, as: 'bytes' | 'text'): void {
  const key = Object.getOwnPropertySymbols(producer).find(({ description = '' }) =>
    /\boptions$/.test(description),
  );
  if (key === undefined) return;
  const options = (producer as Readonly<Record<symbol, unknown>>)[key] as {
    readonly serializers?: { readonly value?: unknown };
    readonly registry?: unknown;
  };
  const has = options?.serializers?.value !== undefined || options?.registry !== undefined;
  if (has === (as === 'text')) return;
  const message = has
    ? 'as: the producer has serializers: make one without them, or give it stringSerializers and use as: "text"'
    : 'as: the producer has no serializers, so it takes bytes: leave this option out';
  throw new ConnectorError('config_invalid', message, { issues: [{ key: 'as', message }] });
}

function messageOf<T>(
  { topic, key, value, partition, timestamp, headers }: LogRecord,
  contentOf: (bytes: Uint8Array) => T,
): PlatformaticKafkaMessage<T> | ConnectorError {
  try {
    return {
      topic,
      timestamp: BigInt(Math.trunc(timestamp)),
      ...(key === null ? {} : { key: contentOf(key) }),
      ...(value === null ? {} : { value: contentOf(value) }),
      ...(partition === null ? {} : { partition }),
      ...(headers.length === 0 ? {} : { headers: headersOf(headers, contentOf) }),
    };
  } catch (cause) {
    return ConnectorError.from(cause, 'record_rejected');
  }
}

function headersOf<T>(headers: LogRecord['headers'], contentOf: (bytes: Uint8Array) => T): Map<T, T> {
  const encoder = new TextEncoder();
  // Bytes are keys of their own, so that names may repeat; texts are not.
  const entries = headers.map(({ key, value }): [T, T] => {
    if (value === null)
      throw new ConnectorError(
        'record_rejected',
        `${client} cannot write header "${key}", which has no value`,
      );
    return [contentOf(encoder.encode(key)), contentOf(value)];
  });
  const map = new Map(entries);
  if (map.size === entries.length) return map;
  throw new ConnectorError('record_rejected', `${client} cannot write two headers of one name as text`);
}

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new ConnectorError(
      'record_rejected',
      'a key, value or header is not UTF-8, and the producer takes text',
      {
        cause,
      },
    );
  }
}

/** What it throws before anything is sent. */
const ofCaller: ReadonlySet<unknown> = new Set([
  'PLT_KFK_USER',
  'PLT_KFK_OUT_OF_BOUNDS',
  'PLT_KFK_UNSUPPORTED',
  'PLT_KFK_UNSUPPORTED_COMPRESSION',
  'PLT_KFK_UNSUPPORTED_FORMAT',
  'PLT_KFK_AUTHENTICATION',
]);

function judge(thrown: unknown): ConnectorError {
  if (thrown instanceof ConnectorError) return thrown;
  const protocolCode = innermost(thrown, ({ apiCode }) =>
    typeof apiCode === 'number' ? apiCode : undefined,
  );
  const code = innermost(thrown, (error) =>
    typeof error['code'] === 'string' && error['code'] !== 'PLT_KFK_MULTIPLE' ? error['code'] : undefined,
  );
  const retriable = code?.startsWith('PLT_KFK_') === true && !ofCaller.has(code);
  return clientError(thrown, { client, protocolCode, retriable });
}
