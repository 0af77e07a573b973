import type { DescEnum, DescExtension, DescField, DescMessage, ScalarType } from '@bufbuild/protobuf';
import { isWide, Kind, Mode, scalarKinds } from './kinds.ts';
import type { FieldPlan, Planner, PlanOptions, ValuePlan } from './plan.ts';

type AnyField = DescField | DescExtension;

/** Presence of a field, as in descriptors. */
const LEGACY_REQUIRED = 3;
const IMPLICIT = 2;

/** The fields of a message in order of number, with its extensions if there is a registry. */
export function planFields(desc: DescMessage, planner: Planner): readonly FieldPlan[] {
  const fields = desc.fields.map((field) => planField(field, planner));
  return [...fields, ...extensionsOf(desc, planner)].sort((a, b) => a.number - b.number);
}

function extensionsOf(desc: DescMessage, planner: Planner): readonly FieldPlan[] {
  const numbers = new Set(desc.fields.map(({ number }) => number));
  return planner
    .extensions(desc)
    .filter(({ number }) => !numbers.has(number) && numbers.add(number))
    .map((extension) => {
      const plan = planField(extension, planner);
      return { ...plan, mode: Mode.extension, innerMode: plan.mode, absent: '', required: false };
    });
}

function planField(field: AnyField, planner: Planner): FieldPlan {
  const { options } = planner;
  const value = valuePlan(field, planner);
  const mode = modeOf(field, options);
  const zero = zeroOf(field, value, options);
  const implicit = hasImplicitPresence(field);
  const key = keyOf(field, options);
  const keyKind = field.fieldKind === 'map' ? scalarOf(field.mapKey, field, options) : Kind.int32;
  return {
    ...value,
    name: field.name,
    number: field.number,
    mode,
    innerMode: mode,
    keyKind,
    key,
    absent: options.defaults && implicit ? `${key}${absentOf(field, zero)},` : '',
    zero,
    oneof: field.oneof === undefined ? 0 : field.parent.oneofs.indexOf(field.oneof) + 1,
    required: field.presence === LEGACY_REQUIRED,
  };
}

function keyOf(field: AnyField, { protoNames }: PlanOptions): string {
  const name = protoNames && field.kind === 'field' ? field.name : field.jsonName;
  return `${JSON.stringify(name)}:`;
}

function hasImplicitPresence(field: AnyField): boolean {
  if (field.fieldKind === 'list' || field.fieldKind === 'map') return true;
  return field.fieldKind !== 'message' && field.presence === IMPLICIT && field.oneof === undefined;
}

function modeOf(field: AnyField, { defaults }: PlanOptions): Mode {
  if (field.fieldKind === 'map') return Mode.map;
  if (field.fieldKind === 'list') return field.packed ? Mode.packed : Mode.list;
  if (field.fieldKind === 'enum' && !field.enum.open) return Mode.closed;
  return !defaults && hasImplicitPresence(field) ? Mode.implicit : Mode.one;
}

function valuePlan(field: AnyField, planner: Planner): ValuePlan {
  const { message, enum: type, scalar } = field;
  if (message !== undefined) {
    const value = planner.message(message, message.typeName === 'google.protobuf.Struct');
    const { number } = field;
    const delimited = field.fieldKind !== 'map' && field.delimitedEncoding === true;
    return delimited ? planner.group({ ...value, number }) : value;
  }
  if (type !== undefined) return enumOf(type, field, planner);
  return { kind: scalarOf(scalar as ScalarType, field, planner.options), sub: 0 };
}

function enumOf(type: DescEnum, field: AnyField, planner: Planner): ValuePlan {
  if (type.typeName === 'google.protobuf.NullValue') return { kind: Kind.null, sub: 0 };
  // closed enums need their list of values even if numbers are written
  const listed = !planner.options.enumsAsIntegers || (field.fieldKind === 'enum' && !type.open);
  return listed ? { kind: Kind.enum, sub: planner.enum(type) } : { kind: Kind.int32, sub: 0 };
}

function scalarOf(type: ScalarType, field: AnyField, options: PlanOptions): Kind {
  const kind = scalarKinds[type];
  if (kind === Kind.string)
    return options.replaceInvalidUtf8 || !field.utf8Validation ? Kind.text : Kind.string;
  if (kind !== Kind.bytes || field.parent === undefined) return kind;
  return options.hexFields.has(`${field.parent.typeName}.${field.name}`) ? Kind.hex : Kind.bytes;
}

function zeroOf(field: AnyField, { kind }: ValuePlan, options: PlanOptions): string {
  if (field.message !== undefined) return '';
  if (field.enum === undefined) return zeroText(kind, options);
  if (kind === Kind.null) return 'null';
  const { values } = field.enum;
  const number =
    field.kind === 'extension' && field.fieldKind === 'enum' ? field.getDefaultValue() : undefined;
  const zero = values.find((value) => value.number === number) ?? values[0];
  if (zero === undefined) return '0';
  return options.enumsAsIntegers ? `${zero.number}` : JSON.stringify(zero.jsonName);
}

/** JSON of a scalar's zero. */
export function zeroText(kind: Kind, options: PlanOptions): string {
  if (isWide(kind)) return options.safeIntegersAsNumbers ? '0' : '"0"';
  if (kind === Kind.bool) return 'false';
  return kind === Kind.string || kind === Kind.text || kind === Kind.bytes || kind === Kind.hex ? '""' : '0';
}

function absentOf(field: AnyField, zero: string): string {
  if (field.fieldKind === 'map') return '{}';
  return field.fieldKind === 'list' ? '[]' : zero;
}
