import type { RequestMetadata } from './request-metadata.ts';
import type { SignalName } from './signals.ts';

/** How a record's value is written; fixed at receipt, so that a change applies to new messages only. */
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

/** What the exports of one turn of the event loop have in common. */
export interface Stamp {
  readonly signal: SignalName;
  /** Topic in force at receipt. */
  readonly topic: string;
  readonly form: RecordForm;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** Request headers that its records carry; absent when there is none. */
  readonly metadata?: RequestMetadata | undefined;
}

/**
 * One message between a receiver and `poll`: a valid export request as protobuf bytes, whatever it was sent as, or the value that was
 * made of it at receipt. It becomes one record.
 */
export interface WaitingExport {
  readonly stamp: Stamp;
  /** Number given at receipt, per signal, from 1; continues over restarts. Dropped messages have one, too. */
  readonly sequence: number;
  /** An export request, or the record's value; may be a view of a larger chunk. */
  value: Uint8Array;
  /** Present when `value` is the record's. */
  readonly ready?: ReadyValue | undefined;
  /** Spans, data points, log records or profiles in it. */
  readonly items: number;
  /** What waits for its acknowledgement; undefined when the client was answered already. */
  readonly waiter: ExportWaiter | undefined;
  /** Where it lies in the spool; undefined without one. */
  readonly place: number | undefined;
}

/** A record's value that was made at receipt. */
export interface ReadyValue {
  /** The record's key, which is not looked for again. */
  readonly key: string | undefined;
  /** Called once when the value is not needed any more. Undefined: its memory is its own. */
  readonly release: (() => void) | undefined;
}

/** Who waits for all messages of one export to be settled. */
export interface ExportWaiter {
  /** A message was acknowledged by the log, dropped permanently (`items` were lost), or may or may not be stored. */
  settle(result: 'stored' | 'lost' | 'unknown', items: number): void;
}
