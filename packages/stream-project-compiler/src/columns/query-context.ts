import type {
  Call,
  Column,
  Expression,
  Identifier,
  Join,
  Macro,
  MatchRecognize,
  OrderItem,
  Query,
  Select,
  Span,
  TableName,
} from '@levada/stream-sql';
import type { TextRange } from '../text/range.ts';
import type { EngineDialect } from '../types/functions/engine-dialect.ts';
import type { SqlType } from '../types/sql-type.ts';
import type { mistakeCodes } from './column-codes.ts';
import type { LostTime } from './nodes/node-columns.ts';
import type { OpenRelation, Relation, RelationColumn } from './relations/relation.ts';
import type { ExpressionPlace } from './scope/expression-use.ts';
import type { FromScope } from './scope/from-scope.ts';

/** A mistake in the SQL of a model, at its place there. */
export interface ColumnMistake extends Span {
  readonly name: keyof typeof mistakeCodes;
  readonly message: string;
  readonly hint?: string | undefined;
  /** The project says too little about the tables to be sure. */
  readonly unsure?: boolean;
  /** Where it is instead, when what is wrong is not in this query. */
  readonly at?: LostTime;
}

/** A column that an expression names, as the scopes around it have it. */
export interface ResolvedColumn {
  readonly column: RelationColumn;
  /** Equal for equal columns of the same table of the same query. */
  readonly id: string;
  /** The scope whose table has it. */
  readonly scope: FromScope;
  /** The place of that table; undefined for a column of USING. */
  readonly place: number | undefined;
}

/** The context in which one model's SQL is inferred. */
export interface QueryContext {
  /** The columns of a table that is no common table of the query. */
  readonly tableOf: (table: TableName | Macro) => Relation;
  readonly report: (mistake: ColumnMistake) => void;
  /** The definition that contains the query. */
  readonly owner: { readonly path: string; readonly object: string };
  /** The dialect of the engine on which the query runs. */
  readonly dialect: EngineDialect;
  /** Whether so many mistakes were reported that no more are taken: then hints are not worth looking for. */
  readonly isFull: () => boolean;
  /** The place of a piece of the SQL in its file. Computed when asked for. */
  readonly rangeOf: (span: Span) => () => TextRange;
  /** A name for a message: what a variable was replaced by is not shown. */
  readonly shown: (name: Identifier) => string;
  /** A name as it is written, where a variable is part of it. */
  readonly written: (name: Identifier) => string | undefined;
  /** Whether names of the query may be shown in hints. */
  readonly mayHint: boolean;
  /** The result type of `ML_PREDICT`, by name of the machine-learning model. */
  readonly modelOutputs: (name: string) => SqlType | undefined;
  /** Names of machine-learning models written without quotes in calls such as `ML_PREDICT(m, x)`, where they look like columns. */
  readonly modelNames: ReadonlyMap<Column, Call>;
  /** Names resolved so far. A name that could not be resolved maps to undefined. */
  readonly columns: Map<Column, ResolvedColumn | undefined>;
  /** The parts that are checked once the whole query is inferred. */
  readonly parts: QueryPart[];
  /** Queries within expressions, found so far. */
  readonly relations: Map<Query, Relation>;
}

/** A part of a query, with what was found of it. */
export type QueryPart =
  | { readonly kind: 'select'; readonly select: Select; readonly place: ExpressionPlace }
  /** The order of the rows that a SELECT gives. */
  | {
      readonly kind: 'order';
      readonly select: Select;
      readonly orderBy: readonly OrderItem[];
      readonly place: ExpressionPlace;
    }
  /** `before` is the place of the first table of its right side. */
  | { readonly kind: 'join'; readonly join: Join; readonly before: number; readonly place: ExpressionPlace }
  /** The right side of a temporal join, and the time that it is read as of. */
  | {
      readonly kind: 'as-of';
      readonly asOf: Expression;
      readonly right: Relation;
      readonly place: ExpressionPlace;
    }
  /** TUMBLE, HOP, CUMULATE or SESSION in FROM. */
  | { readonly kind: 'window'; readonly call: Call; readonly place: ExpressionPlace }
  | { readonly kind: 'match'; readonly match: MatchRecognize }
  /** Rows that follow from every column of a table whose columns are not all known. `what` compares them, as DISTINCT does. */
  | { readonly kind: 'every-column'; readonly what: string; readonly open: OpenRelation };

/** Common tables that a query may name. */
export interface CommonTables {
  readonly tables: Map<string, Relation>;
  readonly outer: CommonTables | undefined;
}

/** Where a query is written. */
export interface QueryPlace {
  readonly context: QueryContext;
  readonly common: CommonTables | undefined;
  /** Tables of the query around it. */
  readonly outer: FromScope | undefined;
}

/** The common table of a name, from the innermost query outwards. */
export function commonTable(name: string, common: CommonTables | undefined): Relation | undefined {
  for (let level = common; level !== undefined; level = level.outer) {
    const found = level.tables.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}
