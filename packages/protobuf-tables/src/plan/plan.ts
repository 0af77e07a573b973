import type { DescEnum, DescExtension, DescMessage, Registry } from '@bufbuild/protobuf';
import { planFields } from './field-plan.ts';
import { Kind, type Mode } from './kinds.ts';
import { wellKnown } from './well-known-types.ts';

export interface PlanOptions {
  readonly defaults: boolean;
  readonly protoNames: boolean;
  readonly enumsAsIntegers: boolean;
  readonly safeIntegersAsNumbers: boolean;
  readonly hexFields: ReadonlySet<string>;
  readonly replaceInvalidUtf8: boolean;
  /** Where extensions are found. */
  readonly registry: Registry | undefined;
}

/** The kind of a value. `sub` is the index of its message, enum or group in the plan. */
export interface ValuePlan {
  readonly kind: Kind;
  readonly sub: number;
}

/** A field as plain data: its wire form and its JSON. */
export interface FieldPlan extends ValuePlan {
  readonly name: string;
  readonly number: number;
  readonly mode: Mode;
  /** The mode of an extension's values. */
  readonly innerMode: Mode;
  /** The kind of a map's keys. */
  readonly keyKind: Kind;
  /** The JSON key with its colon. */
  readonly key: string;
  /** Text for the absent field: key, default and comma, or empty. */
  readonly absent: string;
  /** The JSON of the type's zero; empty for messages. */
  readonly zero: string;
  /** The oneof that the field belongs to, from 1 on; 0 = none. */
  readonly oneof: number;
  readonly required: boolean;
}

/** A message as plain data, fields in order of number. */
export interface MessagePlan {
  readonly name: string;
  readonly fields: readonly FieldPlan[];
  /** JSON of a bare message with no field set; empty if that is an error. */
  readonly unset: string;
}

/** A message between tags, and the field number that its end tag repeats. */
export interface GroupPlan extends ValuePlan {
  readonly number: number;
}

/** One value of an enum; `text` is its JSON. */
export interface EnumValuePlan {
  readonly number: number;
  readonly text: string;
}

/** A message and all that it refers to, as plain data. */
export interface Plan {
  readonly root: ValuePlan;
  readonly messages: readonly MessagePlan[];
  readonly enums: readonly (readonly EnumValuePlan[])[];
  readonly groups: readonly GroupPlan[];
}

/** Access to the rest of the plan while a field is planned. */
export interface Planner {
  readonly options: PlanOptions;
  /** The index of the message `id`. `make` is called later, once per id. */
  place(id: DescMessage | string, make: () => MessagePlan): number;
  /** `lenient`: in a Struct, a Value without a kind counts as null. */
  message(desc: DescMessage, lenient: boolean): ValuePlan;
  enum(desc: DescEnum): number;
  /** The message's extensions that the registry has. */
  extensions(desc: DescMessage): readonly DescExtension[];
  group(plan: GroupPlan): ValuePlan;
}

/** Plans a message's wire form and its JSON. Each message and enum is planned once. */
export function makePlan(root: DescMessage, options: PlanOptions): Plan {
  const ids = new Map<DescMessage | string, number>();
  const makers: (() => MessagePlan)[] = [];
  const enums = new Map<DescEnum, number>();
  const groups: GroupPlan[] = [];
  const extensions = Map.groupBy(extensionsIn(options.registry), ({ extendee }) => extendee.typeName);
  const planner: Planner = {
    options,
    place: (id, make) => {
      const known = ids.get(id);
      if (known !== undefined) return known;
      ids.set(id, makers.length);
      return makers.push(make) - 1;
    },
    message: (desc, lenient) =>
      wellKnown({ typeName: desc.typeName, lenient, planner }) ?? {
        kind: Kind.message,
        sub: planner.place(desc, () => ({
          name: desc.typeName,
          fields: planFields(desc, planner),
          unset: '{}',
        })),
      },
    enum: (desc) => {
      const index = enums.get(desc) ?? enums.size;
      enums.set(desc, index);
      return index;
    },
    extensions: ({ typeName }) => extensions.get(typeName) ?? [],
    group: (plan) => ({ kind: Kind.group, sub: groups.push(plan) - 1 }),
  };
  const value = planner.message(root, false);
  const messages: MessagePlan[] = [];
  // planning one message may add others after it
  for (let next = makers[0]; next !== undefined; next = makers[messages.length]) messages.push(next());
  return {
    root: value,
    messages,
    enums: [...enums.keys()].map((desc) => planEnum(desc, options.enumsAsIntegers)),
    groups,
  };
}

function extensionsIn(registry: Registry | undefined): readonly DescExtension[] {
  return [...(registry ?? [])].filter((type) => type.kind === 'extension');
}

function planEnum(desc: DescEnum, asIntegers: boolean): readonly EnumValuePlan[] {
  const seen = new Set<number>();
  // if a number has several names, the first one is written
  return desc.values
    .filter(({ number }) => !seen.has(number) && seen.add(number))
    .map(({ number, jsonName }) => ({
      number,
      text: asIntegers ? `${number}` : JSON.stringify(jsonName),
    }));
}
