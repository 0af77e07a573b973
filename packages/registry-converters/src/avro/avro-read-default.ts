import type { ByteSink } from '../model/byte-sink.ts';
import { failedAt, type Path } from '../model/failure.ts';
import type { AvroField, AvroType } from './avro-type.ts';

/** Writes the default of a field that only the registered schema has. Throws `conversion_failed` if it has no default. */
export function defaultWriter(field: AvroField, path: Path): (sink: ByteSink) => void {
  if (field.default === undefined) {
    throw failedAt(
      path,
      'the registered schema has this field without a default, and the record does not have it',
    );
  }
  const value: unknown = JSON.parse(field.default);
  return (sink) => write(sink, field.type, value, path);
}

function write(sink: ByteSink, type: AvroType, value: unknown, path: Path): void {
  const size = (bytes: number): void => sink.zigzag(bytes);
  if (type.kind === 'union') {
    const [first] = type.branches;
    sink.zigzag(0);
    if (first !== undefined) write(sink, first, value, path);
  } else if (type.kind === 'enum') sink.zigzag(Math.max(0, type.symbols.indexOf(String(value))));
  else if (type.kind === 'fixed') sink.bytes(Buffer.from(String(value), 'latin1'));
  else if (type.kind === 'record') {
    const given = value as Readonly<Record<string, unknown>>;
    for (const field of type.fields) {
      if (Object.hasOwn(given, field.name)) write(sink, field.type, given[field.name], [...path, field.name]);
      else defaultWriter(field, [...path, field.name])(sink);
    }
  } else if (type.kind === 'array') {
    const items = value as readonly unknown[];
    if (items.length > 0) sink.zigzag(items.length);
    for (const item of items) write(sink, type.items, item, path);
    sink.byte(0);
  } else if (type.kind === 'map') {
    const pairs = Object.entries(value as Readonly<Record<string, unknown>>);
    if (pairs.length > 0) sink.zigzag(pairs.length);
    for (const [key, item] of pairs) {
      sink.text(key, size);
      write(sink, type.values, item, path);
    }
    sink.byte(0);
  } else if (type.type === 'boolean') sink.byte(value === true ? 1 : 0);
  else if (type.type === 'int' || type.type === 'long') sink.zigzag(BigInt(Number(value)));
  else if (type.type === 'float') sink.float(Number(value));
  else if (type.type === 'double') sink.double(Number(value));
  else if (type.type === 'string') sink.text(String(value), size);
  else if (type.type === 'bytes') sink.text(Buffer.from(String(value), 'latin1'), size);
}
