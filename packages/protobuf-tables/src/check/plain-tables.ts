import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { Kind, scalarKinds, wireOf } from '../plan/kinds.ts';
import { messagesIn } from '../plan/messages-in.ts';
import type { CheckRules } from './tables.ts';

/** Size of a field's row: eight columns of 32 bits. A message has a row for each number up to its highest. */
const ROW_BYTES = 32;
/** Bytes before a message's first row. */
const HEAD_BYTES = 16;
/** Keys are copied in steps of 16 bytes. */
const KEY_STEP = 16;

/** Columns of a row, 32 bits each. The row of a number without a field is zero. */
const column = { kind: 0, wire: 1, mode: 2, sub: 3, key: 4, keySize: 5, oneof: 6 } as const;
/** Columns before a message's first row: number of rows, whether it is an item, whether nesting is counted. */
const head = { numbers: -3, item: -2, nested: -1 } as const;
const modes = { one: 0, implicit: 1, list: 2 } as const;

/** Presence of a field, as in descriptors. */
const IMPLICIT = 2;

/** Tables for the walk in WebAssembly. */
export interface PlainTables {
  /** Must be copied to the address that they were built for. */
  readonly bytes: Uint8Array;
  /** Addresses of the messages. */
  readonly starts: ReadonlyMap<DescMessage, number>;
}

/** Builds tables of all messages for memory from `base` on. Undefined if the walk does not support the schema. */
export function buildPlainTables(rules: CheckRules, base: number): PlainTables | undefined {
  const messages = [...messagesIn(rules.messages)];
  if (messages.some(({ typeName, fields }) => isWellKnown(typeName) || !fields.every(isPlain)))
    return undefined;
  const starts = new Map<DescMessage, number>();
  let at = base;
  for (const message of messages) {
    starts.set(message, at + HEAD_BYTES);
    at += HEAD_BYTES + numbersOf(message) * ROW_BYTES;
  }
  const rows = new Int32Array((at - base) / 4);
  const keys: Buffer[] = [];
  for (const message of messages) {
    const start = ((starts.get(message) as number) - base) / 4;
    rows[start + head.numbers] = numbersOf(message);
    rows[start + head.item] = rules.items.has(message.typeName) ? 1 : 0;
    rows[start + head.nested] = message.typeName === rules.nested.typeName ? 1 : 0;
    for (const field of message.fields) {
      const key = Buffer.from(`${JSON.stringify(field.jsonName)}:`);
      const row = start + (field.number * ROW_BYTES) / 4;
      layField(rows.subarray(row, row + ROW_BYTES / 4), field, { rules, starts });
      rows[row + column.key] = at;
      rows[row + column.keySize] = key.length;
      keys.push(key, Buffer.alloc(paddedKey(key.length) - key.length));
      at += paddedKey(key.length);
    }
  }
  return { bytes: Buffer.concat([Buffer.from(rows.buffer), ...keys]), starts };
}

function layField(
  row: Int32Array,
  field: DescField,
  { rules, starts }: { readonly rules: CheckRules; readonly starts: ReadonlyMap<DescMessage, number> },
): void {
  const idBytes = rules.ids.get(`${field.parent.typeName}.${field.name}`);
  const kind = kindOf(field, idBytes !== undefined);
  const sub = field.message === undefined ? idBytes : starts.get(field.message);
  row[column.kind] = kind + 1;
  row[column.wire] = wireOf(kind);
  row[column.mode] = modes[modeOf(field)];
  row[column.sub] = sub ?? 0;
  row[column.oneof] = field.oneof === undefined ? 0 : 1 << field.parent.oneofs.indexOf(field.oneof);
}

function kindOf(field: DescField, isId: boolean): Kind {
  if (field.message !== undefined) return Kind.message;
  if (isId) return Kind.hex;
  return field.scalar === undefined ? Kind.int32 : scalarKinds[field.scalar];
}

function modeOf(field: DescField): keyof typeof modes {
  if (field.fieldKind === 'list') return 'list';
  const implicit = field.fieldKind !== 'message' && field.presence === IMPLICIT && field.oneof === undefined;
  return implicit ? 'implicit' : 'one';
}

/** Supports the fields of OTLP: no maps, groups, floats, closed enums or required fields. */
function isPlain(field: DescField): boolean {
  if (field.fieldKind === 'map' || field.parent.oneofs.length > 31) return false;
  if ('delimitedEncoding' in field && field.delimitedEncoding === true) return false;
  if (field.enum !== undefined && !field.enum.open) return false;
  if (field.presence === 3) return false;
  return field.scalar === undefined || scalarKinds[field.scalar] !== Kind.float;
}

/** Whether the message has its own JSON form. */
function isWellKnown(typeName: string): boolean {
  return typeName.startsWith('google.protobuf.');
}

function numbersOf({ fields }: DescMessage): number {
  return Math.max(0, ...fields.map(({ number }) => number)) + 1;
}

function paddedKey(size: number): number {
  return Math.ceil(size / KEY_STEP) * KEY_STEP;
}
