import {
  bytesSchema,
  ConnectorError,
  type SourcePartition,
  type SourceRecord,
  stringSchema,
} from '@levada/connect-runtime-core';
import type { RecordHeader } from '@levada/connect-runtime-core/contract';
import type { QueuedExport } from '../model/queued-export.ts';
import type { SignalName } from '../model/signals.ts';
import { sourcePartition } from './offsets.ts';
import { recordKey } from './record-key.ts';
import type { RecordValues } from './record-values.ts';

export interface RecordMakerOptions {
  readonly values: RecordValues;
  readonly connectorName: string;
  readonly sessionId: string;
  /** An export could not be converted; it is left out. */
  readonly onUnconvertible: (exported: QueuedExport, error: ConnectorError) => void;
}

/** What was made of a batch: `records[i]` of `exports[i]`. */
export interface MadeBatch {
  readonly records: readonly SourceRecord[];
  readonly exports: readonly QueuedExport[];
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

  /** One record for each export that can be converted, in order. */
  batch(queued: readonly QueuedExport[]): MadeBatch {
    const records: SourceRecord[] = [];
    const exports: QueuedExport[] = [];
    for (const exported of queued) {
      const record = this.#record(exported);
      if (record === undefined) continue;
      records.push(record);
      exports.push(exported);
    }
    return { records, exports, blocks: this.#options.values.take() };
  }

  #record(exported: QueuedExport): SourceRecord | undefined {
    const { stamp, value, ready, sequence } = exported;
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
        headers: this.#headers(exported),
      };
    } catch (thrown) {
      this.#options.onUnconvertible(exported, ConnectorError.from(thrown, 'conversion_failed'));
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

  #headers(exported: QueuedExport): readonly RecordHeader[] {
    const { form, metadata } = exported.stamp;
    const own = form.headers ? this.#ownHeaders(exported) : noHeaders;
    if (metadata === undefined) return own;
    return [...own, ...Array.from(metadata, ([name, value]) => header(name, value))];
  }

  #ownHeaders({ stamp, sequence }: QueuedExport): readonly RecordHeader[] {
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
