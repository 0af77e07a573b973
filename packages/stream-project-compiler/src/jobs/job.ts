import type { DeliveryGuarantee, JobStart } from '@levada/stream-project-schema';
import type { ChangeKind } from '../changelog/changes.ts';
import type { EventTime } from '../columns/nodes/node-columns.ts';
import type { NodeId } from '../resolve/node-id.ts';
import type { Setting } from '../resolve/settings.ts';
import type { Position } from '../text/range.ts';
import type { StatePart } from './state/state-part.ts';
import type { TopicSchema } from './topic-schemas.ts';
import type { TopicRows, TopicTable } from './topic-table.ts';

/** Rows whose key has a null: the topic cannot have them, and writing one would end the job, again after every restart. */
export interface NullKeys {
  /** The columns of the key that may be null. */
  readonly columns: readonly string[];
  /** The table that takes these rows: the records that its writer gets are their number. */
  readonly table: string;
  /** The dead-letter topic; undefined where rows change, which are only counted. */
  readonly topic: string | undefined;
}

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
  /** Where it begins to read when it has no state. */
  readonly start: JobStart | undefined;
  /** Records of this time and later ones, in place of `start`. */
  readonly startMs: number | undefined;
  readonly delivery: DeliveryGuarantee | undefined;
}

/** A piece of a line of a statement that is as it is in the project. */
export interface SourceLine {
  /** Place in the statement, from 1. */
  readonly line: number;
  readonly column: number;
  readonly length: number;
  /** Place in the model's file. */
  readonly from: Position;
}

/** A column of which the project does not say the type. */
export interface AssumedColumn {
  readonly node: NodeId;
  readonly column: string;
  readonly type: string;
}

/**
 * What a start without state does to a topic that an earlier run of the job wrote. `repeats`: all rows are appended again.
 * `replaces`: the rows of each key are written again, and replace what was there; a key that no longer exists stays as it was.
 * `contradicts`: rows are inserted again that were never withdrawn, so that readers count them twice. `continues`: only rows that are
 * read from the start on are written. `forgets`: these too, as if no rows had been before them: counts begin at zero.
 */
export type WithoutState = 'repeats' | 'replaces' | 'contradicts' | 'continues' | 'forgets';

/** Connectors and formats for which the engine needs jars: each name once, sorted. */
export interface EngineNeeds {
  readonly connectors: readonly string[];
  readonly formats: readonly string[];
}

/** What a job is apart from its texts. */
export interface JobOutline extends Pick<Job, 'settings' | 'readers' | 'narrowest'> {
  readonly models: readonly OutlinedModel[];
}

/** A model that a job computes, apart from its texts. */
export interface OutlinedModel extends Pick<JobModel, 'model' | 'settings' | 'reads'> {
  /** Models whose rows it reads within the job, not through their topics. */
  readonly within: ReadonlySet<NodeId>;
  /** Whether its rows depend on where the job begins to read. */
  readonly followsStart: boolean;
  /** Whether something of its query waits for event time. */
  readonly isTimed: boolean;
}

/** A model that a job computes. */
export interface JobModel {
  readonly model: string;
  /** What the model itself asks for. */
  readonly settings: JobSettings;
  /** What its query reads, in order of first use: topics, and models of the same job, whose topics it does not read. */
  readonly reads: readonly { readonly node: NodeId; readonly topic: string }[];
  readonly writes: {
    readonly topic: string;
    readonly table: string;
    readonly rows: TopicRows;
    /** Number of the statement that makes the table, from 1. */
    readonly statement: number;
  };
  /** Rows that the topic cannot have; absent where there are none. */
  readonly nullKeys?: NullKeys;
  /** How the rows of its query change. */
  readonly changes: ChangeKind;
  /** Columns that make the key of its records. */
  readonly key: readonly string[];
  /** What its topic holds after the job was started again without its state, beside what it held before. */
  readonly withoutState: WithoutState;
  /** Its parts that keep state, in the order in which rows pass them. */
  readonly state: readonly StatePart[];
  /** The statement that holds its query, from 1, and where pieces of it are in the project. */
  readonly query: { readonly statement: number; readonly lines: readonly SourceLine[] };
  /** Columns of which the project does not say the type, and the type that the query reads them with. */
  readonly assumed: readonly AssumedColumn[];
  /** Schemas of its records; none where they are handed on as they are. */
  readonly schemas: readonly TopicSchema[];
  /** Its topic, for those that read it. */
  readonly output: TopicTable;
}

/** Statements that the engine runs in one session, in their order, for one model or several that read one another. */
export interface Job {
  /** That of its first model. */
  readonly name: string;
  readonly cluster: Setting<string> | undefined;
  /** Version of the engine that the statements are for. */
  readonly version: string;
  readonly statements: readonly string[];
  readonly settings: JobSettings;
  /** How many tasks read topics with event time, where models need it: at most as many as the narrowest of them has partitions. */
  readonly readers: number | undefined;
  readonly narrowest: { readonly node: NodeId; readonly partitions: number | undefined } | undefined;
  /** Topics, each with the number of the statement that makes its table, from 1. */
  readonly reads: readonly (JobInput & { readonly statement: number })[];
  /** Each after those that it reads. */
  readonly models: readonly JobModel[];
  /** Connectors of its tables, and the formats of their keys and values. */
  readonly needs: EngineNeeds;
  /** The same as long as the engine can restore the parts of all its models. */
  readonly stateFingerprint: string;
  /** Those of all its models, each once. */
  readonly assumed: readonly AssumedColumn[];
}
