import type { TopicRows } from './job-text.ts';

/** A row of a topic, as JSON. */
export type Row = Readonly<Record<string, unknown>>;

/** A row that a case writes to a source, and where. */
export interface SourceRow {
  readonly row: Row | null;
  readonly partition: number;
  /** JSON of the record's key. Default: none. */
  readonly key?: string;
  /** The row comes after the watermark of its topic; with `key`, also after a later row of its customer. Default: it does not. */
  readonly late?: 'topic' | 'key';
}

/** A source of cases: its columns, and the rows that are written to it. */
export interface RowsSource {
  /** Keys of the source in the project, without name and topic. */
  readonly yaml: Readonly<Record<string, unknown>>;
  /** Columns of the same table for the batch run. Default: none, and no batch run can read it. */
  readonly batchColumns?: string;
  readonly partitions: number;
  /** Rows that are in the topic when jobs start. */
  readonly before: readonly SourceRow[];
  /** Rows that are written after all of `before` was read: first those in time, then those that are late. */
  readonly after: readonly SourceRow[];
}

/** Operators keep all late rows, or drop all, or drop those that come after a later row of their key. */
export type LateRows = 'kept' | 'dropped' | 'dropped by key';

/** A model of a case. Its topic is made from its name. */
export interface RowsModel {
  readonly name: string;
  /** Default: it is in the files of the case's own project. */
  readonly sql?: string;
  readonly key?: string | readonly string[];
  /** Columns that differ in each run. Default: none. */
  readonly unlike?: readonly string[];
  /** Which late rows it has. Default: those of the case. */
  readonly late?: LateRows;
  /** Its job ends, so that others read its topic. Default: false. */
  readonly endsJob?: true;
  /** Other keys of the model in the project. */
  readonly yaml?: Readonly<Record<string, unknown>>;
}

/** What decides which rows are right: the engine's batch run, or rows by model, written by hand. */
export type Judge = 'batch' | Readonly<Record<string, readonly Row[]>>;

/**
 * A project as a user writes it. `PREFIX` in its files is replaced by what makes names of topics unique: topics of models are
 * `PREFIX.<model>`, those of sources `PREFIX.source.<source>`.
 */
export interface OwnProject {
  /** Texts by path. */
  readonly files: Readonly<Record<string, string>>;
  readonly sources: Readonly<Record<string, Pick<RowsSource, 'partitions' | 'before' | 'after'>>>;
}

/** A project of a few models, and what they must write. */
export interface RowsCase {
  /** Unique; letters, digits and `_`. */
  readonly name: string;
  /** What the table calls it. */
  readonly construct: string;
  readonly sources: readonly string[];
  readonly models: readonly RowsModel[];
  /** Which late rows the result has. Default: `dropped`, none of them. */
  readonly late?: LateRows;
  /** Rows that late ones add to what the batch run answers, by model. */
  readonly lateRows?: Readonly<Record<string, readonly Row[]>>;
  /** Default: `batch`. */
  readonly judge?: Judge;
  /** Code of the finding that refuses it. Default: it is compiled. */
  readonly refused?: string;
  /** Code of the finding about rows that the engine gets wrong. Default: all are right. */
  readonly wrong?: string;
  /** Rows by model after a restart without state, where they follow from how often another model has written its rows. */
  readonly repeated?: Readonly<Record<string, readonly Row[]>>;
  /** A project of its own in place of one that is made from `models`. */
  readonly project?: OwnProject;
  /** Runs in `npm test`, too. Default: false. */
  readonly quick?: boolean;
}

/** What a model wrote, folded to its last state, and what it must have written. */
export interface ModelOutcome {
  readonly model: string;
  readonly judge: 'batch' | 'by hand';
  /** How rows of its topic say that they change. */
  readonly changes: TopicRows;
  readonly rows: readonly Row[];
  readonly expected: readonly Row[];
}

/** How a case ended. */
export interface CaseOutcome {
  readonly name: string;
  /** Why it has no rows, or not all of them. Default: it has run to its end. */
  readonly problem?: string;
  readonly models: readonly ModelOutcome[];
  /** Codes of what the compiler says of its project. */
  readonly findings: readonly string[];
}
