import type { SignalName } from '../signals.ts';

/** A part of an export request that is a valid request of its own. */
export interface ExportPart {
  readonly request: Uint8Array;
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
  /** Items of parts that cannot be divided and do not fit. */
  readonly oversized: number;
}

/**
 * Divides a valid export request by resources, then scopes, then items; a part keeps its resource, scope and schema URLs, and
 * unknown fields beside them. Halves lists instead of cutting out single items, so that parts stay as large as they may be.
 * A metric is not divided below its data points' list; profiles are never divided, since they share one dictionary.
 */
export type SplitExportRequest = (
  signal: SignalName,
  request: Uint8Array,
  options: SplitOptions,
) => SplitExport;
