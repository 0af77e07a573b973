/** First and last version; the last is omitted if it is the newest. */
export type VersionRange = readonly [first: number, last?: number];

/** Type of a field. 64-bit integers are `bigint`, a `uuid` is base64url text without padding, as Java prints it. */
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
  /** The field is a list of `type`. */
  readonly list?: true;
  /** Versions with the field. Default: all. */
  readonly versions?: VersionRange;
  /** Versions in which it may be null. Default: none. */
  readonly nullable?: VersionRange;
  /** Versions in which it is a tagged field (KIP-482). Default: none. */
  readonly tagged?: VersionRange;
  readonly tag?: number;
  /** Never in the compact form, even in flexible versions. */
  readonly flexible?: false;
  /** The value is silently dropped in versions without the field. */
  readonly ignorable?: true;
  /** Value in versions without the field, and if none is given. Default: zero, empty or false. */
  readonly default?: number | bigint | string | boolean | null;
  /** The fields of a `struct`. */
  readonly fields?: readonly FieldTable[];
}

/** A message in all its versions. */
export interface MessageTable {
  readonly name: string;
  /** The oldest and the newest version. */
  readonly versions: readonly [oldest: number, newest: number];
  /** The first flexible version: compact lengths and tagged fields (KIP-482). Default: none. */
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

/** Whether the range includes the version; an absent range includes none. */
export function includes(range: VersionRange | undefined, version: number): boolean {
  return range !== undefined && version >= range[0] && version <= (range[1] ?? version);
}

/** Whether the version has compact lengths and tagged fields. */
export function isFlexible({ flexible }: MessageTable, version: number): boolean {
  return flexible !== undefined && version >= flexible;
}
