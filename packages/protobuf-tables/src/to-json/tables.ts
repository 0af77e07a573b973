import { Kind, Mode, Wire, wireOf } from '../plan/kinds.ts';
import type { FieldPlan, MessagePlan, Plan } from '../plan/plan.ts';
import { Literals } from './literals.ts';

/** Columns of a field's row. Rows of a message are in order of number; a row with the number END ends them. */
export const Column = {
  /** The expected tag, as a number. */
  tag: 0,
  number: 1,
  kind: 2,
  mode: 3,
  /** The JSON key with its colon: position and size. */
  key: 4,
  keySize: 5,
  /** Text for the absent field. */
  absent: 6,
  absentSize: 7,
  /** Row of the message, index of the enum or of the group. */
  sub: 8,
  /** Maps: the kind of the keys. Extensions: the mode of the values. */
  keyKind: 9,
  /** Maps: the tag of the key in an entry. Others: 1 if the field is required. */
  keyTag: 10,
  required: 10,
  /** Wire type of one value. */
  wire: 11,
  /** One bit for the oneof. Oneofs of large messages may share a bit. */
  oneof: 12,
  /** The JSON of the type's zero. */
  zero: 13,
  zeroSize: 14,
  /** The number of the oneof in the message, from 1 on; 0 = none. */
  oneofNumber: 15,
  /** Number of columns. */
  count: 16,
} as const;

/** Columns before a message's first row. */
export const Header = {
  /** Number of rows, without the last one. */
  rows: -1,
  /** Whether the message has required fields. */
  required: -2,
  /** Text for a bare message with no field set. */
  unset: -3,
  unsetSize: -4,
  /** Number of columns. */
  count: 4,
} as const;

/** The number in the last row of a message. */
export const END = 0x7fffffff;

/** Tables for the conversion. Messages, enums and groups are identified by indexes of `rows`. */
export interface Tables {
  readonly rows: Int32Array;
  readonly literals: Float64Array;
  readonly rootKind: Kind;
  readonly rootSub: number;
  /** Maximum size of one step's output, without the part that depends on the input. */
  readonly margin: number;
  /** Maximum nesting of messages. */
  readonly maxDepth: number;
  /** Whether 64-bit integers are numbers if a double holds them exactly. */
  readonly safeIntegers: boolean;
  /** Whether absent fields without presence are written. */
  readonly defaults: boolean;
  /** Kind of strings that have no field: those in well-known types. */
  readonly textKind: Kind;
  /** Whether the root's JSON is under the key "value" inside Any. */
  readonly hasOwnForm: boolean;
  /** Name of the field of a row. */
  fieldName(row: number): string;
  /** The tables of a message inside an Any. */
  resolve(typeName: string): Tables | undefined;
}

/** Options that are part of the tables. */
export interface TableOptions {
  readonly defaults: boolean;
  readonly maxDepth: number;
  readonly safeIntegers: boolean;
  readonly replaceInvalidUtf8: boolean;
  readonly hasOwnForm: boolean;
  readonly resolve: (typeName: string) => Tables | undefined;
}

interface Draft {
  readonly plan: Plan;
  readonly starts: readonly number[];
  readonly enumStarts: readonly number[];
  readonly groupStarts: readonly number[];
  readonly rows: Int32Array;
  readonly literals: Literals;
  readonly fields: Map<number, FieldPlan>;
}

/** Builds rows of Int32 and literals from a plan. */
export function buildTables(plan: Plan, options: TableOptions): Tables {
  let size = 0;
  const place = (length: number, before = 0): number => {
    const at = size + before;
    size += length + before;
    return at;
  };
  const draft: Draft = {
    plan,
    starts: plan.messages.map(({ fields }) => place((fields.length + 1) * Column.count, Header.count)),
    enumStarts: plan.enums.map((values) => place(1 + values.length * 3)),
    groupStarts: plan.groups.map(() => place(3)),
    rows: new Int32Array(size),
    literals: new Literals(),
    fields: new Map(),
  };
  let margin = 0;
  for (const [index, message] of plan.messages.entries())
    margin = Math.max(margin, layMessage(draft, message, index));
  for (const index of plan.enums.keys()) margin = Math.max(margin, layEnum(draft, index));
  for (const [index, { kind, sub, number }] of plan.groups.entries()) {
    draft.rows.set([kind, subOf(draft, kind, sub), number], draft.groupStarts[index]);
  }
  const { fields, rows, literals } = draft;
  return {
    rows,
    literals: literals.words(),
    rootKind: plan.root.kind,
    rootSub: subOf(draft, plan.root.kind, plan.root.sub),
    margin: margin + 512,
    maxDepth: options.maxDepth,
    safeIntegers: options.safeIntegers,
    defaults: options.defaults,
    textKind: options.replaceInvalidUtf8 ? Kind.text : Kind.string,
    hasOwnForm: options.hasOwnForm,
    resolve: options.resolve,
    fieldName: (row) => fields.get(row)?.name ?? '',
  };
}

/** Returns the maximum size of the message's keys and defaults. */
function layMessage(draft: Draft, message: MessagePlan, index: number): number {
  const { rows, literals, starts, fields } = draft;
  const start = starts[index] as number;
  const unset = literals.add(message.unset);
  rows[start + Header.rows] = message.fields.length;
  rows[start + Header.required] = message.fields.some(({ required }) => required) ? 1 : 0;
  rows[start + Header.unset] = unset.word;
  rows[start + Header.unsetSize] = unset.size;
  let margin = unset.size;
  let row = start;
  for (const field of message.fields) {
    fields.set(row, field);
    margin += layField(draft, field, row);
    row += Column.count;
  }
  rows[row + Column.tag] = -1;
  rows[row + Column.number] = END;
  rows[row + Column.mode] = Mode.never; // senders can write -1 too
  return margin;
}

function layField(draft: Draft, field: FieldPlan, row: number): number {
  const { literals, rows } = draft;
  const key = literals.add(field.key);
  const absent = literals.add(field.absent);
  const zero = literals.add(field.zero);
  const wire = wireOf(field.kind);
  const mode = field.innerMode;
  const delimited = mode === Mode.packed || mode === Mode.map;
  rows[row + Column.tag] = (field.number << 3) | (delimited ? Wire.delimited : wire);
  rows[row + Column.number] = field.number;
  rows[row + Column.kind] = field.kind;
  rows[row + Column.mode] = field.mode;
  rows[row + Column.key] = key.word;
  rows[row + Column.keySize] = key.size;
  rows[row + Column.absent] = absent.word;
  rows[row + Column.absentSize] = absent.size;
  rows[row + Column.sub] = subOf(draft, field.kind, field.sub);
  rows[row + Column.keyKind] = field.mode === Mode.extension ? field.innerMode : field.keyKind;
  if (mode === Mode.map) rows[row + Column.keyTag] = 8 | wireOf(field.keyKind);
  else rows[row + Column.required] = field.required ? 1 : 0;
  rows[row + Column.wire] = wire;
  rows[row + Column.oneof] = field.oneof === 0 ? 0 : 1 << field.oneof;
  rows[row + Column.zero] = zero.word;
  rows[row + Column.zeroSize] = zero.size;
  rows[row + Column.oneofNumber] = field.oneof;
  return Math.max(key.size + zero.size, absent.size) + 8;
}

function layEnum({ rows, literals, enumStarts, plan }: Draft, index: number): number {
  const values = plan.enums[index] ?? [];
  const start = enumStarts[index] as number;
  let margin = 0;
  rows[start] = values.length;
  for (const [n, { number, text }] of values.entries()) {
    const { word, size } = literals.add(text);
    rows.set([number, word, size], start + 1 + n * 3);
    margin = Math.max(margin, size);
  }
  return margin;
}

function subOf(draft: Draft, kind: Kind, sub: number): number {
  if (kind === Kind.message || kind === Kind.bare) return draft.starts[sub] as number;
  if (kind === Kind.enum) return draft.enumStarts[sub] as number;
  return kind === Kind.group ? (draft.groupStarts[sub] as number) : 0;
}
