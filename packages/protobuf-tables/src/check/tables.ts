import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { isWide, Kind, scalarKinds, Wire, wireOf } from '../plan/kinds.ts';
import type { MessageRules } from '../plan/message-rules.ts';
import { messagesIn } from '../plan/messages-in.ts';

/**
 * Columns of a tag's row. A message has a row for each tag up to its highest, so finding a row needs no search. The row of an
 * unknown tag is zero.
 */
export const Column = {
  /** The kind of a value, plus one. */
  kind: 0,
  /** For messages, their first row; for ids, their length. */
  sub: 1,
  /** JSON size of the field as a whole: key, colon, list brackets. */
  keySize: 2,
  /** Fixed part of the JSON size of each value. */
  valueSize: 3,
  /** Number of columns. */
  count: 4,
} as const;

/** Columns before a message's first row. */
export const Header = {
  /** Number of tags with rows. */
  tags: -1,
  /** 1 if the message is an item. */
  item: -2,
  /** 1 if its nesting depth is limited. */
  nested: -3,
  /** Number of columns. */
  count: 3,
} as const;

/** Tables for the walk. Messages are identified by indexes of `rows`; the first row is for unknown tags. */
export interface CheckTables {
  readonly rows: Int32Array;
  readonly starts: ReadonlyMap<DescMessage, number>;
}

/** Rules for checking and counting messages. */
export interface CheckRules extends MessageRules {
  /** Full names of counted messages. */
  readonly items: ReadonlySet<string>;
  /** Maximum nesting of unknown groups. */
  readonly maxGroups: number;
  readonly maxDepth: number;
}

/** Bytes around a value: quotes or braces, plus a comma. */
const TEXT_SIZE = 3;
/** Maximum size of a 32-bit number or a float, with the comma. */
const FIXED32_SIZE = 26;

interface Draft {
  readonly rows: Int32Array;
  readonly starts: ReadonlyMap<DescMessage, number>;
  readonly rules: CheckRules;
}

export function buildCheckTables(rules: CheckRules): CheckTables {
  const messages = messagesIn(rules.messages);
  const starts = new Map<DescMessage, number>();
  let size: number = Column.count;
  for (const message of messages) {
    starts.set(message, size + Header.count);
    size += Header.count + tagsOf(message) * Column.count;
  }
  const draft: Draft = { rows: new Int32Array(size), starts, rules };
  for (const message of messages) layMessage(draft, message);
  return { rows: draft.rows, starts };
}

function tagsOf(message: DescMessage): number {
  return (Math.max(0, ...message.fields.map(({ number }) => number)) + 1) << 3;
}

function layMessage(draft: Draft, message: DescMessage): void {
  const { rows, starts, rules } = draft;
  const start = starts.get(message) as number;
  rows[start + Header.tags] = tagsOf(message);
  rows[start + Header.item] = rules.items.has(message.typeName) ? 1 : 0;
  rows[start + Header.nested] = message.typeName === rules.nested.typeName ? 1 : 0;
  for (const field of message.fields) layField(draft, field, start);
}

function layField({ rows, starts, rules }: Draft, field: DescField, start: number): void {
  const name = `${field.parent.typeName}.${field.name}`;
  const isGroup = 'delimitedEncoding' in field && field.delimitedEncoding;
  if (field.fieldKind === 'map' || isGroup) throw new RangeError(`field "${name}" is a map or a group`);
  const keySize = field.jsonName.length + (field.fieldKind === 'list' ? 5 : 3);
  const lay = (wire: number, kind: Kind, sub = 0): void => {
    const row = start + ((field.number << 3) | wire) * Column.count;
    rows.set([kind + 1, sub, keySize, sizeOf(kind)], row);
  };
  const id = rules.ids.get(name);
  if (field.message !== undefined) lay(Wire.delimited, Kind.message, starts.get(field.message));
  else if (id !== undefined) lay(Wire.delimited, Kind.hex, id);
  else {
    const kind = field.scalar === undefined ? Kind.enum : scalarKinds[field.scalar];
    const wire = wireOf(kind);
    lay(wire, kind);
    // a list of numbers may come as single values or packed
    if (field.fieldKind === 'list' && wire !== Wire.delimited) lay(Wire.delimited, kind);
  }
}

/** Fixed part of a value's JSON size. */
function sizeOf(kind: Kind): number {
  if (kind === Kind.double) return 1;
  const wire = wireOf(kind);
  if (wire === Wire.fixed32) return FIXED32_SIZE;
  if (wire !== Wire.varint) return TEXT_SIZE;
  const size = kind === Kind.bool || isWide(kind) ? 4 : 2;
  return kind === Kind.sint32 || kind === Kind.sint64 ? size + 1 : size;
}
