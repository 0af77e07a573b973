/** A value inside a source partition or offset: what JSON can hold, flat. */
export type OffsetValue = string | number | boolean | null;

/** Names what part of the source a record comes from, for example `{"filename": "/var/log/app"}`. Flat. */
export type SourcePartition = Readonly<Record<string, OffsetValue>>;

/** Place of a record in its partition, for example `{"position": 1024}`. Flat. */
export type SourceOffset = Readonly<Record<string, OffsetValue>>;

/** The same text for the same map, whatever the order of its keys. Compact JSON with sorted keys. */
export function canonicalJson(map: Readonly<Record<string, OffsetValue>>): string {
  const names = Object.keys(map).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(map[name])}`).join(',')}}`;
}
