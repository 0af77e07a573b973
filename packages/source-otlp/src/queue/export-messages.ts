import type { ExportWaiter, Stamp, WaitingExport } from '../model/waiting-export.ts';
import type { PreparedPart } from './prepare-export.ts';
import type { SignalLane } from './signal-lane.ts';

/** What the messages of an export have in common. */
export interface MessageOptions {
  readonly lane: SignalLane;
  readonly stamp: Stamp;
  readonly waiter: ExportWaiter | undefined;
}

/** The messages of an export, numbered. */
export function messagesOf(
  parts: readonly PreparedPart[],
  options: MessageOptions,
): readonly WaitingExport[] {
  const { lane, stamp, waiter } = options;
  return parts.map(({ request, items, ready }) => {
    return { stamp, sequence: lane.next(), value: request, ready, items, waiter, place: undefined };
  });
}

/** Bytes of the messages together, without their metadata. */
export function bytesOf(parts: readonly PreparedPart[]): number {
  let bytes = 0;
  for (const { request } of parts) bytes += request.length;
  return bytes;
}

/** No messages are made of the parts: the memory of values that were made at receipt goes back. */
export function releaseValues(parts: readonly PreparedPart[]): void {
  for (const { ready } of parts) ready?.release?.();
}
