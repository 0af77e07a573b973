import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { printable } from '@levada/connect-runtime-core/source-kit';
import type { DescriptorSource } from './descriptor-source.ts';
import { invalidDescriptor } from './invalid-descriptor.ts';

/** Most message types in all files together. */
const MAX_MESSAGES = 100_000;

/** Most fields of descriptors in all files together: what bounds the memory that parsing takes. */
const MAX_FIELDS = 4_000_000;

/** Deepest nesting of types. */
const MAX_DEPTH = 100;

/** Number of `FileDescriptorSet.file`. */
const FILE = 1;

/** Numbers that a set keeps for extensions; what else is unknown in it means that the bytes are something else. */
const FIRST_EXTENSION = 536_000_000;

/** Number of `FileDescriptorProto.source_code_info`: comments and positions, often most of the bytes, and of no use here. */
const SOURCE_INFO = 9;

/** The serialized files of a descriptor set. Throws when the bytes are no set; nothing of their content is in the error. */
export function filesOfSet({ from, bytes }: DescriptorSource): readonly Uint8Array[] {
  const hint = otherFormat(bytes);
  if (hint !== undefined) throw invalidDescriptor(`${from} ${hint}`);
  const files: Uint8Array[] = [];
  try {
    const reader = new BinaryReader(bytes);
    while (reader.pos < reader.len) {
      const [number, wireType] = reader.tag();
      if (number === FILE && wireType === WireType.LengthDelimited) files.push(reader.bytes());
      else if (number >= FIRST_EXTENSION) reader.skip(wireType, number);
      else throw new Error(`unexpected field ${number}`);
    }
  } catch (cause) {
    throw invalidDescriptor(`${from} is not a descriptor set (${reason(cause)})`, { cause });
  }
  return files;
}

/** The format of a file that is commonly mistaken for a descriptor set. */
function otherFormat(bytes: Uint8Array): string | undefined {
  if (bytes.length === 0) return 'is empty';
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    return 'is compressed with gzip, a plain descriptor set is expected';
  const start = Buffer.from(bytes.subarray(0, 4096)).toString('latin1');
  // The tags of a descriptor set are control characters, and a set may well begin with a file named "message.proto".
  if (/[^\t\r\n\x20-\xff]/.test(start)) return undefined;
  if (start.trimStart().startsWith('{')) return 'is JSON, a binary descriptor set is expected';
  if (!/^\s*(?:(?:syntax|edition|package|import|option|message|service)\b|\/[/*])/.test(start))
    return undefined;
  return 'is the text of a .proto file; give it a name that ends in .proto, or compile it with protoc --include_imports --descriptor_set_out or buf build -o';
}

/** Counts what is in files before they are parsed, so that parsing takes bounded memory. */
export interface FileMeter {
  /** The file without source information. Throws when there is too much in it and those before, or when it is cut off. */
  measure(file: Uint8Array): Uint8Array;
}

/** A meter that has counted nothing yet. */
export function fileMeter(): FileMeter {
  const left = { messages: MAX_MESSAGES, fields: MAX_FIELDS };
  const nested = nestedTypes();
  const walk = (reader: BinaryReader, schema: DescMessage, span: { end: number; depth: number }): void => {
    if (span.depth > MAX_DEPTH) throw invalidDescriptor(`types are nested more than ${MAX_DEPTH} deep`);
    if (span.end > reader.len) throw new Error('the bytes end too early');
    const children = nested(schema);
    while (reader.pos < span.end) {
      const [number, wireType] = reader.tag();
      left.fields -= 1;
      if (left.fields < 0) throw invalidDescriptor(`it holds more than ${MAX_FIELDS} fields of descriptors`);
      if (wireType !== WireType.LengthDelimited) {
        // Without a view of each number, as skipping would make it: there are many.
        if (wireType === WireType.Varint) reader.uint32();
        else reader.skip(wireType, number);
        continue;
      }
      const end = reader.uint32() + reader.pos;
      const child = children.get(number);
      if (child === undefined) {
        if (end > span.end) throw new Error('the bytes end too early');
        reader.pos = end;
        continue;
      }
      if (child.name === 'DescriptorProto') left.messages -= 1;
      if (left.messages < 0) throw invalidDescriptor(`it holds more than ${MAX_MESSAGES} message types`);
      walk(reader, child, { end, depth: span.depth + 1 });
    }
    if (reader.pos > span.end) throw new Error('the bytes end too early');
  };
  return {
    measure: (file) => {
      const plain = withoutSourceInfo(file);
      walk(new BinaryReader(plain), FileDescriptorProtoSchema, { end: plain.length, depth: 0 });
      return plain;
    },
  };
}

/** Finds the message fields of the types that descriptors are made of. */
function nestedTypes(): (schema: DescMessage) => ReadonlyMap<number, DescMessage> {
  const known = new Map<DescMessage, ReadonlyMap<number, DescMessage>>();
  return (schema) => {
    const found = known.get(schema);
    if (found !== undefined) return found;
    const entries = schema.fields.flatMap((field: DescField) =>
      field.message === undefined ? [] : [[field.number, field.message] as const],
    );
    const children = new Map(entries);
    known.set(schema, children);
    return children;
  };
}

function withoutSourceInfo(file: Uint8Array): Uint8Array {
  const kept: Uint8Array[] = [];
  const reader = new BinaryReader(file);
  let from = 0;
  while (reader.pos < reader.len) {
    const start = reader.pos;
    const [number, wireType] = reader.tag();
    reader.skip(wireType, number);
    if (number !== SOURCE_INFO) continue;
    kept.push(file.subarray(from, start));
    from = reader.pos;
  }
  return from === 0 ? file : Buffer.concat([...kept, file.subarray(from)]);
}

const print = printable([]);

/** What a reader of wire bytes or descriptors found; it speaks of tags and lengths, and at most of names. */
export function reason(thrown: unknown): string {
  return thrown instanceof Error && thrown.message !== ''
    ? print(thrown.message.slice(0, 200))
    : 'unreadable';
}
