import { conversionFailed } from '@levada/connect-runtime-core/converter';

/** Names of Avro's primitive types (Avro specification 1.11, "Primitive Types"). */
export const primitives = ['null', 'boolean', 'int', 'long', 'float', 'double', 'bytes', 'string'] as const;

export type AvroPrimitive = (typeof primitives)[number];

/** Additional attributes in order, as JSON text. */
export type AvroProps = ReadonlyMap<string, string>;

export interface AvroField {
  readonly name: string;
  readonly type: AvroType;
  readonly doc?: string | undefined;
  /** JSON text. */
  readonly default?: string | undefined;
}

export interface AvroRecord {
  readonly kind: 'record';
  /** Full name. */
  readonly name: string;
  readonly doc?: string | undefined;
  /** Filled after the record is created, because a record may refer to itself. */
  readonly fields: AvroField[];
  readonly props: AvroProps;
}

export type AvroType =
  | { readonly kind: 'primitive'; readonly type: AvroPrimitive; readonly props: AvroProps }
  | { readonly kind: 'array'; readonly items: AvroType; readonly props: AvroProps }
  | { readonly kind: 'map'; readonly values: AvroType; readonly props: AvroProps }
  | { readonly kind: 'union'; readonly branches: readonly AvroType[] }
  | AvroRecord
  | {
      readonly kind: 'enum';
      readonly name: string;
      readonly doc?: string | undefined;
      readonly symbols: readonly string[];
      readonly default?: string | undefined;
      readonly props: AvroProps;
    }
  | { readonly kind: 'fixed'; readonly name: string; readonly size: number; readonly props: AvroProps };

export const noProps: AvroProps = new Map();

export const nullType: AvroType = { kind: 'primitive', type: 'null', props: noProps };

/** Null, or a value of a type. */
export function orNull(type: AvroType): AvroType {
  return { kind: 'union', branches: [nullType, type] };
}

type Named = Extract<AvroType, { readonly name: string }>;

/** Names defined so far, and their types. */
type Defined = Map<string, Named>;

/** A schema as JSON. Members are in the order of Avro for Java, so that a registry gets the same text. */
export function avroText(type: AvroType): string {
  return text(type, '', new Map());
}

function text(type: AvroType, space: string, defined: Defined): string {
  switch (type.kind) {
    case 'primitive':
      return type.props.size === 0
        ? `"${type.type}"`
        : object([member('type', `"${type.type}"`), ...props(type.props)]);
    case 'array':
      return object([
        member('type', '"array"'),
        member('items', text(type.items, space, defined)),
        ...props(type.props),
      ]);
    case 'map':
      return object([
        member('type', '"map"'),
        member('values', text(type.values, space, defined)),
        ...props(type.props),
      ]);
    case 'union':
      return `[${type.branches.map((branch) => text(branch, space, defined)).join(',')}]`;
    case 'record':
    case 'enum':
    case 'fixed':
      return printNamed(type, space, defined);
  }
}

/** Prints the definition of a named type the first time, and its name afterwards. */
function printNamed(type: Named, space: string, defined: Defined): string {
  const dot = type.name.lastIndexOf('.');
  const [own, short] = dot < 0 ? ['', type.name] : [type.name.slice(0, dot), type.name.slice(dot + 1)];
  const before = defined.get(type.name);
  if (before !== undefined) {
    if (!isSame(before, type)) {
      throw conversionFailed(`the name "${type.name}" stands for two different types`);
    }
    return jsonString(own === space ? short : type.name);
  }
  defined.set(type.name, type);
  const head = [
    member('type', `"${type.kind}"`),
    member('name', jsonString(short)),
    ...(own === space ? [] : [member('namespace', jsonString(own))]),
  ];
  if (type.kind === 'fixed') return object([...head, member('size', `${type.size}`), ...props(type.props)]);
  head.push(...optional('doc', type.doc));
  if (type.kind === 'enum') {
    const symbols = member('symbols', `[${type.symbols.map(jsonString).join(',')}]`);
    return object([...head, symbols, ...optional('default', type.default), ...props(type.props)]);
  }
  const fields = type.fields.map((field) =>
    object([
      member('name', jsonString(field.name)),
      member('type', text(field.type, own, defined)),
      ...optional('doc', field.doc),
      ...(field.default === undefined ? [] : [member('default', field.default)]),
    ]),
  );
  return object([...head, member('fields', `[${fields.join(',')}]`), ...props(type.props)]);
}

/** Equal records are one object; other named types may exist more than once. */
function isSame(one: Named, other: Named): boolean {
  if (one.kind === 'enum' && other.kind === 'enum') return one.symbols.join() === other.symbols.join();
  if (one.kind === 'fixed' && other.kind === 'fixed') return one.size === other.size;
  return one === other;
}

function object(members: readonly string[]): string {
  return `{${members.join(',')}}`;
}

function member(name: string, json: string): string {
  return `${jsonString(name)}:${json}`;
}

function optional(name: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [member(name, jsonString(value))];
}

function props(all: AvroProps): readonly string[] {
  return [...all].map(([name, json]) => member(name, json));
}

/** Text as JSON. Avro for Java writes into a string, so characters beyond U+FFFF need no escapes. */
function jsonString(value: string): string {
  return JSON.stringify(value).replace(/\\u[0-9a-f]{4}/g, (code) => `\\u${code.slice(2).toUpperCase()}`);
}

/** For attributes and defaults, which are JSON texts. */
export { jsonString as avroString };
