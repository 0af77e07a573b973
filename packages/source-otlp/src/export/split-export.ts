import type { SignalName } from '../model/signals.ts';

/** A part of an export request that is a valid request of its own. */
export interface ExportPart {
  readonly request: Uint8Array;
  /** Spans, data points, log records or profiles. A metric without points counts as one, so that its loss is told, too. */
  readonly items: number;
}

/** How a request is divided. */
export interface SplitOptions {
  /** `request`: only as far as `maxBytes` demands. `resource`: one part per resource. `item`: one per span, metric or log record. */
  readonly mode: 'request' | 'resource' | 'item';
  /** Whether a part is small enough to become one record. Asked for each part; a part that is not is divided further. */
  readonly fits: (part: Uint8Array) => boolean;
}

/** What a request becomes. */
export interface SplitExport {
  /** In the order of the request, those that fit. Together with what was too large they hold each item once. */
  readonly parts: readonly ExportPart[];
  /**
   * Items of parts that cannot be divided and do not fit, and those that come after parts of 64 MiB, or four times the request if
   * that is more: a large resource in front of many small items would otherwise become as many copies of it.
   */
  readonly oversized: number;
  /** Resources and scopes without items that are in no part. */
  readonly empty: number;
}

/**
 * Divides a valid export request by resources, then scopes, then items; a part keeps its resource, scope and schema URLs, and
 * unknown fields beside them. Halves lists instead of cutting out single items, so that parts stay as large as they may be.
 * Metrics are divided down to single data points, each with the metric's name, unit and temporality; one whose points are of
 * two kinds is not divided. A metric without points is kept: its name, description and unit are what was sent. Profiles are never
 * divided, since they share one dictionary. Resources and scopes without items become no part of their own. A part that is the
 * whole request may be the same bytes; others have memory of their own.
 */
export type SplitExportRequest = (
  signal: SignalName,
  request: Uint8Array,
  options: SplitOptions,
) => SplitExport;
