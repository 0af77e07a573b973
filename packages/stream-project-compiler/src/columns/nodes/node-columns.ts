import type { NodeId } from '../../resolve/node-id.ts';
import type { TextRange } from '../../text/range.ts';
import type { SqlType } from '../../types/sql-type.ts';

/** What a source or a model gives to those that read it. */
export interface NodeColumns {
  readonly columns: readonly NodeColumn[];
  /** By name; of two columns with one name the first. */
  readonly byName: ReadonlyMap<string, NodeColumn>;
  /** Present when there may be more columns than listed, or when none can be told: why, and where that is written. */
  readonly incomplete?: { readonly reason: string; readonly range: TextRange };
  /** What decides which rows there are, and so influences every column: filters, join conditions, groupings. */
  readonly influences: readonly ColumnInfluence[];
}

/** One column of a source or a model. */
export interface NodeColumn {
  readonly name: string;
  /** The name as it is written, where a variable is part of it: messages say this, and hints leave the column out. */
  readonly written?: string;
  /** Undefined when it cannot be told. */
  readonly type: SqlType | undefined;
  /** Whether it is a time attribute: windows and temporal joins need one. */
  readonly time: TimeAttribute | undefined;
  /** Where it ceased to be one, in this node or before it. */
  readonly lost?: LostTime;
  /** Columns that its value is made of, each once. None for sources, and for values that come from nowhere, such as `1`. */
  readonly origins: readonly ColumnOrigin[];
  /** Where it is declared or selected. Computed when asked for. */
  readonly range: () => TextRange;
}

/** The CAST that made a plain value of a time attribute. */
export interface LostTime {
  readonly range: TextRange;
  /** Of the SQL that holds it. */
  readonly path: string;
  readonly object: string;
  /** The column that is cast, as messages may show it. */
  readonly name: string;
}

export type TimeAttribute = 'event' | 'processing';

/** A column of another node. */
export interface ColumnRef {
  readonly node: NodeId;
  readonly column: string;
}

/** A column that a value is made of, and the most that happens to it on the way. */
export interface ColumnOrigin extends ColumnRef {
  /** `identity`: handed on as it is. `transformation`: an expression of it. `aggregation`: of many rows. */
  readonly through: 'identity' | 'transformation' | 'aggregation';
}

/** A column that decides about rows, but is not part of any value. */
export interface ColumnInfluence extends ColumnRef {
  readonly by: 'filter' | 'join' | 'group' | 'order' | 'window';
}
