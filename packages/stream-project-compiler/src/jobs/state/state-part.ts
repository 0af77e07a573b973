/**
 * How long a part keeps what it has. `window`: until a window ends. `interval`: until event time has passed a bound that the SQL
 * gives. `ttl`: until it was not used for the time of `ttl_ms`. `forever`: nothing removes it.
 */
export type StateKeeps = 'window' | 'interval' | 'ttl' | 'forever';

/** A column, or an expression of columns, and its type in the words of the engine. */
export interface StateColumn {
  readonly name: string;
  readonly type: string;
}

/** An aggregate with the types of its arguments and of its result. */
export interface StateAggregate {
  readonly call: string;
  readonly arguments: readonly string[];
  readonly type: string;
}

/** Rows that a part reads: of another part by its name, else of a model of the same job, `model clean`. */
export interface StateInput {
  readonly from: string;
  /** A filter is between. */
  readonly filtered?: true;
}

/** One side of a join: what its rows are found by, and what is kept of each. */
export interface StateSide extends StateInput {
  readonly keys: readonly StateColumn[];
  readonly columns: readonly StateColumn[];
}

/** What every part has. */
interface PartFacts {
  /** Unique within its model: `window`, `join with customers`, `window 2`. */
  readonly name: string;
  readonly keeps: StateKeeps;
  /** Of `ttl`: how long. */
  readonly ttl_ms?: number;
  /** SHA-256 of what decides whether the engine can restore the part, beside `keeps`. */
  readonly fingerprint: string;
}

/** What every operator has beside. */
interface OperatorFacts extends PartFacts {
  readonly inputs: readonly StateInput[];
}

/** Offsets of a topic. */
export interface SourceState extends PartFacts {
  readonly kind: 'source';
  readonly node: string;
  readonly topic: string;
  /** `append`, `upsert` or `changelog`. */
  readonly rows: string;
  /** Columns by which rows that change are found. */
  readonly key: readonly string[];
  /** The column of its watermark. */
  readonly time?: string;
}

/** The latest row of each key of a topic whose rows change, from which the engine makes the row before each change. */
export interface NormalizeState extends OperatorFacts {
  readonly kind: 'normalize';
  readonly keys: readonly StateColumn[];
  readonly columns: readonly StateColumn[];
}

/** Aggregates of each window and group. */
export interface WindowState extends OperatorFacts {
  readonly kind: 'window';
  /** `TUMBLE`, `HOP`, `CUMULATE` or `SESSION`. */
  readonly window: string;
  /** Absent where the SQL has no single length, as with a variable. Of `SESSION` the gap. */
  readonly size_ms?: number;
  /** Of `HOP` and `CUMULATE`. */
  readonly step_ms?: number;
  readonly offset_ms?: number;
  /** The column of its time; absent where windows of windows have none of their own. */
  readonly time?: string;
  readonly keys: readonly StateColumn[];
  readonly aggregates: readonly StateAggregate[];
}

/** Aggregates of each group. */
export interface GroupState extends OperatorFacts {
  readonly kind: 'group';
  readonly keys: readonly StateColumn[];
  readonly aggregates: readonly StateAggregate[];
}

/** Rows of both sides; those of `temporal_join` are rows that wait for their time, and versions. */
export interface JoinState extends PartFacts {
  readonly kind: 'join' | 'interval_join' | 'window_join' | 'temporal_join';
  /** `INNER`, `LEFT`, `RIGHT`, `FULL`; of queries in conditions and values `SEMI`, `ANTI`, `SINGLE`. */
  readonly join: string;
  readonly left: StateSide;
  readonly right: StateSide;
  /** Conditions other than that keys are equal: those of time, those that compare columns of both sides in another way. */
  readonly conditions: readonly string[];
}

/** The first rows of each part: the latest row of a key, a top ten. */
export interface RankState extends OperatorFacts {
  readonly kind: 'rank';
  readonly keys: readonly StateColumn[];
  readonly order: readonly string[];
  /** Numbers of the rows that are wanted: `1`, `1 to 3`. */
  readonly rows: string;
  readonly columns: readonly StateColumn[];
}

/** Values of OVER. */
export interface OverState extends OperatorFacts {
  readonly kind: 'over';
  readonly keys: readonly StateColumn[];
  readonly order: readonly string[];
  /** Absent where the SQL has none. */
  readonly frame?: string;
  readonly aggregates: readonly StateAggregate[];
}

/** Rows of matches that are not complete yet. */
export interface MatchState extends OperatorFacts {
  readonly kind: 'match';
  readonly keys: readonly StateColumn[];
  readonly order: readonly string[];
  readonly pattern: string;
  readonly columns: readonly StateColumn[];
}

/** Rows that were seen: of DISTINCT, UNION, INTERSECT and EXCEPT. */
export interface SetState extends OperatorFacts {
  readonly kind: 'set';
  /** `DISTINCT`, `UNION`, `INTERSECT ALL`, ... */
  readonly operation: string;
  readonly columns: readonly StateColumn[];
}

/** Rows in an order, and the first of them. */
export interface SortState extends OperatorFacts {
  readonly kind: 'sort';
  readonly order: readonly string[];
  /** Numbers of the rows that are wanted. Absent where all are. */
  readonly rows?: string;
  readonly columns: readonly StateColumn[];
}

/** A table function, of which only the engine knows what it keeps. */
export interface FunctionState extends OperatorFacts {
  readonly kind: 'function';
  readonly call: string;
  readonly keys: readonly StateColumn[];
}

/** Where rows that change reach their topic. */
export interface SinkState extends OperatorFacts {
  readonly kind: 'sink';
  /** `append`, `upsert` or `changelog`. */
  readonly rows: string;
  /** Whether it keeps the rows of each key, because the query has another one. Otherwise it keeps nothing, but decides what operators before it write. */
  readonly materialized: boolean;
  readonly keys: readonly StateColumn[];
  readonly columns: readonly StateColumn[];
  /** Columns of the key whose nulls are split off. */
  readonly null_keys: readonly string[];
}

/** A part of a model that keeps state: an operator of the engine, as far as the SQL says which there are. */
export type StatePart =
  | SourceState
  | NormalizeState
  | WindowState
  | GroupState
  | JoinState
  | RankState
  | OverState
  | MatchState
  | SetState
  | SortState
  | FunctionState
  | SinkState;

/** Numbers of rows that are wanted, from 1. */
export interface RankRange {
  readonly first: number;
  readonly last: number | undefined;
}
