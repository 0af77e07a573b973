import type { Macro, OrderItem, Query, Select, Span, TableName } from '@levada/stream-sql';
import type { ColumnMistake, QueryContext } from '../columns/query-context.ts';
import type { ExpressionPlace } from '../columns/scope/expression-use.ts';
import type { FoundErratum } from '../errata/found-errata.ts';
import { type Construct, lacks } from '../types/functions/engine-dialect.ts';
import { checkConstruct } from '../types/unknown-function.ts';
import { type Changes, isAppend } from './changes.ts';
import type { Numbered } from './numbered-rows.ts';

/** What the changes of a query follow from, beside its text. Its columns were resolved before. */
export interface ChangesContext {
  readonly columns: QueryContext;
  /** Where each SELECT is, with the tables that it reads. */
  readonly selects: ReadonlyMap<Select, ExpressionPlace>;
  /** The changes of a table of the project. */
  readonly tableOf: (table: TableName | Macro) => Changes;
  readonly refuse: (refusal: Refusal | ColumnMistake) => void;
  /** Called for a function in rows that change whose value is another one each time that a row is looked at. */
  readonly vary?: (name: string) => void;
  /** Called for what a defect of the engine makes wrong. */
  readonly erratum?: (found: FoundErratum) => void;
}

/** An operator that takes appended rows only, and reads others. */
export interface Refusal {
  readonly operator: string;
  readonly start: number;
  readonly end: number;
  readonly input: Changes;
}

/** The rows of a query as the query around it reads them. */
export interface QueryRows {
  readonly changes: Changes;
  /** Present while its rows are numbered, and nothing says yet how many of them are wanted. */
  readonly numbered?: Numbered;
  /** Of a SELECT: what defects of the engine make of its first rows in an order. */
  readonly errataOf?: (orderBy: readonly OrderItem[]) => readonly FoundErratum[];
}

/** Common tables by name, from the innermost query outwards. */
export interface CommonRows {
  readonly tables: ReadonlyMap<string, () => QueryRows>;
  readonly outer: CommonRows | undefined;
}

/** Where a query is. */
export interface ChangesPlace {
  readonly context: ChangesContext;
  readonly common: CommonRows | undefined;
  /** The rows of a query within it. */
  readonly rowsOf: (query: Query, place: ChangesPlace) => QueryRows;
}

/** The rows of a table by its name: a common table of the query, or one of the project. */
export function namedRows(table: TableName | Macro, { common, context }: ChangesPlace): QueryRows {
  const [name, another] = table.kind === 'macro' ? [] : table.path;
  if (name !== undefined && another === undefined) {
    for (let level = common; level !== undefined; level = level.outer) {
      const found = level.tables.get(name.name);
      if (found !== undefined) return found();
    }
  }
  return { changes: context.tableOf(table) };
}

/** Whether the version of the engine has something of SQL. */
export function has(construct: Construct, { columns }: ChangesContext): boolean {
  return lacks(columns.dialect, construct) === undefined;
}

/** Reports something of SQL that the version of the engine does not have. */
export function requireConstruct(construct: Construct, span: Span, context: ChangesContext): void {
  checkConstruct(construct, span, { dialect: context.columns.dialect, report: context.refuse });
}

/** Reports an operator that takes appended rows only where it reads others. */
export function requireAppend(
  input: Changes,
  operator: Omit<Refusal, 'input'>,
  { refuse }: ChangesContext,
): void {
  if (!isAppend(input)) refuse({ ...operator, input });
}
