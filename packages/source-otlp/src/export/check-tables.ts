import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { hexFields } from '../model/hex-fields.ts';
import { messagesIn } from '../model/messages-in.ts';
import type { OtlpSchema } from '../model/otlp-schema.ts';
import { type SignalName, signalNames } from '../model/signals.ts';

/** What a tag announces. Those from `message` on have a length. */
export const Kind = {
  /** Nothing that the schema has: the value is passed over. */
  unknown: 0,
  varint: 1,
  fixed64: 2,
  double: 3,
  fixed32: 4,
  message: 5,
  string: 6,
  bytes: 7,
  id: 8,
  packedVarint: 9,
  packedFixed64: 10,
  packedDouble: 11,
  packedFixed32: 12,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

/** Columns of a tag's row. A message has one row for each tag up to its greatest, so that a row is found without a search. */
export const Column = {
  kind: 0,
  /** Messages: their first row. Ids: their length. */
  sub: 1,
  /** Bytes of JSON for the field as a whole: key, colon, brackets of a list. */
  keySize: 2,
  /** Bytes of JSON for each value, besides those that depend on it. */
  valueSize: 3,
  /** Behind the last column. */
  count: 4,
} as const;

/** Columns before a message's first row. */
export const Header = {
  /** How many tags have rows. */
  tags: -1,
  /** 1 if the message is an item. */
  item: -2,
  /** 1 if it is an AnyValue. */
  anyValue: -3,
  /** Behind the last column. */
  count: 3,
} as const;

/** What the walk goes by. Places of messages are indexes of `rows`, whose first row is that of unknown tags. */
export interface CheckTables {
  readonly rows: Int32Array;
  readonly roots: Readonly<Record<SignalName, number>>;
}

const ANY_VALUE = 'opentelemetry.proto.common.v1.AnyValue';
const ITEMS: ReadonlySet<string> = new Set([
  'opentelemetry.proto.trace.v1.Span',
  'opentelemetry.proto.metrics.v1.NumberDataPoint',
  'opentelemetry.proto.metrics.v1.HistogramDataPoint',
  'opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint',
  'opentelemetry.proto.metrics.v1.SummaryDataPoint',
  'opentelemetry.proto.logs.v1.LogRecord',
  'opentelemetry.proto.profiles.v1development.Profile',
]);

/** Quotes and the comma behind a value, or braces and it. */
const TEXT_SIZE = 3;
/** Most bytes of a number of 32 bits, or of a float, and the comma. */
const FIXED32_SIZE = 26;

/** How scalars are read, and what their JSON has besides the digits that the walk counts. */
interface ScalarRow {
  readonly kind: Kind;
  /** When several stand behind one length. */
  readonly packed: Kind;
  readonly valueSize: number;
}

const narrow: ScalarRow = { kind: Kind.varint, packed: Kind.packedVarint, valueSize: 2 };
const wide: ScalarRow = { ...narrow, valueSize: 4 };
const fixed64: ScalarRow = { kind: Kind.fixed64, packed: Kind.packedFixed64, valueSize: TEXT_SIZE };
const fixed32: ScalarRow = { kind: Kind.fixed32, packed: Kind.packedFixed32, valueSize: FIXED32_SIZE };

const scalarRows: Readonly<Record<ScalarType, ScalarRow>> = {
  [ScalarType.INT32]: narrow,
  [ScalarType.UINT32]: narrow,
  [ScalarType.SINT32]: { ...narrow, valueSize: 3 },
  [ScalarType.BOOL]: { ...narrow, valueSize: 4 },
  [ScalarType.INT64]: wide,
  [ScalarType.UINT64]: wide,
  [ScalarType.SINT64]: { ...wide, valueSize: 5 },
  [ScalarType.FIXED64]: fixed64,
  [ScalarType.SFIXED64]: fixed64,
  [ScalarType.DOUBLE]: { kind: Kind.double, packed: Kind.packedDouble, valueSize: 1 },
  [ScalarType.FIXED32]: fixed32,
  [ScalarType.SFIXED32]: fixed32,
  [ScalarType.FLOAT]: fixed32,
  [ScalarType.STRING]: { kind: Kind.string, packed: Kind.unknown, valueSize: TEXT_SIZE },
  [ScalarType.BYTES]: { kind: Kind.bytes, packed: Kind.unknown, valueSize: TEXT_SIZE },
};

/** Wire type of a length. */
const DELIMITED = 2;
/** Wire types of single values. */
const wireTypes: Readonly<Partial<Record<Kind, number>>> = {
  [Kind.varint]: 0,
  [Kind.fixed64]: 1,
  [Kind.double]: 1,
  [Kind.fixed32]: 5,
};

interface Draft {
  readonly rows: Int32Array;
  readonly starts: ReadonlyMap<DescMessage, number>;
  readonly hexFields: ReadonlySet<string>;
}

/** Lays out all messages of export requests. */
export function buildCheckTables(schema: Pick<OtlpSchema, 'request'>): CheckTables {
  const messages = messagesIn(signalNames.map(schema.request));
  const starts = new Map<DescMessage, number>();
  let size: number = Column.count;
  for (const message of messages) {
    starts.set(message, size + Header.count);
    size += Header.count + tagsOf(message) * Column.count;
  }
  const draft: Draft = { rows: new Int32Array(size), starts, hexFields: hexFields(schema) };
  for (const message of messages) layMessage(draft, message);
  const root = (signal: SignalName): number => starts.get(schema.request(signal)) as number;
  return {
    rows: draft.rows,
    roots: {
      traces: root('traces'),
      metrics: root('metrics'),
      logs: root('logs'),
      profiles: root('profiles'),
    },
  };
}

function tagsOf(message: DescMessage): number {
  return (Math.max(0, ...message.fields.map(({ number }) => number)) + 1) << 3;
}

function layMessage(draft: Draft, message: DescMessage): void {
  const { rows, starts } = draft;
  const start = starts.get(message) as number;
  rows[start + Header.tags] = tagsOf(message);
  rows[start + Header.item] = ITEMS.has(message.typeName) ? 1 : 0;
  rows[start + Header.anyValue] = message.typeName === ANY_VALUE ? 1 : 0;
  for (const field of message.fields) layField(draft, field, start);
}

function layField(draft: Draft, field: DescField, start: number): void {
  const { rows, starts, hexFields: ids } = draft;
  const keySize = field.jsonName.length + (field.fieldKind === 'list' ? 5 : 3);
  const lay = (wireType: number, kind: Kind, sub: number, valueSize: number): void => {
    rows.set([kind, sub, keySize, valueSize], start + ((field.number << 3) | wireType) * Column.count);
  };
  if (field.message !== undefined) {
    lay(DELIMITED, Kind.message, starts.get(field.message) as number, TEXT_SIZE);
  } else if (ids.has(`${field.parent.typeName}.${field.name}`)) {
    lay(DELIMITED, Kind.id, field.name === 'trace_id' ? 16 : 8, TEXT_SIZE);
  } else {
    const { kind, packed, valueSize } = field.enum === undefined ? scalarRows[scalarOf(field)] : narrow;
    lay(wireTypes[kind] ?? DELIMITED, kind, 0, valueSize);
    if (field.fieldKind === 'list' && packed !== Kind.unknown) lay(DELIMITED, packed, 0, valueSize);
  }
}

function scalarOf(field: DescField): ScalarType {
  if (field.scalar === undefined) throw new Error(`no check for ${field.toString()}`);
  return field.scalar;
}
