import type { Span } from '@levada/stream-sql';
import type { NodeId } from '../../resolve/node-id.ts';
import type { TextRange } from '../../text/range.ts';
import type { SqlType } from '../../types/sql-type.ts';
import type {
  ColumnInfluence,
  ColumnOrigin,
  LostTime,
  NodeColumn,
  NodeColumns,
  TimeAttribute,
} from '../nodes/node-columns.ts';
import type { ColumnMistake } from '../query-context.ts';
import type { Nulls } from './nulls.ts';

/** Whether a value is a time attribute; `uncertain` where only the engine's planner can say. */
export type TimeState = TimeAttribute | 'uncertain' | undefined;

/** An end of the windows of one call. */
export interface WindowEdge {
  readonly of: 'start' | 'end';
  /** The time of the windows. */
  readonly time: TimeAttribute;
  /** The type of that time. */
  readonly type: SqlType['name'] | undefined;
  /** Whether each part of the rows has windows of its own. */
  readonly isByPart: boolean;
  /** Name and lengths: windows of equal texts have the same bounds. */
  readonly window: string;
}

/** A column of a table in `FROM`, or of the result of a query. */
export interface RelationColumn {
  readonly name: string;
  readonly type: SqlType | undefined;
  readonly time: TimeState;
  /** What is known of nulls in it beside its type. */
  readonly nulls?: Nulls;
  /** It is no time attribute any more, but the planner keeps its type. Only UNION looks at that. */
  readonly marked?: true;
  /** Where it ceased to be a time attribute, if a CAST is why. */
  readonly lost?: LostTime;
  readonly origins: readonly ColumnOrigin[];
  /** Which end of which window it is, while nothing was done to it. */
  readonly edge?: WindowEdge;
  /** The mistake to report when rows are grouped by its window, which the engine refuses. */
  readonly refusedInGroups?: ColumnMistake;
  /** The name that it has in its table, where `*` gave it one of its own because an earlier column has that. */
  readonly repeats?: string;
  /** Where it is selected in the SQL; undefined for columns of nodes. */
  readonly span?: Span;
  /** The name as it is written, where a variable is part of it: messages say this, and hints leave the column out. */
  readonly written?: string;
}

/** Why a relation may have columns that are not listed. */
export interface OpenRelation {
  readonly reason: string;
  /** How to close it. Default: declare the columns of its nodes. */
  readonly hint?: string;
  readonly range: () => TextRange;
  /** The nodes that a column that is not listed may come from. */
  readonly nodes: readonly NodeId[];
  /** Origins of any column that is not listed, where they are known. */
  readonly origins?: readonly ColumnOrigin[];
}

/** Rows with columns, as far as both can be determined. */
export interface Relation {
  readonly columns: readonly RelationColumn[];
  /** Present when there may be more columns. */
  readonly open: OpenRelation | undefined;
  /** Columns that decide about its rows. */
  readonly influences: readonly ColumnInfluence[];
  /** True where the project says nothing about the data that it is made of, as a list of columns with types would. */
  readonly undeclared: boolean;
  /** The columns by which a topic keeps one row of each, where a source or a model names them; else none. */
  readonly key: readonly string[];
  /** The column of a name; `ambiguous` when several have it. */
  readonly find: (name: string) => RelationColumn | 'ambiguous' | undefined;
}

interface RelationParts {
  readonly columns: readonly RelationColumn[];
  readonly open?: OpenRelation | undefined;
  readonly influences?: readonly ColumnInfluence[];
  /** Default: false. */
  readonly undeclared?: boolean;
  /** Default: none. */
  readonly key?: readonly string[];
}

/** A relation of these columns. Its index of names is made at the first search. */
export function relationOf({
  columns,
  open,
  influences = [],
  undeclared = false,
  key = [],
}: RelationParts): Relation {
  let index: Map<string, RelationColumn | 'ambiguous'> | undefined;
  return {
    columns,
    open,
    influences,
    undeclared,
    key,
    find: (name) => {
      index ??= indexOf(columns);
      return index.get(name);
    },
  };
}

function indexOf(columns: readonly RelationColumn[]): Map<string, RelationColumn | 'ambiguous'> {
  const index = new Map<string, RelationColumn | 'ambiguous'>();
  for (const column of columns) index.set(column.name, index.has(column.name) ? 'ambiguous' : column);
  return index;
}

/** The column that an open relation must have, since it is read by this name. */
export function columnOfOpen(name: string, open: OpenRelation): RelationColumn {
  const [node, another] = open.nodes;
  const origins: readonly ColumnOrigin[] =
    node === undefined || another !== undefined
      ? (open.origins ?? [])
      : [{ node, column: name, through: 'identity' }];
  return { name, type: undefined, time: 'uncertain', origins };
}

/** The reason why one of several relations is open. */
export function firstOpen(relations: readonly Relation[]): OpenRelation | undefined {
  const open = relations.flatMap((relation) => relation.open ?? []);
  const [first] = open;
  return first === undefined
    ? undefined
    : { ...first, nodes: [...new Set(open.flatMap(({ nodes }) => nodes))] };
}

interface NodeFacts {
  /** Columns of which it is not known whether they are times. Default: none. */
  readonly uncertain?: ReadonlySet<string> | undefined;
  /** The columns that a node names as its key, or by which its rows change. Default: none. */
  readonly key?: readonly string[];
}

/** A node as the queries see it that read it: each column comes from itself. */
export function nodeRelation(
  node: NodeId,
  { columns, incomplete }: NodeColumns,
  { uncertain = new Set(), key = [] }: NodeFacts = {},
): Relation {
  const listed = columns.map(
    ({ name, written, type, time, lost, nulls }): RelationColumn => ({
      name,
      ...(written === undefined ? {} : { written }),
      type,
      // One that is declared wrongly is no more sure than the others
      time: uncertain.has(name) && time !== 'processing' ? 'uncertain' : time,
      ...(lost === undefined ? {} : { lost }),
      ...(nulls === undefined ? {} : { nulls }),
      origins: [{ node, column: name, through: 'identity' }],
    }),
  );
  const open =
    incomplete === undefined
      ? undefined
      : { reason: incomplete.reason, range: () => incomplete.range, nodes: [node] };
  return relationOf({
    columns: listed,
    open,
    key,
    undeclared: node.startsWith('model:') && !columns.some(isDeclared),
  });
}

/** Whether the type of a column is known because something declares it. */
function isDeclared({ type, origins }: NodeColumn): boolean {
  return type !== undefined && origins.length > 0 && origins.every(({ through }) => through === 'identity');
}
