// The vocabulary of all tables. Walks compare these numbers once per value, and the engine folds constants only of the file that it
// compiles. So files on a hot path repeat the ones they need, each tied to its name here by the compiler: `case 4 satisfies typeof
// Kind.double` and `const ROW: typeof Column.count = 16` do not build when the number is another one.
import { ScalarType } from '@bufbuild/protobuf';

/** Kind of a value, on the wire and in JSON. A number, because it is looked up once per value. */
export const Kind = {
  string: 0,
  /** A string in which invalid UTF-8 is replaced. */
  text: 1,
  int32: 2,
  bool: 3,
  double: 4,
  int64: 5,
  enum: 6,
  uint32: 7,
  uint64: 8,
  float: 9,
  bytes: 10,
  /** Bytes written in hexadecimal. */
  hex: 11,
  fixed64: 12,
  sfixed64: 13,
  sint32: 14,
  sint64: 15,
  fixed32: 16,
  sfixed32: 17,
  /** google.protobuf.NullValue. */
  null: 18,
  /** The number in a google.protobuf.Value, which must be finite. */
  finite: 19,
  /** This kind and those after it are messages. */
  message: 20,
  /** A message between tags instead of after a length. The group table says which one. */
  group: 21,
  timestamp: 22,
  /** A message whose JSON is that of its only set field: wrappers, Struct, Value, ListValue. */
  bare: 23,
  duration: 24,
  fieldMask: 25,
  any: 26,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

export const scalarKinds: Readonly<Record<ScalarType, Kind>> = {
  [ScalarType.DOUBLE]: Kind.double,
  [ScalarType.FLOAT]: Kind.float,
  [ScalarType.INT64]: Kind.int64,
  [ScalarType.UINT64]: Kind.uint64,
  [ScalarType.INT32]: Kind.int32,
  [ScalarType.FIXED64]: Kind.fixed64,
  [ScalarType.FIXED32]: Kind.fixed32,
  [ScalarType.BOOL]: Kind.bool,
  [ScalarType.STRING]: Kind.string,
  [ScalarType.BYTES]: Kind.bytes,
  [ScalarType.UINT32]: Kind.uint32,
  [ScalarType.SFIXED32]: Kind.sfixed32,
  [ScalarType.SFIXED64]: Kind.sfixed64,
  [ScalarType.SINT32]: Kind.sint32,
  [ScalarType.SINT64]: Kind.sint64,
};

/** How a field is repeated on the wire. */
export const Mode = {
  /** Once. */
  one: 0,
  /** One tag for each value. */
  list: 1,
  /** All values after one length. */
  packed: 2,
  /** One entry for each tag. */
  map: 3,
  /** Once; not written if it is the zero of its type. */
  implicit: 4,
  /** Once, of a closed enum: unknown numbers count as absent. */
  closed: 5,
  /** Extensions: written after the fields, in order of arrival. */
  extension: 6,
  /** Never: the last row of a message. */
  never: 7,
} as const;
export type Mode = (typeof Mode)[keyof typeof Mode];

/** Wire types. */
export const Wire = { varint: 0, fixed64: 1, delimited: 2, startGroup: 3, endGroup: 4, fixed32: 5 } as const;

const WIRES = new Uint8Array(Object.keys(Kind).length).fill(Wire.delimited);
const INTEGERS_64: readonly number[] = [Kind.int64, Kind.uint64, Kind.sint64, Kind.fixed64, Kind.sfixed64];
const VARINTS: readonly number[] = [
  Kind.int32,
  Kind.bool,
  Kind.int64,
  Kind.enum,
  Kind.uint32,
  Kind.uint64,
  Kind.sint32,
  Kind.sint64,
  Kind.null,
];
for (const kind of VARINTS) WIRES[kind] = Wire.varint;
for (const kind of [Kind.fixed32, Kind.sfixed32, Kind.float]) WIRES[kind] = Wire.fixed32;
for (const kind of [Kind.fixed64, Kind.sfixed64, Kind.double, Kind.finite]) WIRES[kind] = Wire.fixed64;
WIRES[Kind.group] = Wire.startGroup;

/** The wire type of an unpacked value of this kind. */
export function wireOf(kind: number): number {
  return WIRES[kind] as number;
}

/** A bit for each kind of 64-bit integer. */
const WIDE = INTEGERS_64.reduce((bits, kind) => bits | (1 << kind), 0);

/** Whether this is a 64-bit integer, which is text in JSON. */
export function isWide(kind: number): boolean {
  return ((WIDE >> kind) & 1) === 1;
}
