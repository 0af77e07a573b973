/** First and last version that have something; the last is left out where it is the newest there is. */
export type VersionRange = readonly [first: number, last?: number];

/** What a field holds. 64-bit integers are `bigint`, a `uuid` is text in base64url without padding, as Java prints it. */
export type FieldType =
  | 'bool'
  | 'int8'
  | 'int16'
  | 'uint16'
  | 'int32'
  | 'uint32'
  | 'int64'
  | 'float64'
  | 'string'
  | 'uuid'
  | 'bytes'
  | 'records'
  | 'struct';

/** One field of a message, as Kafka defines it. */
export interface FieldTable {
  readonly name: string;
  readonly type: FieldType;
  /** The field holds a list of what `type` says. */
  readonly list?: true;
  /** Versions that have the field. Default: all. */
  readonly versions?: VersionRange;
  /** Versions in which it may be null. Default: none. */
  readonly nullable?: VersionRange;
  /** Versions in which it is an optional field at the end of its structure, marked by `tag` (KIP-482). Default: none. */
  readonly tagged?: VersionRange;
  readonly tag?: number;
  /** False: it is never in the compact form, also not in flexible versions. */
  readonly flexible?: false;
  /** A value is silently left out of a version that does not have the field. */
  readonly ignorable?: true;
  /** Read from a version without the field, and written where no value is given. Default: zero, empty or false. */
  readonly default?: number | bigint | string | boolean | null;
  /** The fields of a `struct`. */
  readonly fields?: readonly FieldTable[];
}

/** A message in all its versions. */
export interface MessageTable {
  readonly name: string;
  /** The oldest and the newest version. */
  readonly versions: readonly [oldest: number, newest: number];
  /** The first flexible version: compact lengths and tagged fields (KIP-482). Absent: there is none. */
  readonly flexible?: number;
  readonly fields: readonly FieldTable[];
}

/** A request and its response. */
export interface ApiTable {
  /** Kafka's api key. */
  readonly key: number;
  /** The newest version to send; see the table of `tools/kafka-messages/generate.mjs`. */
  readonly newest: number;
  readonly request: MessageTable;
  readonly response: MessageTable;
}

/** True when the range has the version; an absent range has none. */
export function includes(range: VersionRange | undefined, version: number): boolean {
  return range !== undefined && version >= range[0] && version <= (range[1] ?? version);
}

/** True when the version has compact lengths and tagged fields. */
export function isFlexible({ flexible }: MessageTable, version: number): boolean {
  return flexible !== undefined && version >= flexible;
}
