import {
  type DescEnum,
  type DescExtension,
  type DescField,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  type Registry,
  ScalarType,
} from '@bufbuild/protobuf';
import { base64Decode } from '@bufbuild/protobuf/wire';
import type { WireToJsonOptions } from '../src/index.ts';
import type { Expected } from './match-json.ts';

/** The JSON value of `@bufbuild/protobuf`, adapted to our options. */
export function expectedJson(desc: DescMessage, value: JsonValue, options: ExpectedOptions): Expected {
  return new ExpectedWriter(options).message(desc, value);
}

export interface ExpectedOptions
  extends Pick<WireToJsonOptions, 'protoNames' | 'safeIntegersAsNumbers' | 'hexFields'> {
  readonly registry: Registry;
}

class ExpectedWriter {
  private readonly options: ExpectedOptions;

  constructor(options: ExpectedOptions) {
    this.options = options;
  }

  message(desc: DescMessage, value: JsonValue): Expected {
    const wrapped = desc.fields[0];
    switch (desc.typeName) {
      case 'google.protobuf.Timestamp':
      case 'google.protobuf.Duration':
      case 'google.protobuf.FieldMask':
        return JSON.stringify(value);
      case 'google.protobuf.Struct':
      case 'google.protobuf.Value':
      case 'google.protobuf.ListValue':
        return plainJson(value);
      case 'google.protobuf.Any':
        return this.any(value as JsonObject);
      default:
        if (WRAPPER.test(desc.typeName) && wrapped !== undefined) return this.field(wrapped, value);
        return this.object(desc, value as JsonObject);
    }
  }

  private object(desc: DescMessage, value: JsonObject): Expected {
    const entries = new Map<string, Expected>();
    for (const key of Object.keys(value)) {
      const field = desc.fields.find((candidate) => this.nameOf(candidate) === key) ?? this.extension(key);
      if (field === undefined && key !== '@type') throw new Error(`${desc.typeName} has no field "${key}"`);
      const own = Object.getOwnPropertyDescriptor(value, key)?.value as JsonValue;
      entries.set(key, field === undefined ? JSON.stringify(own) : this.field(field, own));
    }
    return { kind: 'fields', entries };
  }

  private nameOf(field: DescField): string {
    return this.options.protoNames === true ? field.name : field.jsonName;
  }

  private extension(key: string): DescExtension | undefined {
    return key.startsWith('[') ? this.options.registry.getExtension(key.slice(1, -1)) : undefined;
  }

  private any(value: JsonObject): Expected {
    const url = value['@type'];
    if (typeof url !== 'string') return plainJson(value);
    const type = this.options.registry.getMessage(url.slice(url.lastIndexOf('/') + 1));
    if (type === undefined) throw new Error(`"${url}" is not in the registry`);
    if (!(OWN_FORM.test(type.typeName) || WRAPPER.test(type.typeName))) return this.object(type, value);
    const inner = value['value'] as JsonValue;
    const entries = new Map<string, Expected>([
      ['value', this.message(type, inner)],
      ['@type', JSON.stringify(url)],
    ]);
    return { kind: 'fields', entries };
  }

  private field(field: DescField | DescExtension, value: JsonValue): Expected {
    if (field.fieldKind === 'map') {
      const entries = new Map<string, Expected>();
      for (const key of Object.keys(value as JsonObject)) {
        const own = Object.getOwnPropertyDescriptor(value, key)?.value as JsonValue;
        entries.set(key, this.single(field, own));
      }
      return { kind: 'map', entries };
    }
    if (field.fieldKind !== 'list') return this.single(field, value);
    return { kind: 'list', items: (value as JsonValue[]).map((item) => this.single(field, item)) };
  }

  private single(field: ValueField, value: JsonValue): Expected {
    if (field.message !== undefined) return this.message(field.message, value);
    if (field.enum !== undefined) return JSON.stringify(value);
    return this.scalar(field, value);
  }

  private scalar(field: ValueField, value: JsonValue): Expected {
    const { hexFields, safeIntegersAsNumbers } = this.options;
    if (typeof value === 'number') {
      if (field.scalar === ScalarType.FLOAT) return { kind: 'float', value };
      if (field.scalar === ScalarType.DOUBLE) return { kind: 'double', value };
    } else if (field.scalar === ScalarType.BYTES) {
      if (hexFields?.has(`${field.parent?.typeName}.${field.name}`) === true) return hex(value as string);
    } else if (WIDE.has(field.scalar as ScalarType) && safeIntegersAsNumbers === true) {
      return Number.isSafeInteger(Number(value)) ? (value as string) : JSON.stringify(value);
    }
    return JSON.stringify(value);
  }
}

/** A field, the element of a list, or the value of a map. */
interface ValueField {
  readonly name: string;
  readonly parent?: DescMessage | undefined;
  readonly scalar?: ScalarType | undefined;
  readonly enum?: DescEnum | undefined;
  readonly message?: DescMessage | undefined;
}

const WRAPPER = /^google\.protobuf\.(?:Double|Float|U?Int64|U?Int32|Bool|String|Bytes)Value$/;
/** Types that an Any holds under the key `value`. */
const OWN_FORM = /^google\.protobuf\.(?:Any|Timestamp|Duration|FieldMask|Struct|Value|ListValue)$/;

const WIDE: ReadonlySet<ScalarType> = new Set([
  ScalarType.INT64,
  ScalarType.UINT64,
  ScalarType.SINT64,
  ScalarType.FIXED64,
  ScalarType.SFIXED64,
]);

function hex(base64: string): string {
  return `"${Buffer.from(base64Decode(base64)).toString('hex')}"`;
}

/** Any JSON, without a schema. */
function plainJson(value: JsonValue): Expected {
  if (typeof value === 'number') return { kind: 'double', value };
  if (Array.isArray(value)) return { kind: 'list', items: value.map(plainJson) };
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return {
    kind: 'map',
    entries: new Map(Object.entries(value).map(([key, item]) => [key, plainJson(item)])),
  };
}
