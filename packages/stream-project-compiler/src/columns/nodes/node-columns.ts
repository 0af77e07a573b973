import type { Definition } from '../../parse/definition.ts';
import { isDeclared } from '../../parse/is-declared.ts';
import { placeOf } from '../../parse/node-place.ts';
import type { NodeId } from '../../resolve/node-id.ts';
import type { TextRange } from '../../text/range.ts';
import type { SqlType } from '../../types/sql-type.ts';
import type { Nulls } from '../relations/nulls.ts';

/** The columns that a source or a model provides to its readers. */
export interface NodeColumns {
  readonly columns: readonly NodeColumn[];
  /** By name; of two columns with one name the first. */
  readonly byName: ReadonlyMap<string, NodeColumn>;
  /** Present when there may be more columns than listed, or when none can be determined: why, and where that is written. */
  readonly incomplete?: { readonly reason: string; readonly range: TextRange };
  /** What decides which rows there are, and so influences every column: filters, join conditions, groupings. */
  readonly influences: readonly ColumnInfluence[];
}

export interface NodeColumn {
  readonly name: string;
  /** The name as it is written, where a variable is part of it: messages say this, and hints leave the column out. */
  readonly written?: string;
  /** Undefined when it cannot be determined. */
  readonly type: SqlType | undefined;
  /** Whether it is a time attribute: windows and temporal joins need one. */
  readonly time: TimeAttribute | undefined;
  /** Where it ceased to be one, in this node or before it. */
  readonly lost?: LostTime;
  /** What is known of nulls in it, by this node or those before it; undefined where only its type says that there may be some. */
  readonly nulls?: Nulls;
  /** Columns that its value is made of, each once. None for sources, and for values that come from nowhere, such as `1`. */
  readonly origins: readonly ColumnOrigin[];
  /** Where it is declared or selected. Computed when asked for. */
  readonly range: () => TextRange;
}

/** What made a plain value of a time attribute. */
export interface LostTime {
  readonly range: TextRange;
  /** Of the SQL that contains it. */
  readonly path: string;
  readonly object: string;
  /** The column, as messages may show it. */
  readonly name: string;
  /** `JOIN`, `GROUP BY`; absent for a CAST. */
  readonly by?: string;
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

/** The columns of a node with the index of their names. */
export function nodeColumns({
  columns,
  incomplete,
  influences = [],
}: Pick<NodeColumns, 'columns'> & Partial<NodeColumns>): NodeColumns {
  const byName = new Map<string, NodeColumn>();
  for (const column of columns) if (!byName.has(column.name)) byName.set(column.name, column);
  return { columns, byName, influences, ...(incomplete === undefined ? {} : { incomplete }) };
}

/** Event time of a source, or of the topic of a model when it is read back. */
export interface EventTime {
  readonly column: string;
  readonly strategy: 'bounded_out_of_orderness' | 'monotonously_increasing';
  /** How far the watermark lags the latest time seen, in milliseconds; 0 when times only increase. */
  readonly delayMs: number;
  readonly allowedLatenessMs: number | undefined;
  /** How long a partition may be without records before event time advances without it, in milliseconds; undefined: without limit. */
  readonly idleMs: number | undefined;
  /** Where it is said. `path` is of the column's key, or of the source that it is handed on from. */
  readonly origin: { readonly path: string; readonly range: TextRange };
  /** True when nothing says it about the node itself: it is handed on by the SQL of the model. */
  readonly inherited: boolean;
}

/** The most digits after the second that a watermark can be for. */
const MAX_DIGITS = 3;

/** Whether the engine takes a watermark for a column of this type. */
export function takesWatermark(type: SqlType): boolean {
  return (type.name === 'TIMESTAMP' || type.name === 'TIMESTAMP_LTZ') && type.precision <= MAX_DIGITS;
}

interface TimeFacts {
  readonly eventTime: EventTime | undefined;
  readonly columns: NodeColumns;
}

/**
 * Whether it is known which column is the event time of a node. A misspelt, missing or wrong one was reported, and any column may
 * be meant: that a window or join reads one of them is no second mistake.
 */
export function isTimeKnown(
  { node }: Definition<'source'> | Definition<'model'>,
  section: 'event_time' | 'advanced.event_time',
  { eventTime, columns }: TimeFacts,
): boolean {
  if (!isDeclared(node, `${section}.column`)) return false;
  if (eventTime === undefined) return placeOf(node, section).node === undefined;
  if (eventTime.inherited) return true;
  const column = columns.byName.get(eventTime.column);
  if (column === undefined) return false;
  return column.time !== 'processing' && (column.type === undefined || takesWatermark(column.type));
}
