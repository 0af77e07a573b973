import type { DescEnum, DescField, DescMessage } from '@bufbuild/protobuf';
import { isWide, Kind, scalarKinds, Wire, wireOf } from '../plan/kinds.ts';
import type { MessageRules } from '../plan/message-rules.ts';
import { messagesIn } from '../plan/messages-in.ts';

/** Columns of a field's row. Rows of a message are adjacent. */
export const Column = {
  tag: 0,
  kind: 1,
  list: 2,
  /** Row of the message, number of the enum, or length of the id. */
  sub: 3,
  range: 4,
  form: 5,
  /** The name with its closing quote and the colon: place in `keys`, words, mask of the last word, bytes. */
  key: 6,
  keyWords: 7,
  keyMask: 8,
  keyBytes: 9,
  /** One bit for the field, and one for its oneof, if any. */
  bit: 10,
  oneof: 11,
  /** Whether zero equals absent. */
  implicit: 12,
  /** Row of the double in the same oneof for values that this integer cannot hold, or 0. */
  double: 13,
  /** Guesses, corrected when wrong: the next field, and the size of the length. */
  next: 14,
  lengthBytes: 15,
  /** Number of columns. */
  count: 16,
} as const;

/** Columns before a message's first row. */
export const Header = {
  rows: -1,
  /** Guess of the first field. */
  first: -2,
  /** 1 if its nesting depth is limited. */
  nested: -3,
  /** Number of columns. */
  count: 3,
} as const;

/** Ranges of integers. */
export const Range = { int32: 0, uint32: 1, int64: 2, uint64: 3 } as const;

/** Wire forms of integers. */
export const Form = { varint: 0, zigzag: 1, fixed32: 2, fixed64: 3 } as const;

/** How values of a field are repeated. */
export const List = { none: 0, tagged: 1, packed: 2 } as const;

/** Tables for the reader. Messages are identified by indexes of `rows`. */
export interface Tables {
  /** Owned by one reader, because it contains guesses. */
  readonly rows: Int32Array;
  readonly keys: Int32Array;
  readonly enums: readonly ReadonlyMap<string, number>[];
  readonly starts: ReadonlyMap<DescMessage, number>;
  /** Maximum nesting of the bounded type. */
  readonly maxNested: number;
  /** JSON name of the field of a row. */
  fieldName(row: number): string;
}

interface Draft {
  readonly starts: ReadonlyMap<DescMessage, number>;
  readonly rows: Int32Array;
  readonly keys: number[];
  readonly enums: Map<DescEnum, number>;
  readonly names: Map<number, string>;
  readonly rules: MessageRules;
}

/** Fields of one message have one bit each. */
const MAX_FIELDS = 32;

/** Builds rows of Int32 for all messages. Throws a RangeError for unsupported schemas: maps, groups, floats. */
export function buildTables(rules: MessageRules): Tables {
  const messages = messagesIn(rules.messages);
  const starts = new Map<DescMessage, number>();
  let size = 0;
  for (const message of messages) {
    starts.set(message, size + Header.count);
    size += Header.count + message.fields.length * Column.count;
  }
  const draft: Draft = {
    starts,
    rows: new Int32Array(size),
    keys: [],
    enums: new Map(),
    names: new Map(),
    rules,
  };
  for (const message of messages) layMessage(draft, message);
  return {
    rows: draft.rows,
    keys: Int32Array.from(draft.keys),
    enums: [...draft.enums.keys()].map(
      ({ values }) => new Map(values.map(({ name, number }) => [name, number])),
    ),
    starts,
    maxNested: rules.nested.levels,
    fieldName: (row) => draft.names.get(row) ?? '',
  };
}

function startOf({ starts }: Draft, message: DescMessage): number {
  return starts.get(message) as number;
}

function layMessage(draft: Draft, message: DescMessage): void {
  const { rows } = draft;
  const start = startOf(draft, message);
  const { fields, typeName } = message;
  if (fields.length > MAX_FIELDS)
    throw new RangeError(`message "${typeName}" has more than ${MAX_FIELDS} fields`);
  rows[start + Header.rows] = fields.length;
  rows[start + Header.first] = start;
  rows[start + Header.nested] = typeName === draft.rules.nested.typeName ? 1 : 0;
  for (const [index, field] of fields.entries()) layField(draft, field, start + index * Column.count);
}

function layField(draft: Draft, field: DescField, row: number): void {
  const { rows, names, rules } = draft;
  const kind = kindOf(field, rules);
  const list = listOf(field);
  const range = rangeOf(kind);
  const { fields, oneofs } = field.parent;
  const index = fields.indexOf(field);
  const start = row - index * Column.count;
  names.set(row, field.jsonName);
  rows[row + Column.tag] = (field.number << 3) | (list === List.packed ? Wire.delimited : wireOf(kind));
  rows[row + Column.kind] = kind;
  rows[row + Column.list] = list;
  rows[row + Column.sub] = subOf(draft, field, kind);
  rows[row + Column.range] = range;
  rows[row + Column.form] = formOf(kind);
  layKey(draft, field.jsonName, row);
  rows[row + Column.bit] = 1 << index;
  rows[row + Column.oneof] = field.oneof === undefined ? 0 : 1 << oneofs.indexOf(field.oneof);
  const isSingular = field.fieldKind === 'scalar' || field.fieldKind === 'enum';
  rows[row + Column.implicit] =
    isSingular && field.oneof === undefined && !field.proto.proto3Optional ? 1 : 0;
  const double = field.oneof?.fields.find((other) => kindOf(other, rules) === Kind.double);
  rows[row + Column.double] = double && isWide(kind) ? start + fields.indexOf(double) * Column.count : 0;
  rows[row + Column.next] = start + ((index + 1) % fields.length) * Column.count;
  rows[row + Column.lengthBytes] = 1;
}

function listOf(field: DescField): number {
  if (field.fieldKind !== 'list') return List.none;
  return field.packed ? List.packed : List.tagged;
}

function kindOf(field: DescField, { ids }: MessageRules): Kind {
  const name = `${field.parent.typeName}.${field.name}`;
  if (ids.has(name)) return Kind.hex;
  const group = 'delimitedEncoding' in field && field.delimitedEncoding;
  if (field.fieldKind === 'map' || group) throw new RangeError(`field "${name}" is a map or a group`);
  if (field.message !== undefined) return Kind.message;
  const kind = field.scalar === undefined ? Kind.enum : scalarKinds[field.scalar];
  if (kind === Kind.float) throw new RangeError(`field "${name}" is a float`);
  return kind;
}

const UNSIGNED: readonly number[] = [Kind.uint32, Kind.uint64, Kind.fixed32, Kind.fixed64];

function rangeOf(kind: Kind): number {
  if (isWide(kind)) return UNSIGNED.includes(kind) ? Range.uint64 : Range.int64;
  return UNSIGNED.includes(kind) ? Range.uint32 : Range.int32;
}

function formOf(kind: Kind): number {
  if (kind === Kind.sint32 || kind === Kind.sint64) return Form.zigzag;
  const wire = wireOf(kind);
  if (wire === Wire.fixed32) return Form.fixed32;
  return wire === Wire.fixed64 ? Form.fixed64 : Form.varint;
}

function subOf(draft: Draft, field: DescField, kind: Kind): number {
  if (field.message !== undefined) return startOf(draft, field.message);
  if (kind === Kind.hex) return draft.rules.ids.get(`${field.parent.typeName}.${field.name}`) ?? 0;
  if (field.enum === undefined) return 0;
  const { enums } = draft;
  if (!enums.has(field.enum)) enums.set(field.enum, enums.size);
  return enums.get(field.enum) as number;
}

function layKey({ rows, keys }: Draft, name: string, row: number): void {
  const text = Buffer.from(`${name}":`);
  const words = Math.ceil(text.length / 4);
  const padded = Buffer.concat([text, Buffer.alloc(words * 4 - text.length)]);
  rows[row + Column.key] = keys.length;
  rows[row + Column.keyWords] = words;
  rows[row + Column.keyBytes] = text.length;
  rows[row + Column.keyMask] = -1 >>> ((words * 4 - text.length) * 8);
  for (let at = 0; at < padded.length; at += 4) keys.push(padded.readInt32LE(at));
}
