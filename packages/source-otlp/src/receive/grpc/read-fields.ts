import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/** The strings of a message by field number, the last of each; undefined when the bytes are no message. Bytes count as strings. */
export function stringFields(message: Uint8Array): ReadonlyMap<number, string> | undefined {
  const fields = new Map<number, string>();
  try {
    const reader = new BinaryReader(message);
    while (reader.pos < reader.len) {
      const [number, type] = reader.tag();
      if (type === WireType.LengthDelimited) fields.set(number, Buffer.from(reader.bytes()).toString());
      else reader.skip(type, number);
    }
    return fields;
  } catch {
    return undefined; // whatever it was, the caller says that it was not readable
  }
}
