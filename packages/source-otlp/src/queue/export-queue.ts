import type { PreparedExport } from '../model/prepared-export.ts';
import type { ExportWaiter, QueuedExport, Stamp } from '../model/queued-export.ts';
import { metadataBytes } from '../model/request-metadata.ts';
import type { ExportOutcome } from '../receive/admission/export-outcome.ts';
import type { ReadyValues } from './ready-values.ts';
import type { HoldLimits, NeededRoom, RoomWait } from './room-waits.ts';
import type { SignalCounts } from './signal-counts.ts';

/** What a prepared export takes along into its queue. */
export interface QueueEntry {
  readonly stamp: Stamp;
  /** Milliseconds until the client gives up; undefined if it did not say so. */
  readonly timeoutMs: number | undefined;
}

/** `full`: there is no room, and nothing was added. The parts have their numbers all the same, and count as received once they are dropped. */
export type Addition = 'full' | ExportOutcome;

/** Where the exports of one signal wait for `poll`: in memory or on the disk. */
export interface ExportQueue {
  /** Exports that wait. */
  readonly size: number;
  /** Whether its exports survive a restart: then a stop leaves them where they are. */
  readonly isDurable: boolean;
  /** Whether the log no longer acknowledges: exports are refused at once instead of waiting for it. */
  readonly isStalled: boolean;
  /** Writes values of records at receipt; undefined if requests are queued as they are. */
  readonly readyValues: ReadyValues | undefined;
  /** Called when exports may have been added; must not throw. */
  onAdded: (() => void) | undefined;
  /** Whether an export of so many bytes has no room now. */
  isFull(bytes: number): boolean;
  /** Whether requests wait for room while it is full. */
  canHoldRequests(graceMs: number): boolean;
  /** Makes a request wait for room. Undefined if it need not wait, or there is nothing to wait for. */
  waitForRoom(need: NeededRoom, limits: HoldLimits): RoomWait | undefined;
  /** A request is over, and may have left its room to others. */
  offerRoom(): void;
  /** Adds all parts or none. The outcome is what the client is answered. Counts what it adds as received. */
  add(prepared: PreparedExport, entry: QueueEntry): Addition | Promise<Addition>;
  /**
   * The next exports in order: at most `max`, and at most `maxBytes` together but at least one. May be empty although exports wait.
   * One call at a time.
   */
  take(max: number, maxBytes: number): Promise<readonly QueuedExport[]>;
}

/** The room that a prepared export needs in memory. */
export function estimateRoom({ parts }: PreparedExport, { metadata }: Stamp): NeededRoom {
  let bytes = metadataBytes(metadata) * parts.length;
  for (const { request } of parts) bytes += request.length;
  return { exports: parts.length, bytes };
}

/** Numbers the parts of an export. */
export function numberParts(
  { parts, ready }: PreparedExport,
  stamp: Stamp,
  { counts, waiter }: { readonly counts: SignalCounts; readonly waiter?: ExportWaiter | undefined },
): readonly QueuedExport[] {
  return parts.map(({ request, items }) => {
    return { stamp, sequence: counts.takeNumber(), value: request, ready, items, waiter, place: undefined };
  });
}
