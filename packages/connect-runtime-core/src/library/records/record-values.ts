import type { Schema } from '../../contract/schema.ts';
import type { SourceRecord } from '../../contract/source-record.ts';
import { ConnectorError } from '../../diagnostics/connector-error.ts';
import { printable } from '../../text/printable.ts';

/** Makes the record that is given to the user of the one that the task made. Throws when it cannot. */
export type RecordDecoder<V> = (record: SourceRecord) => SourceRecord<V>;

/** Longest beginning of a value that an error shows. */
const SHOWN = 80;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();
const shown = printable([]);

/** Text that is held as UTF-8 bytes becomes a string, and bytes become the caller's own: their memory may be used again. */
export const plainRecord: RecordDecoder<unknown> = (record) =>
  withValue(record, plainPart(record.valueSchema, record.value));

/** The value parsed as JSON, whether it is held as text or as bytes. */
export const jsonRecord: RecordDecoder<unknown> = (record) => {
  const text = textOf(record.value);
  try {
    // RFC 8259 lets a parser ignore a byte order mark.
    return withValue(record, JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text));
  } catch (cause) {
    throw new ConnectorError('conversion_failed', 'is not JSON', { cause });
  }
};

/** The value as text. */
export const textRecord: RecordDecoder<string> = (record) => withValue(record, textOf(record.value));

/** The value as bytes of the caller's own; text as UTF-8. */
export const bytesRecord: RecordDecoder<Uint8Array> = (record) => {
  const { value } = record;
  if (typeof value === 'string') return withValue(record, encoder.encode(value));
  if (value instanceof Uint8Array) return withValue(record, new Uint8Array(value));
  throw new ConnectorError('conversion_failed', `is neither text nor bytes, but ${kindOf(value)}`);
};

/** The value that a function makes of the record as a plain loop has it. */
export function decodedRecord<V>(decode: (record: SourceRecord) => V): RecordDecoder<V> {
  return (record) => {
    const plain = plainRecord(record);
    try {
      return { ...plain, value: decode(plain) };
    } catch (cause) {
      const why = shown(ConnectorError.from(cause).message);
      throw new ConnectorError('conversion_failed', `cannot be decoded (${why})`, { cause });
    }
  };
}

/** Where an invalid record is. */
export interface RecordPlace {
  /** Name of the source. */
  readonly source: string;
  /** 1 for the first record that was taken. */
  readonly number: number;
}

/** The error of a record that could not be decoded: which source, which record, why, and how its value begins. */
export function invalidRecord(record: SourceRecord, place: RecordPlace, thrown: unknown): ConnectorError {
  const { message, cause } = ConnectorError.from(thrown, 'conversion_failed');
  const offset = record.sourceOffset === null ? '' : ` (offset ${JSON.stringify(record.sourceOffset)})`;
  const where = `${place.source}: the value of record ${place.number}${offset}`;
  const parse = cause instanceof SyntaxError ? ` (${shown(cause.message)})` : '';
  return new ConnectorError('conversion_failed', `${where} ${message}${beginning(record.value)}${parse}`, {
    cause: cause ?? thrown,
  });
}

function beginning(value: unknown): string {
  if (typeof value !== 'string' && !(value instanceof Uint8Array)) return '';
  // Characters have at most four bytes.
  const text = typeof value === 'string' ? value : lenient.decode(value.subarray(0, 4 * SHOWN));
  const rest = text.length > SHOWN || value.length > 4 * SHOWN ? '...' : '';
  return `: "${shown(text.slice(0, SHOWN))}${rest}"`;
}

function withValue<V>(record: SourceRecord, value: V): SourceRecord<V> {
  const key = plainPart(record.keySchema, record.key);
  if (value === record.value && key === record.key) return record as SourceRecord<V>;
  return { ...record, key, value };
}

function plainPart(schema: Schema | null, value: unknown): unknown {
  if (!(value instanceof Uint8Array)) return value;
  if (schema?.type === 'string') return lenient.decode(value);
  // A copy, and a Buffer of a Buffer.
  return Uint8Array.prototype.slice.call(value);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!(value instanceof Uint8Array))
    throw new ConnectorError('conversion_failed', `is neither text nor bytes, but ${kindOf(value)}`);
  try {
    return strict.decode(value);
  } catch (cause) {
    throw new ConnectorError('conversion_failed', 'is not text in UTF-8', { cause });
  }
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
