import { type DescField, ScalarType } from '@bufbuild/protobuf';

/** What a value is in JSON. Numbers, because they are looked up once per value. */
export const Kind = {
  message: 0,
  string: 1,
  integer: 2,
  double: 3,
  bool: 4,
  enum: 5,
  bytes: 6,
  /** Bytes that JSON has in hexadecimal. */
  hex: 7,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

/** Which integers a field holds. */
export const Range = { int32: 0, uint32: 1, int64: 2, uint64: 3 } as const;
export type Range = (typeof Range)[keyof typeof Range];

/** How an integer travels. */
export const Form = { varint: 0, zigzag: 1, fixed32: 2, fixed64: 3 } as const;
export type Form = (typeof Form)[keyof typeof Form];

/** Wire types. */
export const Wire = { varint: 0, fixed64: 1, delimited: 2, fixed32: 5 } as const;
type Wire = (typeof Wire)[keyof typeof Wire];

/** What a value is, in JSON and on the wire. */
export interface ValueType {
  readonly kind: Kind;
  readonly wire: Wire;
  /** Of integers and enums. */
  readonly range: Range;
  readonly form: Form;
}

const { varint, fixed64, delimited, fixed32 } = Wire;
const other = (kind: Kind, wire: Wire): ValueType => ({ kind, wire, range: Range.int32, form: Form.varint });
const integer = (range: Range, form: Form, wire: Wire): ValueType => ({
  kind: Kind.integer,
  wire,
  range,
  form,
});

const MESSAGE = other(Kind.message, delimited);
const ENUM = other(Kind.enum, varint);
const HEX = other(Kind.hex, delimited);
const SCALARS: Readonly<Record<ScalarType, ValueType | undefined>> = {
  [ScalarType.STRING]: other(Kind.string, delimited),
  [ScalarType.BYTES]: other(Kind.bytes, delimited),
  [ScalarType.BOOL]: other(Kind.bool, varint),
  [ScalarType.DOUBLE]: other(Kind.double, fixed64),
  [ScalarType.FLOAT]: undefined,
  [ScalarType.INT32]: integer(Range.int32, Form.varint, varint),
  [ScalarType.UINT32]: integer(Range.uint32, Form.varint, varint),
  [ScalarType.SINT32]: integer(Range.int32, Form.zigzag, varint),
  [ScalarType.FIXED32]: integer(Range.uint32, Form.fixed32, fixed32),
  [ScalarType.SFIXED32]: integer(Range.int32, Form.fixed32, fixed32),
  [ScalarType.INT64]: integer(Range.int64, Form.varint, varint),
  [ScalarType.UINT64]: integer(Range.uint64, Form.varint, varint),
  [ScalarType.SINT64]: integer(Range.int64, Form.zigzag, varint),
  [ScalarType.FIXED64]: integer(Range.uint64, Form.fixed64, fixed64),
  [ScalarType.SFIXED64]: integer(Range.int64, Form.fixed64, fixed64),
};

/** What a field's values are. Throws a RangeError for what OTLP has nowhere: maps, floats, groups. */
export function valueType(field: DescField, hexFields: ReadonlySet<string>): ValueType {
  const { message, enum: enumeration, scalar } = field;
  const name = `${field.parent.typeName}.${field.name}`;
  if (hexFields.has(name)) return HEX;
  const group = 'delimitedEncoding' in field && field.delimitedEncoding;
  if (field.fieldKind === 'map' || group) throw new RangeError(`field "${name}" is a map or a group`);
  if (message !== undefined) return MESSAGE;
  if (enumeration !== undefined) return ENUM;
  const type = SCALARS[scalar as ScalarType];
  if (type === undefined) throw new RangeError(`field "${name}" is a float`);
  return type;
}
