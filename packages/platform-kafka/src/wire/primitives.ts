import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import type { FieldType } from './message-table.ts';

/** How one type of single values is written and read. In flexible versions, lengths are compact. */
interface Primitive {
  readonly write: (writer: ByteWriter, value: never, flexible: boolean) => void;
  readonly read: (reader: ByteReader, flexible: boolean) => unknown;
  /** The default of a field without one. */
  readonly usual: unknown;
}

/** A row for values with a method of the reader and the writer. */
function primitiveRow<T>(
  write: (writer: ByteWriter, value: T) => void,
  read: (reader: ByteReader) => T,
  usual: T,
) {
  return { write, read, usual };
}

const bytes: Primitive = {
  write: (writer, value: Uint8Array | null, flexible) => {
    writeLength(writer, value?.length ?? -1, flexible);
    if (value !== null) writer.bytes(value);
  },
  read: (reader, flexible) => reader.bytes(readLength(reader, flexible)),
  usual: Buffer.alloc(0),
};

const string: Primitive = {
  write: (writer, value: string | null, flexible) => {
    if (flexible) bytes.write(writer, (value === null ? null : Buffer.from(value)) as never, true);
    else writer.text(value);
  },
  read: (reader, flexible) =>
    flexible ? (reader.bytes(readLength(reader, true))?.toString() ?? null) : reader.text(),
  usual: '',
};

/** Single values of messages, by type. Writing a value that does not fit throws a RangeError, and so does reading past the end. */
export const primitives: Readonly<Record<Exclude<FieldType, 'struct'>, Primitive>> = {
  bool: primitiveRow(
    (writer, value) => writer.int8(value ? 1 : 0),
    (reader) => reader.int8() !== 0,
    false as boolean,
  ),
  int8: primitiveRow(
    (writer, value) => writer.int8(value),
    (reader) => reader.int8(),
    0,
  ),
  int16: primitiveRow(
    (writer, value) => writer.int16(value),
    (reader) => reader.int16(),
    0,
  ),
  uint16: primitiveRow(
    (writer, value) => writer.uint16(value),
    (reader) => reader.uint16(),
    0,
  ),
  int32: primitiveRow(
    (writer, value) => writer.int32(value),
    (reader) => reader.int32(),
    0,
  ),
  uint32: primitiveRow(
    (writer, value) => writer.uint32(value),
    (reader) => reader.uint32(),
    0,
  ),
  int64: primitiveRow(
    (writer, value) => writer.int64(value),
    (reader) => reader.bigint64(),
    0n,
  ),
  float64: primitiveRow(
    (writer, value) => writer.float64(value),
    (reader) => reader.float64(),
    0,
  ),
  uuid: primitiveRow(
    (writer, value) => writer.bytes(uuidBytes(value)),
    (reader) => reader.bytes(16)?.toString('base64url') ?? '',
    'A'.repeat(22),
  ),
  string,
  bytes,
  records: bytes,
};

/** Writes the length of bytes or of a list; -1: null. Compact: an unsigned varint of the length plus one. */
export function writeLength(writer: ByteWriter, length: number, compact: boolean): void {
  if (compact) writer.unsignedVarint(length + 1);
  else writer.int32(length);
}

/** Reads the output of {@link writeLength}. */
export function readLength(reader: ByteReader, compact: boolean): number {
  return compact ? reader.unsignedVarint() - 1 : reader.int32();
}

function uuidBytes(text: string): Buffer {
  const found = Buffer.from(text, 'base64url');
  if (found.length !== 16) throw new RangeError(`"${text}" is no UUID in base64url`);
  return found;
}
