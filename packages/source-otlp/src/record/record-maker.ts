import {
  bytesSchema,
  ConnectorError,
  type SourcePartition,
  type SourceRecord,
  stringSchema,
} from '@levada/connect-runtime-core';
import type { RecordHeader } from '@levada/connect-runtime-core/contract';
import type { SignalName } from '../model/signals.ts';
import type { WaitingExport } from '../model/waiting-export.ts';
import { sourcePartition } from './offsets.ts';
import { recordKey } from './record-key.ts';
import type { RecordValues } from './record-values.ts';

export interface RecordMakerOptions {
  readonly values: RecordValues;
  readonly connectorName: string;
  readonly sessionId: string;
  /** A message could not be converted; it is left out. */
  readonly onUnconvertible: (message: WaitingExport, error: ConnectorError) => void;
}

/** What was made of a batch: `records[i]` of `messages[i]`. */
export interface MadeBatch {
  readonly records: readonly SourceRecord[];
  readonly messages: readonly WaitingExport[];
  /** Memory of the values, to be given back when they are settled. */
  readonly blocks: readonly Uint8Array[];
}

const noHeaders: readonly RecordHeader[] = [];

/** Content types of values as the Collector and HTTP name them. */
const contentTypes = {
  otlp_json: 'application/json',
  legacy_json: 'application/json',
  base64: 'text/plain',
  otlp_proto: 'application/x-protobuf',
} as const;

/** Makes records of what waited: the place where conversion happens. */
export class ExportRecordMaker {
  readonly #options: RecordMakerOptions;
  readonly #partitions = new Map<SignalName, SourcePartition>();

  constructor(options: RecordMakerOptions) {
    this.#options = options;
  }

  /** One record for each message that can be converted, in order. */
  batch(waiting: readonly WaitingExport[]): MadeBatch {
    const records: SourceRecord[] = [];
    const messages: WaitingExport[] = [];
    for (const message of waiting) {
      const record = this.#record(message);
      if (record === undefined) continue;
      records.push(record);
      messages.push(message);
    }
    return { records, messages, blocks: this.#options.values.take() };
  }

  #record(message: WaitingExport): SourceRecord | undefined {
    const { stamp, value, ready, sequence } = message;
    const { signal, form } = stamp;
    try {
      const key = ready === undefined ? recordKey(signal, value, form.key) : ready.key;
      return {
        sourcePartition: this.#partition(signal),
        sourceOffset: {
          session_id: this.#options.sessionId,
          signal_type: signal.toUpperCase(),
          sequence,
        },
        topic: stamp.topic,
        partition: null,
        keySchema: key === undefined ? null : stringSchema,
        key: key ?? null,
        valueSchema: form.encoding === 'otlp_proto' ? bytesSchema : stringSchema,
        value: ready === undefined ? this.#options.values.value(signal, value, form.encoding) : value,
        timestamp: stamp.receivedAt,
        headers: this.#headers(message),
      };
    } catch (thrown) {
      this.#options.onUnconvertible(message, ConnectorError.from(thrown, 'conversion_failed'));
      return undefined;
    }
  }

  #partition(signal: SignalName): SourcePartition {
    const known = this.#partitions.get(signal);
    if (known !== undefined) return known;
    const made = sourcePartition(this.#options.connectorName, signal);
    this.#partitions.set(signal, made);
    return made;
  }

  #headers(message: WaitingExport): readonly RecordHeader[] {
    const { form, metadata } = message.stamp;
    const own = form.headers ? this.#ownHeaders(message) : noHeaders;
    if (metadata === undefined) return own;
    return [...own, ...Array.from(metadata, ([name, value]) => header(name, value))];
  }

  #ownHeaders({ stamp, sequence }: WaitingExport): readonly RecordHeader[] {
    const { encoding } = stamp.form;
    return [
      header('otel_signal_type', stamp.signal),
      header('otel_encoding', encoding === 'base64' ? 'otlp_proto_base64' : encoding),
      header('content-type', contentTypes[encoding]),
      header('session.id', this.#options.sessionId),
      header('sequence', String(sequence)),
      header('received.at', String(stamp.receivedAt)),
    ];
  }
}

function header(key: string, value: string): RecordHeader {
  return { key, schema: stringSchema, value };
}
