import type { DescEnum, DescField, DescMessage } from '@bufbuild/protobuf';
import { hexFields } from '../model/hex-fields.ts';
import { messagesIn } from '../model/messages-in.ts';
import type { OtlpSchema } from '../model/otlp-schema.ts';
import { type SignalName, signalNames } from '../model/signals.ts';
import { Kind, Range, type ValueType, valueType, Wire } from './kinds.ts';

/** Columns of a field's row. Rows of a message stand behind each other. */
export const Column = {
  tag: 0,
  kind: 1,
  list: 2,
  /** Row of the message, number of the enum, or how many bytes the id has. */
  sub: 3,
  range: 4,
  form: 5,
  /** The name with its closing quote and the colon: place in `keys`, words, which bytes of the last word count, bytes. */
  key: 6,
  keyWords: 7,
  keyMask: 8,
  keyBytes: 9,
  /** One bit for the field, and one for its oneof if it is in one. */
  bit: 10,
  oneof: 11,
  /** Whether zero is the same as absent. */
  implicit: 12,
  /** Row of the double in the same oneof that takes what this integer cannot hold, or 0. */
  double: 13,
  /** Guesses, which are corrected when they were wrong: the field that follows, the bytes that the length needs. */
  next: 14,
  lengthBytes: 15,
  /** Behind the last column. */
  count: 16,
} as const;

/** Columns before a message's first row. */
export const Header = {
  rows: -1,
  /** The guess which field comes first. */
  first: -2,
  /** Whether this is an AnyValue, of which only so many may be inside each other. */
  anyValue: -3,
  /** Behind the last column. */
  count: 3,
} as const;

/** How a field's values stand behind each other. */
export const List = { none: 0, tagged: 1, packed: 2 } as const;

/** What the reader walks along. Places of messages are indexes of `rows`. */
export interface Tables {
  /** Belongs to one reader, because of the guesses. */
  readonly rows: Int32Array;
  readonly keys: Int32Array;
  readonly enums: readonly ReadonlyMap<string, number>[];
  readonly roots: Readonly<Record<SignalName, number>>;
  /** Name of the field of a row, in JSON. */
  fieldName(row: number): string;
}

interface Draft {
  readonly starts: ReadonlyMap<DescMessage, number>;
  readonly rows: Int32Array;
  readonly keys: number[];
  readonly enums: Map<DescEnum, number>;
  readonly names: Map<number, string>;
  readonly hexFields: ReadonlySet<string>;
}

/** Fields of one message have one bit each. */
const MAX_FIELDS = 32;

/** Lays out all messages of export requests as rows of Int32. */
export function buildTables(schema: Pick<OtlpSchema, 'request'>): Tables {
  const messages = messagesIn(signalNames.map(schema.request));
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
    hexFields: hexFields(schema),
  };
  for (const message of messages) layMessage(draft, message);
  const root = (signal: SignalName): number => startOf(draft, schema.request(signal));
  return {
    rows: draft.rows,
    keys: Int32Array.from(draft.keys),
    enums: [...draft.enums.keys()].map(
      ({ values }) => new Map(values.map(({ name, number }) => [name, number])),
    ),
    roots: {
      traces: root('traces'),
      metrics: root('metrics'),
      logs: root('logs'),
      profiles: root('profiles'),
    },
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
  rows[start + Header.anyValue] = typeName === 'opentelemetry.proto.common.v1.AnyValue' ? 1 : 0;
  for (const [index, field] of fields.entries()) layField(draft, field, start + index * Column.count);
}

function layField(draft: Draft, field: DescField, row: number): void {
  const { rows, names, hexFields } = draft;
  const type = valueType(field, hexFields);
  const list = listOf(field);
  const { fields, oneofs } = field.parent;
  const index = fields.indexOf(field);
  const start = row - index * Column.count;
  names.set(row, field.jsonName);
  rows[row + Column.tag] = (field.number << 3) | (list === List.packed ? Wire.delimited : type.wire);
  rows[row + Column.kind] = type.kind;
  rows[row + Column.list] = list;
  rows[row + Column.sub] = subOf(draft, field, type);
  rows[row + Column.range] = type.range;
  rows[row + Column.form] = type.form;
  layKey(draft, field.jsonName, row);
  rows[row + Column.bit] = 1 << index;
  rows[row + Column.oneof] = field.oneof === undefined ? 0 : 1 << oneofs.indexOf(field.oneof);
  const isSingular = field.fieldKind === 'scalar' || field.fieldKind === 'enum';
  rows[row + Column.implicit] =
    isSingular && field.oneof === undefined && !field.proto.proto3Optional ? 1 : 0;
  const double = field.oneof?.fields.find((other) => valueType(other, hexFields).kind === Kind.double);
  const isWide = type.kind === Kind.integer && type.range >= Range.int64;
  rows[row + Column.double] = double && isWide ? start + fields.indexOf(double) * Column.count : 0;
  rows[row + Column.next] = start + ((index + 1) % fields.length) * Column.count;
  rows[row + Column.lengthBytes] = 1;
}

function listOf(field: DescField): number {
  if (field.fieldKind !== 'list') return List.none;
  return field.packed ? List.packed : List.tagged;
}

function subOf(draft: Draft, field: DescField, { kind }: ValueType): number {
  if (field.message !== undefined) return startOf(draft, field.message);
  if (kind === Kind.hex) return field.name === 'trace_id' ? 16 : 8;
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
