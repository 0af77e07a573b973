import { create } from '@bufbuild/protobuf';
import {
  Edition,
  type EnumValueOptions,
  EnumValueOptionsSchema,
  FeatureSet_EnumType,
  FeatureSet_FieldPresence,
  FeatureSet_MessageEncoding,
  FeatureSet_RepeatedFieldEncoding,
  FeatureSet_Utf8Validation,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt';
import { fieldNames } from './random-names.ts';
import type { RandomSource } from './random-source.ts';
import { WELL_KNOWN_TYPES, WKT_FILES } from './well-known-files.ts';
import { append, type Bytes, LEN, putTag, putVarint } from './wire-bytes.ts';

/** Features that a schema may have. Default: all. */
export interface SchemaLimits {
  readonly syntax?: 'proto2' | 'proto3' | 'editions';
  /** Well-known types as fields. */
  readonly wellKnownTypes?: readonly string[];
  readonly groups?: boolean;
  readonly extensions?: boolean;
  /** Closed enums, whose unknown numbers are not values. */
  readonly closedEnums?: boolean;
  /** Enums with two names for a number. */
  readonly aliases?: boolean;
  readonly required?: boolean;
  /** JSON names that occur only in tests: control characters, array indexes. */
  readonly oddJsonNames?: boolean;
}

export interface FieldInit {
  readonly name?: string;
  readonly number?: number;
  readonly jsonName?: string;
  readonly label?: Label;
  readonly type?: Type;
  readonly typeName?: string;
  readonly extendee?: string;
  readonly oneofIndex?: number;
  readonly proto3Optional?: boolean;
  readonly options?: FieldOptionsInit;
}

interface FieldOptionsInit {
  readonly packed?: boolean;
  readonly features?: {
    readonly fieldPresence?: FeatureSet_FieldPresence;
    readonly repeatedFieldEncoding?: FeatureSet_RepeatedFieldEncoding;
    readonly messageEncoding?: FeatureSet_MessageEncoding;
  };
}

export interface MessageInit {
  readonly name: string;
  readonly field: FieldInit[];
  nestedType?: MessageInit[];
  readonly oneofDecl?: { readonly name: string }[];
  readonly extensionRange?: { readonly start: number; readonly end: number }[];
  readonly options?: { readonly mapEntry: boolean };
}

const KEY_TYPES = [
  Type.INT32,
  Type.INT64,
  Type.UINT32,
  Type.UINT64,
  Type.SINT32,
  Type.SINT64,
  Type.FIXED32,
  Type.FIXED64,
  Type.SFIXED32,
  Type.SFIXED64,
  Type.BOOL,
  Type.STRING,
];
const SCALARS = [...KEY_TYPES, Type.BYTES, Type.DOUBLE, Type.FLOAT];
const INT32_MIN = -2147483648;

const ENUM_JSON_NAMES = ['short', 'with "quotes"', 'ünï', '', '\u2028', '12'];

/** The option `(pb.enumvalue.json).string`, which gives an enum value another JSON name. */
function jsonNameOption(text: string): EnumValueOptions {
  const content: Bytes = [];
  putTag(content, 1, LEN);
  const name = new TextEncoder().encode(text);
  putVarint(content, name.length);
  append(content, name);
  const data: Bytes = [];
  putVarint(data, content.length);
  append(data, content);
  const options = create(EnumValueOptionsSchema);
  options.$unknown = [{ no: 998, wireType: LEN, data: Uint8Array.from(data) }];
  return options;
}

/** An enum, and where it may be used. */
interface EnumRow {
  readonly name: string;
  readonly closed: boolean;
  readonly firstIsZero: boolean;
}

/** Draws one file: first the names of its types, then their contents, so that they can refer to each other. */
export class SchemaWriter {
  private readonly random: RandomSource;
  private readonly limits: SchemaLimits;
  private readonly syntax: 'proto2' | 'proto3' | 'editions';
  private readonly packageName: string;
  private readonly messages: string[] = [];
  private readonly enums: EnumRow[] = [];

  constructor(random: RandomSource, limits: SchemaLimits) {
    this.random = random;
    this.limits = limits;
    this.syntax = limits.syntax ?? random.pick(['proto3', 'proto3', 'proto3', 'proto2', 'editions']);
    this.packageName = random.pick(['', 'p', 'some.pkg.v1']);
  }

  file() {
    const enumTypes = Array.from({ length: 1 + this.random.below(3) }, (_, index) => this.enumType(index));
    const nestedIn = this.nameMessages(1 + this.random.below(4));
    const drawn = nestedIn.map((_, index) => this.message(index));
    for (const [index, message] of drawn.entries())
      drawn[nestedIn[index] as number]?.nestedType?.push(message);
    return {
      name: 'random.proto',
      package: this.packageName,
      syntax: this.syntax,
      ...(this.syntax === 'editions' ? { edition: Edition.EDITION_2023 } : {}),
      dependency: WKT_FILES.map((wkt) => wkt.proto.name),
      messageType: drawn.filter((_, index) => nestedIn[index] === -1),
      enumType: enumTypes,
      extension: this.extensions(),
      options: this.syntax === 'editions' ? { features: this.fileFeatures() } : {},
    };
  }

  /** Draws the parent of each message, -1 for none, and fills the list of full names. */
  private nameMessages(count: number): number[] {
    return Array.from({ length: count }, (_, index) => {
      const parent = index > 0 && this.random.chance(0.4) ? this.random.below(index) : -1;
      const scope =
        parent >= 0 ? this.messages[parent] : this.packageName === '' ? '' : `.${this.packageName}`;
      this.messages.push(`${scope}.M${index}`);
      return parent;
    });
  }

  private fileFeatures() {
    const { random } = this;
    return {
      fieldPresence: random.pick([FeatureSet_FieldPresence.EXPLICIT, FeatureSet_FieldPresence.IMPLICIT]),
      repeatedFieldEncoding: random.pick([
        FeatureSet_RepeatedFieldEncoding.PACKED,
        FeatureSet_RepeatedFieldEncoding.EXPANDED,
      ]),
      utf8Validation: FeatureSet_Utf8Validation.VERIFY,
      messageEncoding: this.messageEncoding(),
    };
  }

  private messageEncoding() {
    const delimited = this.limits.groups !== false && this.random.chance(0.3);
    return delimited ? FeatureSet_MessageEncoding.DELIMITED : FeatureSet_MessageEncoding.LENGTH_PREFIXED;
  }

  private enumType(index: number) {
    const { random } = this;
    const mayClose = this.limits.closedEnums !== false;
    const closed =
      this.syntax === 'proto2' ? true : this.syntax === 'editions' && mayClose && random.chance(0.5);
    const firstIsZero = !closed || !mayClose || random.chance(0.6);
    const pool = [1, 2, 3, 4, 5, 10, 127, 128, 1000, -1, -5, 2147483647, INT32_MIN, random.bits() | 0];
    const numbers = random.shuffled([...new Set(pool)]).slice(0, random.below(8));
    if (firstIsZero) numbers.unshift(0);
    if (numbers.length === 0) numbers.push(7);
    const aliased = this.limits.aliases !== false && random.chance(0.3);
    if (aliased) numbers.push(random.pick(numbers));
    const name = `E${index}`;
    const named = this.limits.oddJsonNames !== false && random.chance(0.1);
    const row = {
      name: this.packageName === '' ? `.${name}` : `.${this.packageName}.${name}`,
      closed,
      firstIsZero,
    };
    this.enums.push(row);
    const features =
      this.syntax === 'editions'
        ? { features: { enumType: closed ? FeatureSet_EnumType.CLOSED : FeatureSet_EnumType.OPEN } }
        : {};
    return {
      name,
      value: numbers.map((number, at) => ({
        name: `${name}_${'V'.repeat(1 + random.below(12))}${at}`,
        number,
        options:
          named && random.chance(0.5)
            ? jsonNameOption(`${random.pick(ENUM_JSON_NAMES)}${at}`)
            : create(EnumValueOptionsSchema),
      })),
      options: { ...features, ...(aliased ? { allowAlias: true } : {}) },
    };
  }

  private message(index: number): MessageInit {
    const { random } = this;
    const names = fieldNames(random, this.limits.oddJsonNames === false ? 0 : 0.06);
    const numbers = this.numbers(random.chance(0.05) ? 60 : random.below(13));
    const nested: MessageInit[] = [];
    const fields: FieldInit[] = [];
    const oneofs: string[] = [];
    const oneofShare = random.pick([0.25, 0.25, 0.9]);
    const apart = random.pick([0.3, 0.3, 1]); // sometimes more oneofs than a word has bits
    for (const number of numbers) {
      const name = names.next();
      const base = { name, number, jsonName: names.jsonName(name), label: Label.OPTIONAL };
      if (random.chance(0.1)) fields.push(this.mapField(base, this.messages[index] as string, nested));
      else if (random.chance(0.2)) fields.push({ ...base, ...this.repeatedField() });
      else if (random.chance(oneofShare)) {
        const alone = oneofs.length === 0 || random.chance(apart);
        if (alone) oneofs.push(names.next());
        const oneofIndex = alone ? oneofs.length - 1 : random.below(oneofs.length);
        fields.push({ ...base, ...this.single(), oneofIndex });
      } else fields.push({ ...base, ...this.singular() });
    }
    return this.withSyntheticOneofs({
      name: `M${index}`,
      field: fields,
      nestedType: nested,
      oneofDecl: oneofs.map((name) => ({ name })),
      extensionRange: this.syntax === 'proto3' ? [] : [{ start: 5000, end: 6000 }],
    });
  }

  /** proto3 optional fields are members of a synthetic oneof each, after all other oneofs. */
  private withSyntheticOneofs(message: MessageInit): MessageInit {
    const oneofDecl = [...(message.oneofDecl ?? [])];
    const field = message.field.map((init) => {
      if (init.proto3Optional !== true) return init;
      oneofDecl.push({ name: `_opt_${oneofDecl.length}` });
      return { ...init, oneofIndex: oneofDecl.length - 1 };
    });
    return { ...message, field, oneofDecl };
  }

  /** Distinct field numbers, usually not in the order of declaration. */
  private numbers(count: number): number[] {
    const { random } = this;
    const numbers = new Set<number>();
    const wide = random.chance(0.3);
    for (let next = 1; numbers.size < count; next += 1 + (random.chance(0.2) ? random.below(20) : 0)) {
      const number = wide ? 1 + Math.floor(2 ** ((random.bits() / 4294967296) * 29)) : next;
      const reserved = (number >= 19_000 && number < 20_000) || (number >= 5000 && number < 6000);
      if (!reserved && number < 2 ** 29) numbers.add(number);
    }
    if (count > 0 && random.chance(0.1)) numbers.add(2 ** 29 - 1);
    const list = [...numbers].sort((a, b) => a - b);
    return random.chance(0.4) ? random.shuffled(list) : list;
  }

  private singular(): FieldInit {
    const { random } = this;
    const field = this.single();
    const isMessage = field.type === Type.MESSAGE || field.type === Type.GROUP;
    const closed = this.enums.some((row) => row.name === field.typeName && row.closed);
    const mayRequire = this.limits.required !== false && field.type !== Type.MESSAGE && random.chance(0.03);
    if (this.syntax === 'proto3') return { ...field, proto3Optional: !isMessage && random.chance(0.25) };
    if (this.syntax === 'proto2') return mayRequire ? { ...field, label: Label.REQUIRED } : field;
    if (isMessage) return field;
    const { EXPLICIT, IMPLICIT, LEGACY_REQUIRED } = FeatureSet_FieldPresence;
    const fieldPresence = mayRequire
      ? LEGACY_REQUIRED
      : closed
        ? EXPLICIT
        : random.pick([EXPLICIT, IMPLICIT, 0]);
    return { ...field, options: { ...field.options, features: { fieldPresence } } };
  }

  private repeatedField(): FieldInit {
    const { random } = this;
    const field: FieldInit = { ...this.single(), label: Label.REPEATED };
    const text = field.type === Type.STRING || field.type === Type.BYTES;
    if (text || field.type === Type.MESSAGE || field.type === Type.GROUP || random.chance(0.5)) return field;
    const packed = random.chance(0.5);
    if (this.syntax !== 'editions') return { ...field, options: { packed } };
    const { PACKED, EXPANDED } = FeatureSet_RepeatedFieldEncoding;
    return { ...field, options: { features: { repeatedFieldEncoding: packed ? PACKED : EXPANDED } } };
  }

  /** Type of one value. */
  private single(): FieldInit {
    const { random } = this;
    const kind = random.below(20);
    if (kind < 12) return { type: random.pick(SCALARS) };
    if (kind < 14) return this.enumValue(() => true);
    const wkts = this.limits.wellKnownTypes ?? WELL_KNOWN_TYPES;
    const typeName = kind < 17 && wkts.length > 0 ? `.${random.pick(wkts)}` : random.pick(this.messages);
    const grouped = this.limits.groups !== false && random.chance(0.15);
    if (this.syntax === 'proto2' && grouped) return { type: Type.GROUP, typeName };
    if (this.syntax !== 'editions' || !grouped) return { type: Type.MESSAGE, typeName };
    return {
      type: Type.MESSAGE,
      typeName,
      options: { features: { messageEncoding: this.messageEncoding() } },
    };
  }

  private enumValue(usable: (row: EnumRow) => boolean): FieldInit {
    const wellKnown = this.limits.wellKnownTypes ?? WELL_KNOWN_TYPES;
    if (wellKnown.includes('google.protobuf.Value') && this.random.chance(0.05)) {
      return { type: Type.ENUM, typeName: '.google.protobuf.NullValue' };
    }
    const rows = this.enums.filter(usable);
    return rows.length === 0
      ? { type: Type.INT32 }
      : { type: Type.ENUM, typeName: this.random.pick(rows).name };
  }

  private mapField(base: FieldInit, parent: string, nested: MessageInit[]): FieldInit {
    const { random } = this;
    const drawn = random.chance(0.2) ? this.enumValue((row) => row.firstIsZero) : this.single();
    const unusable =
      drawn.type === Type.GROUP || (drawn.type === Type.ENUM && !this.startsAtZero(drawn.typeName));
    const value: FieldInit = unusable ? { type: Type.STRING } : { ...drawn, options: {} };
    const name = `Map${nested.length}Entry`;
    nested.push({
      name,
      options: { mapEntry: true },
      field: [
        { name: 'key', number: 1, jsonName: 'key', label: Label.OPTIONAL, type: random.pick(KEY_TYPES) },
        { name: 'value', number: 2, jsonName: 'value', label: Label.OPTIONAL, ...value },
      ],
    });
    return { ...base, label: Label.REPEATED, type: Type.MESSAGE, typeName: `${parent}.${name}` };
  }

  private startsAtZero(enumName: string | undefined): boolean {
    const row = this.enums.find(({ name }) => name === enumName);
    return row === undefined || row.firstIsZero;
  }

  private extensions(): FieldInit[] {
    if (this.syntax === 'proto3' || this.limits.extensions === false) return [];
    return Array.from({ length: this.random.below(3) }, (_, index) => ({
      name: `ext_${index}`,
      number: 5000 + index,
      extendee: this.random.pick(this.messages),
      label: Label.OPTIONAL,
      ...(this.random.chance(0.3) ? this.repeatedField() : this.single()),
    }));
  }
}
