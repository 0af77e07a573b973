import { zeroText } from './field-plan.ts';
import { Kind, Mode } from './kinds.ts';
import type { FieldPlan, MessagePlan, Planner, ValuePlan } from './plan.ts';

/** Types whose JSON is a text, or depends on their content. */
const SPECIAL: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['google.protobuf.Timestamp', Kind.timestamp],
  ['google.protobuf.Duration', Kind.duration],
  ['google.protobuf.FieldMask', Kind.fieldMask],
  ['google.protobuf.Any', Kind.any],
]);

const WRAPPED: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['google.protobuf.DoubleValue', Kind.double],
  ['google.protobuf.FloatValue', Kind.float],
  ['google.protobuf.Int64Value', Kind.int64],
  ['google.protobuf.UInt64Value', Kind.uint64],
  ['google.protobuf.Int32Value', Kind.int32],
  ['google.protobuf.UInt32Value', Kind.uint32],
  ['google.protobuf.BoolValue', Kind.bool],
  ['google.protobuf.StringValue', Kind.string],
  ['google.protobuf.BytesValue', Kind.bytes],
]);

/** A use of a well-known type. `lenient`: in a Struct, a Value without a kind counts as null. */
interface Use {
  readonly typeName: string;
  readonly lenient: boolean;
  readonly planner: Planner;
}

/** Whether this message has its own JSON form, so that Any holds it under the key "value". */
export function hasOwnForm(typeName: string): boolean {
  return SPECIAL.has(typeName) || WRAPPED.has(typeName) || BARE.has(typeName);
}

/** The value plan of a type with its own JSON form; undefined for other messages. */
export function wellKnown(use: Use): ValuePlan | undefined {
  const { typeName, planner } = use;
  const special = SPECIAL.get(typeName);
  if (special !== undefined) return { kind: special, sub: 0 };
  const wrapped = WRAPPED.get(typeName);
  const make = wrapped === undefined ? BARE.get(typeName) : () => wrapper(typeName, wrapped, planner);
  if (make === undefined) return undefined;
  const id = use.lenient ? `${typeName} lenient` : typeName;
  return { kind: Kind.bare, sub: planner.place(id, () => make(use)) };
}

function wrapper(name: string, wrapped: Kind, planner: Planner): MessagePlan {
  const { options } = planner;
  const kind =
    wrapped === Kind.string
      ? stringKind(planner)
      : wrapped === Kind.bytes
        ? bytesKind(name, planner)
        : wrapped;
  return { name, fields: [row({ name: 'value', number: 1, kind, sub: 0 })], unset: zeroText(kind, options) };
}

function stringKind({ options }: Planner): Kind {
  return options.replaceInvalidUtf8 ? Kind.text : Kind.string;
}

function bytesKind(name: string, { options }: Planner): Kind {
  return options.hexFields.has(`${name}.value`) ? Kind.hex : Kind.bytes;
}

/** The types of google/protobuf/struct.proto. They never change, so descriptors are not needed. */
const BARE: ReadonlyMap<string, (use: Use) => MessagePlan> = new Map([
  [
    'google.protobuf.Struct',
    (use: Use): MessagePlan => ({
      name: use.typeName,
      fields: [
        row({
          name: 'fields',
          number: 1,
          mode: Mode.map,
          keyKind: stringKind(use.planner),
          ...planOther(use, 'Value'),
        }),
      ],
      unset: '{}',
    }),
  ],
  [
    'google.protobuf.ListValue',
    (use: Use): MessagePlan => ({
      name: use.typeName,
      fields: [row({ name: 'values', number: 1, mode: Mode.list, ...planOther(use, 'Value') })],
      unset: '[]',
    }),
  ],
  [
    'google.protobuf.Value',
    (use: Use): MessagePlan => ({
      name: use.typeName,
      fields: [
        row({ name: 'null_value', number: 1, kind: Kind.null, sub: 0, oneof: 1 }),
        row({ name: 'number_value', number: 2, kind: Kind.finite, sub: 0, oneof: 1 }),
        row({ name: 'string_value', number: 3, kind: stringKind(use.planner), sub: 0, oneof: 1 }),
        row({ name: 'bool_value', number: 4, kind: Kind.bool, sub: 0, oneof: 1 }),
        row({ name: 'struct_value', number: 5, ...planOther(use, 'Struct'), oneof: 1 }),
        row({ name: 'list_value', number: 6, ...planOther(use, 'ListValue'), oneof: 1 }),
      ],
      unset: use.lenient ? 'null' : '',
    }),
  ],
]);

function planOther(use: Use, name: string): ValuePlan {
  return wellKnown({ ...use, typeName: `google.protobuf.${name}` }) as ValuePlan;
}

function row(
  field: Partial<FieldPlan> & ValuePlan & { readonly name: string; readonly number: number },
): FieldPlan {
  return {
    mode: Mode.one,
    innerMode: field.mode ?? Mode.one,
    keyKind: Kind.int32,
    key: '',
    absent: '',
    zero: '',
    oneof: 0,
    required: false,
    ...field,
  };
}
