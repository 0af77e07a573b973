/** A row of a topic, as JSON. */
export type Row = Readonly<Record<string, unknown>>;

/** A row that a case writes to a source, and where. */
export interface SourceRow {
  readonly row: Row | null;
  readonly partition: number;
  /** JSON of the record's key. Default: none. */
  readonly key?: string;
  /** The row comes after the time of its topic has passed it by. Default: false. */
  readonly late?: boolean;
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
  /** Rows that are written after all of `before` was read. */
  readonly after: readonly SourceRow[];
}

/** A model of a case. Its topic is made from its name. */
export interface RowsModel {
  readonly name: string;
  readonly sql: string;
  readonly key?: string | readonly string[];
  /** Other keys of the model in the project. */
  readonly yaml?: Readonly<Record<string, unknown>>;
}

/** What decides which rows are right: the engine's batch run, or rows by model, written by hand. */
export type Judge = 'batch' | Readonly<Record<string, readonly Row[]>>;

/** A project of a few models, and what they must write. */
export interface RowsCase {
  /** Unique; letters, digits and `_`. */
  readonly name: string;
  /** What the table calls it. */
  readonly construct: string;
  readonly sources: readonly string[];
  readonly models: readonly RowsModel[];
  /** Whether the result has late rows, as the engine documents it. Default: `dropped`. */
  readonly late?: 'kept' | 'dropped';
  /** Default: `batch`. */
  readonly judge?: Judge;
  /** Versions that do not plan it, each with the reason. */
  readonly refused?: Readonly<Record<string, string>>;
  /** Runs in `npm test`, too. Default: false. */
  readonly quick?: boolean;
}

/** What a model wrote, folded to its last state, and what it must have written. */
export interface ModelOutcome {
  readonly model: string;
  readonly judge: 'batch' | 'by hand';
  readonly rows: readonly Row[];
  readonly expected: readonly Row[];
}

/** How a case ended. */
export interface CaseOutcome {
  readonly name: string;
  /** Why it has no rows, or not all of them. Default: it has run to its end. */
  readonly problem?: string;
  readonly models: readonly ModelOutcome[];
}
