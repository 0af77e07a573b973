import type { OffsetValue, SourceOffset, SourcePartition } from '../contract/source-offset.ts';
import { javaHashOrder } from './java-hash-order.ts';
import { isObject } from './stored-json.ts';

/** `["<connector>",{<partition>}]`, with the partition's keys in Java's order. */
export function printOffsetKey(connector: string, partition: SourcePartition): string {
  return `[${JSON.stringify(connector)},${printMap(partition)}]`;
}

/** `{<offset>}`. */
export function printOffset(offset: SourceOffset): string {
  return printMap(offset);
}

/** The connector and source partition of a key; undefined when it is none of ours. */
export function readOffsetKey(
  value: unknown,
): { readonly connector: string; readonly partition: SourcePartition } | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [connector, partition] = value as readonly unknown[];
  const map = readFlatMap(partition);
  return typeof connector === 'string' && map !== undefined ? { connector, partition: map } : undefined;
}

/** A flat map of JSON scalars; undefined for anything else. */
export function readFlatMap(value: unknown): Readonly<Record<string, OffsetValue>> | undefined {
  if (!isObject(value)) return undefined;
  const nested = Object.values(value).some((one) => typeof one === 'object' && one !== null);
  return nested ? undefined : (value as Readonly<Record<string, OffsetValue>>);
}

/** Written by hand: an object would put names that look like numbers first. */
function printMap(map: Readonly<Record<string, OffsetValue>>): string {
  const fields = javaHashOrder(Object.keys(map)).map(
    (name) => `${JSON.stringify(name)}:${JSON.stringify(map[name])}`,
  );
  return `{${fields.join(',')}}`;
}
