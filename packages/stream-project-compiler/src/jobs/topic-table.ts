import type { EventTime } from '../columns/nodes/node-columns.ts';
import type { NodeId } from '../resolve/node-id.ts';
import type { SqlType } from '../types/sql-type.ts';

/** A column of a table, and what makes its values where they are not read. */
export interface TableColumn {
  readonly name: string;
  readonly type: SqlType;
  /** `AS` this expression, in which variables stay as they are written. */
  readonly computed?: string;
  /** `METADATA FROM` this key. */
  readonly metadata?: string;
  /** Its type has to be that of a schema, `NOT NULL` included. */
  readonly exact?: boolean;
  /** Of a table that is written: the schema of its records has no null there, and a row with one ends the job. */
  readonly required?: true;
}

/** How rows are in a topic: each appended, the latest of each key, or changes with the rows before and after them. */
export type TopicRows = 'append' | 'upsert' | 'changelog';

/** How values are written. */
export type ValueFormat = 'json' | 'avro' | 'protobuf';

/** What a job that writes a topic says of its records, and those that read it repeat. */
export interface WrittenFormat {
  /** Undefined: a key of one text is written as it is, any other as JSON. */
  readonly keyFormat: 'avro' | 'json' | undefined;
  /** Schemas in Avro. */
  readonly keySchema: string | undefined;
  readonly valueSchema: string | undefined;
  /** Where the registry has the schema of values, if the project says it. */
  readonly subject: string | undefined;
  /** The class of Protobuf. */
  readonly className: string | undefined;
  /** Each record carries its schema. */
  readonly embedded?: boolean;
}

/** The topic of a node, as jobs read it. */
export interface TopicTable {
  readonly node: NodeId;
  readonly topic: string;
  /** Where it is: on the platform, or at the gateway, which serves virtual topics. */
  readonly at: 'platform' | 'gateway';
  readonly rows: TopicRows;
  readonly format: ValueFormat;
  /** Columns whose types are known, declared or by the query that writes them. */
  readonly columns: readonly KnownColumn[];
  /** Whether these are all. Where they are not, a job reads those that its query names. */
  readonly complete: boolean;
  readonly key: readonly string[];
  /** Columns that are read from record keys, which values do not have. */
  readonly recordKey?: readonly string[];
  readonly eventTime: EventTime | undefined;
  /** How many partitions it has, as far as the project says it. */
  readonly partitions: number | undefined;
  /** Of topics that jobs write, and of others as far as the project says it. */
  readonly written?: WrittenFormat;
}

/** What makes the values of a column of a table that is read. */
export function madeBy({
  processingTime,
  computed,
  metadata,
}: Pick<KnownColumn, 'processingTime' | 'computed' | 'metadata'>): Pick<
  TableColumn,
  'computed' | 'metadata'
> {
  if (processingTime === true) return { computed: 'PROCTIME()' };
  if (computed !== undefined) return { computed };
  return metadata === undefined ? {} : { metadata };
}

/** Where a table that is read has the key of its records. */
export function readKey({ rows, key, recordKey = [] }: Pick<TopicTable, 'rows' | 'key' | 'recordKey'>): {
  readonly key: readonly string[];
  readonly keyApart?: true;
} {
  if (recordKey.length > 0) return { key: rows === 'append' ? recordKey : key, keyApart: true };
  return { key: rows === 'append' ? [] : key };
}

/** A column as a node declares it. */
export interface KnownColumn {
  readonly name: string;
  /** Undefined where nothing declares it. */
  readonly type: SqlType | undefined;
  /** It is the time at which a row is read. */
  readonly processingTime?: true;
  /** The expression of other columns that it is computed by. */
  readonly computed?: string;
  /** The engine's key of the metadata that it holds. */
  readonly metadata?: string;
  /** Its type has to be that of a schema, `NOT NULL` included. */
  readonly exact?: boolean;
}

/** The format of a table that has some columns of a topic, which are not those of its schemas. */
export function formatOfSome({ written }: Pick<TopicTable, 'written'>): WrittenFormat | undefined {
  return written === undefined ? undefined : { ...written, keySchema: undefined, valueSchema: undefined };
}
