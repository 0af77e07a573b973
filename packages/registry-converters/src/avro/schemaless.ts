import { entriesOf, kindOf } from '@levada/connect-runtime-core/converter';
import type { ByteSink } from '../model/byte-sink.ts';
import { failedAt, MAX_DEPTH, type Path } from '../model/failure.ts';
import { avroNames } from './avro-options.ts';
import { type AvroPrimitive, type AvroRecord, type AvroType, noProps, orNull } from './avro-type.ts';

const primitive = (type: AvroPrimitive): AvroType => ({ kind: 'primitive', type, props: noProps });
const listOf = (items: AvroType): AvroType => ({ kind: 'array', items, props: noProps });

const record: AvroRecord = { kind: 'record', name: avroNames.anything, fields: [], props: noProps };
const entry: AvroRecord = {
  kind: 'record',
  name: avroNames.mapEntry,
  fields: [
    { name: 'key', type: record },
    { name: 'value', type: record },
  ],
  props: noProps,
};

/** Kinds of values, in the order of the fields. One field is set, the others are null. */
const kinds = ['boolean', 'bytes', 'double', 'float', 'int', 'long', 'string', 'array', 'map'] as const;

record.fields.push(
  ...kinds.map((name) => {
    const type = name === 'array' ? listOf(record) : name === 'map' ? listOf(entry) : primitive(name);
    return { name, type: orNull(type), default: 'null' };
  }),
);

/** The schema of Confluent's converter for values without a schema: a record with a field for every kind of value. */
export const anything: AvroType = record;

/** Writes a value without a schema. An integer is an int if it fits, otherwise a long; other numbers are doubles. */
export function writeAnything(sink: ByteSink, value: unknown, path: Path = []): void {
  if (path.length > MAX_DEPTH) throw failedAt([], `value is nested deeper than ${MAX_DEPTH}`);
  const kind = value === null || value === undefined ? undefined : kindOfValue(value, path);
  for (const each of kinds) {
    sink.varint(each === kind ? 2 : 0);
    if (each === kind) write(sink, kind, value, path);
  }
}

type Kind = (typeof kinds)[number];

function kindOfValue(value: unknown, path: Path): Kind {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'bigint') return 'long';
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) return 'double';
    return (value | 0) === value ? 'int' : 'long';
  }
  if (value instanceof Uint8Array) return 'bytes';
  if (Array.isArray(value)) return 'array';
  if (entriesOf(value) !== undefined) return 'map';
  throw failedAt(path, `${kindOf(value)} has no form in Avro without a schema`);
}

function write(sink: ByteSink, kind: Kind, value: unknown, path: Path): void {
  if (kind === 'boolean') sink.byte(value === true ? 1 : 0);
  else if (kind === 'double') sink.double(value as number);
  else if (kind === 'int' || kind === 'long') sink.zigzag(value as number | bigint);
  else if (kind === 'string' || kind === 'bytes')
    sink.text(value as string | Uint8Array, (size) => sink.zigzag(size));
  else if (kind === 'array') {
    const items = value as readonly unknown[];
    if (items.length > 0) sink.zigzag(items.length);
    for (const [at, item] of items.entries()) writeAnything(sink, item, [...path, at]);
    sink.byte(0);
  } else {
    const pairs = entriesOf(value) ?? [];
    if (pairs.length > 0) sink.zigzag(pairs.length);
    for (const [key, item] of pairs) {
      writeAnything(sink, key, [...path, String(key)]);
      writeAnything(sink, item, [...path, String(key)]);
    }
    sink.byte(0);
  }
}
