import type { ChangeKind } from '../changelog/changes.ts';
import type { EventTime } from '../columns/nodes/node-columns.ts';
import type { NodeId } from '../resolve/node-id.ts';
import type { Setting } from '../resolve/settings.ts';
import type { Position } from '../text/range.ts';
import type { TopicSchema } from './topic-schemas.ts';
import type { TopicRows, TopicTable } from './topic-table.ts';

/** A topic that a job reads. */
export interface JobInput {
  readonly node: NodeId;
  readonly topic: string;
  /** The name of its table in the statements. */
  readonly table: string;
  readonly rows: TopicRows;
  readonly watermark: Pick<EventTime, 'column' | 'delayMs'> | undefined;
}

/** Settings of a job as the project has them; undefined where it says nothing. */
export interface JobSettings {
  readonly parallelism: number | undefined;
  readonly checkpointIntervalMs: number | undefined;
  readonly stateTtlMs: number | undefined;
}

/** A piece of a line of the last statement that is as it is in the project. */
export interface SourceLine {
  /** Place in the statement, from 1. */
  readonly line: number;
  readonly column: number;
  readonly length: number;
  /** Place in the model's file. */
  readonly from: Position;
}

/** The job of one model: statements that the engine runs in one session, in their order. */
export interface Job {
  readonly model: string;
  readonly cluster: Setting<string> | undefined;
  /** Version of the engine that the statements are for. */
  readonly version: string;
  readonly statements: readonly string[];
  readonly settings: JobSettings;
  readonly reads: readonly JobInput[];
  readonly writes: { readonly topic: string; readonly table: string; readonly rows: TopicRows };
  /** How the rows of its query change. */
  readonly changes: ChangeKind;
  /** Columns that make the key of its records. */
  readonly key: readonly string[];
  /** What decides whether its state can be restored: see `stateForm`. */
  readonly state: string;
  readonly sourceLines: readonly SourceLine[];
  /** Columns of which the project does not say the type, and the type that the job reads them with. */
  readonly assumed: readonly { readonly node: NodeId; readonly column: string; readonly type: string }[];
  /** Schemas of its records; none where they are handed on as they are. */
  readonly schemas: readonly TopicSchema[];
  /** Its topic, for the jobs that read it. */
  readonly output: TopicTable;
}
