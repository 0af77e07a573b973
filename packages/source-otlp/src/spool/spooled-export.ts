import type { QueuedExport, RecordForm } from '../model/queued-export.ts';
import type { RequestMetadata } from '../model/request-metadata.ts';
import type { SignalName } from '../model/signals.ts';
import type { SpoolEntry } from './spool.ts';

/** The head of a request in the spool. Short names, because each entry has one. */
interface Head {
  /** Topic. */
  readonly t: string;
  readonly f: RecordForm;
  /** Sequence number. */
  readonly s: number;
  /** Received at. */
  readonly r: number;
  /** Items. */
  readonly i: number;
  /** Bytes of the request headers, which follow this head as JSON; absent when there is none. */
  readonly m?: number;
}

const LENGTH_BYTES = 2;
const noBytes = Buffer.alloc(0);

/** An export as an entry of the spool: length of a JSON head (2 bytes), the head, request headers if there are any, the request. */
export function encodeEntry({ stamp, sequence, items, value }: QueuedExport): Uint8Array {
  const { topic: t, form: f, receivedAt: r, metadata } = stamp;
  const more = metadata === undefined ? noBytes : Buffer.from(JSON.stringify([...metadata]));
  const head: Head = { t, f, s: sequence, r, i: items, ...(more.length === 0 ? {} : { m: more.length }) };
  const text = Buffer.from(JSON.stringify(head));
  const start = LENGTH_BYTES + text.length;
  const bytes = Buffer.allocUnsafe(start + more.length + value.length);
  bytes.writeUInt16BE(text.length);
  bytes.set(text, LENGTH_BYTES);
  bytes.set(more, start);
  bytes.set(value, start + more.length);
  return bytes;
}

/** Sequence number of the export in an entry. */
export function readSequence(bytes: Uint8Array): number {
  return headOf(bytes).head.s;
}

export function decodeEntry(signal: SignalName, { bytes, place }: SpoolEntry): QueuedExport {
  const { view, head, end } = headOf(bytes);
  const valueAt = end + (head.m ?? 0);
  const metadata = head.m === undefined ? undefined : metadataIn(view.subarray(end, valueAt));
  return {
    stamp: { signal, topic: head.t, form: head.f, receivedAt: head.r, metadata },
    sequence: head.s,
    items: head.i,
    value: bytes.subarray(valueAt),
    waiter: undefined,
    place,
  };
}

function headOf(bytes: Uint8Array): { readonly view: Buffer; readonly head: Head; readonly end: number } {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = LENGTH_BYTES + view.readUInt16BE();
  return { view, head: JSON.parse(view.toString('utf8', LENGTH_BYTES, end)) as Head, end };
}

function metadataIn(json: Buffer): RequestMetadata {
  return new Map(JSON.parse(json.toString()) as [string, string][]);
}
