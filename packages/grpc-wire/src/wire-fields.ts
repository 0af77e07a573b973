import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

// The few messages of gRPC itself, field by field (https://protobuf.dev/programming-guides/encoding/).

/** One field: a varint, a text, or the bytes of a value or message. */
export type WireField = readonly [number: number, value: number | string | Uint8Array];

/** Maximum number of values of a repeated field. */
const MAX_REPEATED = 10_000;

/** Encodes a message of these fields. Leaves out zeros and empty texts, but not empty bytes. */
export function encodeFields(fields: readonly WireField[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const [number, value] of fields) {
    if (value === 0 || value === '') continue;
    if (typeof value === 'number') writer.tag(number, WireType.Varint).uint64(value);
    else if (typeof value === 'string') writer.tag(number, WireType.LengthDelimited).string(value);
    else writer.tag(number, WireType.LengthDelimited).bytes(value);
  }
  return writer.finish();
}

/** The varints (as 32-bit integers) and the length-delimited fields of a message. Throws if the bytes are not a valid message. */
export function* fieldsOf(
  message: Uint8Array,
): Generator<readonly [number: number, value: number | Uint8Array]> {
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (wireType === WireType.Varint) yield [number, reader.int32()];
    else if (wireType === WireType.LengthDelimited) yield [number, reader.bytes()];
    else reader.skip(wireType, number);
  }
}

/** The values of one length-delimited field. Throws if the bytes are not a valid message, or if there are more than 10,000 values. */
export function bytesOf(message: Uint8Array, wanted: number): readonly Uint8Array[] {
  const values: Uint8Array[] = [];
  for (const [number, value] of fieldsOf(message)) {
    if (number === wanted && typeof value !== 'number') values.push(value);
    if (values.length > MAX_REPEATED) throw new Error(`a field has more than ${MAX_REPEATED} values`);
  }
  return values;
}

/** The last text of one field, '' if absent. Throws if the bytes are not a valid message. */
export function textOf(message: Uint8Array, wanted: number): string {
  let text = '';
  for (const [number, value] of fieldsOf(message))
    if (number === wanted && typeof value !== 'number') text = utf8(value);
  return text;
}

/** Decodes UTF-8, with U+FFFD for invalid bytes. */
export function utf8(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
}
