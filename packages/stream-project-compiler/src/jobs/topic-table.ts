import type { EventTime } from '../columns/nodes/node-columns.ts';
import type { NodeId } from '../resolve/node-id.ts';
import type { SqlType } from '../types/sql-type.ts';

/** A column of a table, and what makes its values where they are not read. */
export interface TableColumn {
  readonly name: string;
  readonly type: SqlType;
  /** `AS` this expression. */
  readonly computed?: string;
}

/** How rows are in a topic: each appended, the latest of each key, or changes with the rows before and after them. */
export type TopicRows = 'append' | 'upsert' | 'changelog';

/** How values are written. */
export type ValueFormat = 'json' | 'avro' | 'protobuf';

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
  readonly eventTime: EventTime | undefined;
}

/** A column as a node declares it. */
export interface KnownColumn {
  readonly name: string;
  /** Undefined where nothing declares it. */
  readonly type: SqlType | undefined;
  /** It is made when a row is read. */
  readonly processingTime?: true;
}
