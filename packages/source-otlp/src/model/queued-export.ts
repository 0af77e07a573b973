import type { ReadyValue } from './prepared-export.ts';
import type { RequestMetadata } from './request-metadata.ts';
import type { SignalName } from './signals.ts';

/** How a record's value is written; fixed at receipt, so that a change applies to new exports only. */
export interface RecordForm {
  /**
   * `otlp_json`: OTLP/JSON on one line. `legacy_json`: the JSON of the connector that this one replaces (snake_case names, base64
   * ids, enum names, defaults), on one line. `base64`: text of the request bytes. `otlp_proto`: the request bytes, schema BYTES.
   */
  readonly encoding: 'otlp_json' | 'legacy_json' | 'base64' | 'otlp_proto';
  /** Whose value becomes the key. */
  readonly key: 'none' | 'trace_id' | 'service_name';
  /** Whether records have headers. */
  readonly headers: boolean;
}

/** What all records of one export request share. */
export interface Stamp {
  readonly signal: SignalName;
  /** Topic in force at receipt. */
  readonly topic: string;
  readonly form: RecordForm;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** Request headers that its records carry. */
  readonly metadata?: RequestMetadata | undefined;
}

/** One part of an export between the receivers and `poll`. It becomes one record. Metrics and log lines call it a message. */
export interface QueuedExport {
  readonly stamp: Stamp;
  /** Number given at receipt, per signal, from 1; continues over restarts. Dropped exports have one, too. */
  readonly sequence: number;
  /** A valid export request as Protobuf, or with `ready` the record's value; may be a view of a larger chunk. */
  readonly value: Uint8Array;
  readonly ready?: ReadyValue | undefined;
  /** Spans, data points, log records or profiles in it. */
  readonly items: number;
  /** Waits for its acknowledgement; undefined if the client was answered already. */
  readonly waiter: ExportWaiter | undefined;
  /** Its place in the spool; undefined in memory. */
  readonly place: number | undefined;
}

/** Waits until all parts of one export are settled. */
export interface ExportWaiter {
  /** A part was acknowledged by the log, dropped for good (`items` were lost), or may or may not be stored. */
  settle(result: 'stored' | 'lost' | 'unknown', items: number): void;
}
