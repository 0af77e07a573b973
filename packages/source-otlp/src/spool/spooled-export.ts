import type { SignalName } from '../signals.ts';
import type { RecordForm, WaitingExport } from '../waiting-export.ts';
import type { SpoolEntry } from './spool.ts';

/** What lies in front of a request in the spool. Short names, because it is there once per message. */
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
}

const LENGTH_BYTES = 2;

/** A message as it lies in the spool: length of a JSON head (2 bytes), the head, the request. */
export function spooledBytes({ stamp, sequence, items, value }: WaitingExport): Uint8Array {
  const head: Head = { t: stamp.topic, f: stamp.form, s: sequence, r: stamp.receivedAt, i: items };
  const text = Buffer.from(JSON.stringify(head));
  const bytes = Buffer.allocUnsafe(LENGTH_BYTES + text.length + value.length);
  bytes.writeUInt16BE(text.length);
  bytes.set(text, LENGTH_BYTES);
  bytes.set(value, LENGTH_BYTES + text.length);
  return bytes;
}

/** The number of the message that lies there. */
export function spooledSequence(bytes: Uint8Array): number {
  return headOf(bytes).head.s;
}

/** The message that lies there. */
export function spooledExport(signal: SignalName, { bytes, place }: SpoolEntry): WaitingExport {
  const { head, end } = headOf(bytes);
  return {
    stamp: { signal, topic: head.t, form: head.f, receivedAt: head.r },
    sequence: head.s,
    items: head.i,
    value: bytes.subarray(end),
    waiter: undefined,
    place,
  };
}

function headOf(bytes: Uint8Array): { readonly head: Head; readonly end: number } {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const end = LENGTH_BYTES + view.readUInt16BE();
  return { head: JSON.parse(view.toString('utf8', LENGTH_BYTES, end)) as Head, end };
}
