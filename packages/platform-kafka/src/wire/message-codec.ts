import type { ByteReader } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';
import { type FieldTable, includes, isFlexible, type MessageTable } from './message-table.ts';
import { primitives, readLength, writeLength } from './primitives.ts';

/** Fields by name. Undefined or absent fields have their default. */
type Struct = Readonly<Record<string, unknown>>;

interface Form {
  readonly version: number;
  /** Whether lengths are compact, and structures end with tagged fields. */
  readonly flexible: boolean;
}

const ALL_VERSIONS = [0] as const;

/**
 * Appends a message in one of its versions. Throws a RangeError if a value does not fit its field, or if the version lacks a
 * field that is not ignorable.
 */
export function writeMessage(
  writer: ByteWriter,
  {
    table,
    version,
    value,
  }: { readonly table: MessageTable; readonly version: number; readonly value: object },
): void {
  writeFields(writer, table.fields, value as Struct, { version, flexible: isFlexible(table, version) });
}

/**
 * Reads a message in one of its versions. Fields that the version lacks get their default. Throws a RangeError if it is too short
 * or invalid.
 */
export function readMessage(reader: ByteReader, table: MessageTable, version: number): object {
  return readFields(reader, table.fields, { version, flexible: isFlexible(table, version) });
}

function writeFields(writer: ByteWriter, fields: readonly FieldTable[], struct: Struct, form: Form): void {
  const tagged: { readonly tag: number; readonly content: Buffer }[] = [];
  for (const field of fields) {
    const given = struct[field.name];
    const value = given === undefined ? defaultOf(field) : given;
    if (!isIn(field, form)) {
      if (field.ignorable !== true && !isDefault(field, value))
        throw new RangeError(`version ${form.version} has no field "${field.name}"`);
    } else if (!isTagged(field, form)) writeField(writer, field, value, form);
    else if (!isDefault(field, value)) {
      const content = new ByteWriter();
      writeField(content, field, value, form);
      tagged.push({ tag: field.tag ?? 0, content: content.written });
    }
  }
  if (!form.flexible) return;
  writer.unsignedVarint(tagged.length);
  for (const { tag, content } of tagged.sort((one, other) => one.tag - other.tag)) {
    writer.unsignedVarint(tag);
    writer.unsignedVarint(content.length);
    writer.bytes(content);
  }
}

function readFields(reader: ByteReader, fields: readonly FieldTable[], form: Form): Struct {
  const struct: Record<string, unknown> = {};
  for (const field of fields) {
    const isThere = isIn(field, form) && !isTagged(field, form);
    struct[field.name] = isThere ? readField(reader, field, form) : defaultOf(field);
  }
  if (!form.flexible) return struct;
  for (let left = reader.unsignedVarint(); left > 0; left -= 1) {
    const tag = reader.unsignedVarint();
    const length = reader.unsignedVarint();
    const after = reader.left - length;
    const field = fields.find((one) => one.tag === tag && isIn(one, form) && isTagged(one, form));
    // A field newer than the definitions
    if (field === undefined) reader.skip(length);
    else struct[field.name] = readField(reader, field, form);
    if (reader.left !== after)
      throw new RangeError(`the field with tag ${tag} does not have the length given`);
  }
  return struct;
}

function writeField(writer: ByteWriter, field: FieldTable, value: unknown, form: Form): void {
  const { name, list } = field;
  const nullable = includes(field.nullable, form.version);
  if (value === null && !nullable)
    throw new RangeError(`"${name}" cannot be null in version ${form.version}`);
  if (list) {
    const items = value as readonly unknown[] | null;
    writeLength(writer, items?.length ?? -1, isCompact(field, form));
    for (const item of items ?? []) writeSingle(writer, field, item, form);
  } else {
    if (field.type === 'struct' && nullable) writer.int8(value === null ? -1 : 1);
    if (field.type !== 'struct' || value !== null) writeSingle(writer, field, value, form);
  }
}

function readField(reader: ByteReader, field: FieldTable, form: Form): unknown {
  const nullable = includes(field.nullable, form.version);
  if (field.type === 'struct' && !field.list && nullable && reader.int8() < 0) return null;
  const value = field.list ? readList(reader, field, form) : readSingle(reader, field, form);
  if (value === null && !nullable)
    throw new RangeError(`"${field.name}" is null, which version ${form.version} does not allow`);
  return value;
}

function readList(reader: ByteReader, field: FieldTable, form: Form): readonly unknown[] | null {
  const length = readLength(reader, isCompact(field, form));
  if (length < 0) return null;
  // Every item has at least one byte, so an impossible length is detected before memory is allocated
  if (length > reader.left)
    throw new RangeError(`a list of ${length} items does not fit into ${reader.left} bytes`);
  const items: unknown[] = [];
  for (let left = length; left > 0; left -= 1) items.push(readSingle(reader, field, form));
  return items;
}

/** Writes a value that is not a list, or an item of one. */
function writeSingle(writer: ByteWriter, field: FieldTable, value: unknown, form: Form): void {
  if (field.type === 'struct') writeFields(writer, field.fields ?? [], value as Struct, form);
  else primitives[field.type].write(writer, value as never, isCompact(field, form));
}

function readSingle(reader: ByteReader, field: FieldTable, form: Form): unknown {
  if (field.type === 'struct') return readFields(reader, field.fields ?? [], form);
  return primitives[field.type].read(reader, isCompact(field, form));
}

function isCompact(field: FieldTable, form: Form): boolean {
  return form.flexible && field.flexible !== false;
}

function isIn({ versions = ALL_VERSIONS }: FieldTable, { version }: Form): boolean {
  return includes(versions, version);
}

function isTagged({ tagged }: FieldTable, { version }: Form): boolean {
  return includes(tagged, version);
}

function defaultOf(field: FieldTable): unknown {
  if (field.default !== undefined) return field.default;
  if (field.list) return [];
  if (field.type !== 'struct') return primitives[field.type].usual;
  return Object.fromEntries((field.fields ?? []).map((one) => [one.name, defaultOf(one)]));
}

function isDefault(field: FieldTable, value: unknown): boolean {
  const usual = defaultOf(field);
  if (value === null || usual === null || typeof value !== 'object') return value === usual;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0;
  return (field.fields ?? []).every((one) => {
    const own = (value as Struct)[one.name];
    return own === undefined || isDefault(one, own);
  });
}
