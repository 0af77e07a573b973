import type { Schema } from '@levada/connect-runtime-core';
import type { SchemaType } from '@levada/connect-runtime-core/contract';
import type { ByteSink } from '../model/byte-sink.ts';
import { checkDepth, failedAt, itemsOf, keysOf, type Path, requireSchema } from '../model/failure.ts';
import { scrubFullName, scrubName } from '../model/names.ts';
import {
  boolean,
  bytes,
  decimal,
  entries,
  float,
  integerBytes,
  isDecimal,
  list,
  longInteger,
  scaleOf,
  smallInteger,
  structValues,
  text,
  timeNumber,
} from '../model/values.ts';
import { type AvroOptions, logicalType } from './avro-options.ts';
import { defaultWriter } from './avro-read-default.ts';
import { type AvroPrimitive, type AvroRecord, type AvroType, avroString, avroText } from './avro-type.ts';

/** Writes a value in Avro's binary encoding (Avro specification 1.11, "Binary Encoding"). Throws `conversion_failed`. */
export type AvroWriter = (sink: ByteSink, value: unknown, path: Path) => void;

/** Avro types for each Connect type: its own first, then its promotions. */
const targets: Readonly<Record<Exclude<SchemaType, 'array' | 'map' | 'struct'>, readonly string[]>> = {
  int8: ['int', 'long', 'float', 'double'],
  int16: ['int', 'long', 'float', 'double'],
  int32: ['int', 'long', 'float', 'double'],
  int64: ['long', 'float', 'double'],
  float32: ['float', 'double'],
  float64: ['double'],
  boolean: ['boolean'],
  string: ['string', 'enum', 'bytes'],
  bytes: ['bytes', 'fixed', 'string'],
};

interface Context {
  readonly options: AvroOptions;
  /** Writers of records, including those being created, because a record may refer to itself. */
  readonly records: Map<Schema, Map<AvroRecord, { write: AvroWriter }>>;
}

/** Creates a writer for values of a Connect schema as an Avro type. Throws `conversion_failed` if the type does not accept them. */
export function avroWriter(schema: Schema, type: AvroType, options: AvroOptions): AvroWriter {
  return writer(schema, type, { options, records: new Map() }, []);
}

function writer(schema: Schema, type: AvroType, context: Context, path: Path): AvroWriter {
  checkDepth(path);
  if (type.kind === 'union') return unionWriter(schema, type.branches, context, path);
  if (schema.optional && !isPrimitive(type, 'null')) {
    const of = writer(requireSchema(schema), type, context, path);
    return (sink, value, at) => {
      if (value === null || value === undefined)
        throw failedAt(at, 'null for a value that the schema requires');
      of(sink, value, at);
    };
  }
  const own = presentWriter(schema, type, context, path);
  return (sink, value, at) => {
    if (value === null || value === undefined)
      throw failedAt(at, 'null value for field that is required and has no default value');
    own(sink, value, at);
  };
}

function isPrimitive(type: AvroType, name: AvroPrimitive): boolean {
  return type.kind === 'primitive' && type.type === name;
}

function unionWriter(
  schema: Schema,
  branches: readonly AvroType[],
  context: Context,
  path: Path,
): AvroWriter {
  const nullAt = branches.findIndex((branch) => isPrimitive(branch, 'null'));
  let at = -1;
  let own: AvroWriter | undefined;
  let problem: unknown;
  const order = [...branches.entries()]
    .filter(([index]) => index !== nullAt)
    .toSorted(([, one], [, other]) => distance(schema, one, context) - distance(schema, other, context));
  for (const [index, branch] of order) {
    try {
      own = presentWriter(schema, branch, context, path);
      at = index;
      break;
    } catch (thrown) {
      problem = thrown;
    }
  }
  if (own === undefined) throw problem ?? failedAt(path, 'no branch of the union takes it');
  const present = own;
  return (sink, value, place) => {
    if (value === null || value === undefined) {
      if (nullAt < 0 || !schema.optional)
        throw failedAt(place, 'null value for field that is required and has no default value');
      sink.zigzag(nullAt);
      return;
    }
    sink.zigzag(at);
    present(sink, value, place);
  };
}

/** Distance of a union branch from a schema. The same type and name come first, as in Avro for Java. */
function distance(schema: Schema, branch: AvroType, { options }: Context): number {
  if (schema.type === 'struct') {
    const name = schema.name ?? '';
    const own = options.scrubNames ? scrubFullName(name, { underscoreFirst: true }) : name;
    return branch.kind === 'record' && branch.name === own ? 0 : 1;
  }
  if (schema.type === 'array' || schema.type === 'map') return branch.kind === schema.type ? 0 : 1;
  const at = targets[schema.type].indexOf(typeName(branch));
  return at < 0 ? targets[schema.type].length : at;
}

function typeName(type: AvroType): string {
  return type.kind === 'primitive' ? type.type : type.kind;
}

/** Writes values that are not null. */
function presentWriter(schema: Schema, type: AvroType, context: Context, path: Path): AvroWriter {
  if (schema.type === 'struct') {
    if (type.kind === 'record') return recordWriter(schema, type, context, path);
  } else if (schema.type === 'array') {
    if (type.kind === 'array') return arrayWriter(schema, type.items, context, path);
  } else if (schema.type === 'map') {
    if (type.kind === 'map') return mapWriter(schema, type.values, context, path);
    if (type.kind === 'array' && type.items.kind === 'record')
      return entriesWriter(schema, type.items, context, path);
  } else {
    if (targets[schema.type].includes(typeName(type))) {
      checkMeaning(schema, type, path);
      return scalarWriter(schema, schema.type, type);
    }
  }
  throw failedAt(path, `a value of type ${schema.type} cannot be written as ${avroText(type)}`);
}

/** Refuses a type whose readers would misinterpret the number of a date, time, timestamp or decimal. */
function checkMeaning(schema: Schema, type: AvroType, path: Path): void {
  const expected = logicalType(schema);
  if (expected === undefined || !('props' in type)) return;
  const refuse = (what: string, found: string, wanted: string): Error =>
    failedAt(path, `the registered schema has the ${what} ${found}, expected ${wanted}`);
  const found = type.props.get('logicalType');
  if (found !== undefined && found !== avroString(expected))
    throw refuse('logicalType', String(JSON.parse(found)), expected);
  const scale = type.props.get('scale');
  if (found === undefined || scale === undefined || !isDecimal(schema)) return;
  const wanted = String(scaleOf(schema, path));
  if (scale !== wanted) throw refuse('scale', scale, wanted);
}

function scalarWriter(schema: Schema, from: keyof typeof targets, type: AvroType): AvroWriter {
  const fraction = isPrimitive(type, 'float') || isPrimitive(type, 'double');
  const put = (sink: ByteSink, value: number): void => {
    if (isPrimitive(type, 'float')) sink.float(value);
    else sink.double(value);
  };
  switch (from) {
    case 'int8':
    case 'int16':
    case 'int32':
    case 'int64':
      return (sink, value, path) => {
        const whole =
          timeNumber(schema, value, path) ??
          (from === 'int64' ? longInteger(value, path) : smallInteger(from, value, path));
        if (fraction) put(sink, Number(whole));
        else sink.zigzag(whole);
      };
    case 'float32':
    case 'float64':
      return (sink, value, path) => put(sink, float(from, value, path));
    case 'boolean':
      return (sink, value, path) => sink.byte(boolean(value, path) ? 1 : 0);
    case 'string':
      return type.kind === 'enum' ? enumWriter(type.symbols) : sizePrefixWriter(text);
    case 'bytes':
      if (type.kind === 'fixed') return fixedWriter(schema, type.size);
      return isDecimal(schema)
        ? sizePrefixWriter((value, path) => integerBytes(decimal(schema, value, path).unscaled))
        : sizePrefixWriter(bytes);
  }
}

/** Writes text or bytes with a size prefix. */
function sizePrefixWriter(read: (value: unknown, path: Path) => string | Uint8Array): AvroWriter {
  return (sink, value, path) => sink.text(read(value, path), (size) => sink.zigzag(size));
}

function enumWriter(symbols: readonly string[]): AvroWriter {
  return (sink, value, path) => {
    const at = symbols.indexOf(String(text(value, path)));
    if (at < 0) throw failedAt(path, `the text is none of the symbols ${symbols.join(', ')}`);
    sink.zigzag(at);
  };
}

function fixedWriter(schema: Schema, size: number): AvroWriter {
  const isNumber = isDecimal(schema);
  return (sink, value, path) => {
    const own = isNumber ? integerBytes(decimal(schema, value, path).unscaled) : bytes(value, path);
    const missing = size - own.length;
    if (missing < 0 || (missing > 0 && !isNumber))
      throw failedAt(path, `expected ${size} bytes, got ${own.length}`);
    if (missing > 0) sink.bytes(Buffer.alloc(missing, (own[0] ?? 0) > 0x7f ? 0xff : 0));
    sink.bytes(own);
  };
}

function arrayWriter(schema: Schema, items: AvroType, context: Context, path: Path): AvroWriter {
  const item = writer(itemsOf(schema, path), items, context, [...path, 'items']);
  return (sink, value, at) => block(sink, list(value, at), (one, index) => item(sink, one, [...at, index]));
}

function mapWriter(schema: Schema, values: AvroType, context: Context, path: Path): AvroWriter {
  const item = writer(itemsOf(schema, path), values, context, [...path, 'values']);
  return (sink, value, at) =>
    block(sink, entries(value, at), ([key, one]) => {
      const within = [...at, String(key)];
      sink.text(text(key, within), (size) => sink.zigzag(size));
      item(sink, one, within);
    });
}

function entriesWriter(schema: Schema, entry: AvroRecord, context: Context, path: Path): AvroWriter {
  const asStruct: Schema = {
    type: 'struct',
    optional: false,
    fields: [
      { field: 'key', schema: keysOf(schema) },
      { field: 'value', schema: itemsOf(schema, path) },
    ],
  };
  const write = recordWriter(asStruct, entry, context, path);
  return (sink, value, at) =>
    block(sink, entries(value, at), ([key, item]) => write(sink, { key, value: item }, [...at, String(key)]));
}

/** Writes the items of an array or map in one block, then the end. */
function block<T>(sink: ByteSink, items: readonly T[], write: (item: T, index: number) => void): void {
  if (items.length > 0) sink.zigzag(items.length);
  items.forEach(write);
  sink.byte(0);
}

/** Matches fields by name. A field that only the Avro type has needs a default. */
function recordWriter(schema: Schema, type: AvroRecord, context: Context, path: Path): AvroWriter {
  const known = context.records.get(schema)?.get(type);
  if (known !== undefined) return (sink, value, at) => known.write(sink, value, at);
  const made: { write: AvroWriter } = { write: () => undefined };
  const ofSchema = context.records.get(schema) ?? new Map<AvroRecord, { write: AvroWriter }>();
  context.records.set(schema, ofSchema.set(type, made));
  const { options } = context;
  const fields = schema.fields ?? [];
  const names = fields.map(({ field }) =>
    options.scrubNames ? scrubName(field, { underscoreFirst: true }) : field,
  );
  const strange = names.find((name) => type.fields.every((field) => field.name !== name));
  if (strange !== undefined) throw failedAt(path, `"${type.name}" has no field "${strange}"`);
  const steps = type.fields.map((field): AvroWriter => {
    const at = names.indexOf(field.name);
    const own = fields[at];
    if (own === undefined) return defaultWriter(field, [...path, field.name]);
    const write = writer(own.schema, field.type, context, [...path, own.field]);
    return (sink, values, place) => write(sink, (values as unknown[])[at], [...place, own.field]);
  });
  made.write = (sink, value, at) => {
    const values = structValues(schema, value, options, at);
    for (const step of steps) step(sink, values, at);
  };
  return made.write;
}
