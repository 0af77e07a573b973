/** A part of an export request that is a valid request itself. It becomes one record. */
export interface ExportPart {
  readonly request: Uint8Array;
  /** Spans, data points, log records or profiles. A metric without points counts as one, so that its loss is reported, too. */
  readonly items: number;
}

/** An export request that was checked, and divided into parts that each fit into a record. */
export interface PreparedExport {
  /** Empty if there is nothing to record. */
  readonly parts: readonly ExportPart[];
  /** Present if the record's value was written at receipt: then `request` of the only part is that value. */
  readonly ready?: ReadyValue;
  /** Items of the whole request. */
  readonly items: number;
  /** Those of them that are too large for a record. */
  readonly oversized: number;
  /** Resources and scopes without items that are in no part, because the request was divided. */
  readonly empty: number;
  /** Values that were left empty because they are nested too deep. */
  readonly cutValues: number;
}

/** A record's value that was written at receipt. */
export interface ReadyValue {
  /** The record's key. */
  readonly key: string | undefined;
  /** Called once when the value is no longer needed. Undefined if its memory is not shared. */
  readonly release: (() => void) | undefined;
}
