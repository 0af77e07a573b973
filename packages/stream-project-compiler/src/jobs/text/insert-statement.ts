import type { ModelSql } from '../../resolve/model-sql.ts';
import type { OutputColumn } from '../output-columns.ts';
import type { QueryText } from './query-text.ts';
import { identifier, identifiers } from './sql-words.ts';

interface SelectFacts {
  readonly sql: ModelSql;
  readonly outputs: readonly OutputColumn[];
  /** Names of the columns that the query gives. */
  readonly columns: readonly string[];
  /** The name of its rows where it is a subquery. */
  readonly rowsName: string;
  /** Whether records are handed on, of which the query gives more columns than are written. */
  readonly isRecord: boolean;
  /** Whether it is the query of a view, which the engine refuses from 2.0 to 2.2 where it ends in ORDER BY or LIMIT. */
  readonly isView: boolean;
}

/** A query in a statement of a job, with what comes before the text of the model. */
export interface StatementText {
  readonly before: string;
  readonly text: string;
}

/** The query as it is written; where columns are masked, as a subquery with the masks around it. */
export function selectText(
  { text }: QueryText,
  { sql, outputs, columns, rowsName, isRecord, isView }: SelectFacts,
): StatementText {
  const { orderBy = [], limit } = sql.parsed.query ?? {};
  const isSorted = isView && (orderBy.length > 0 || limit !== undefined);
  const isWrapped = isRecord || isSorted || outputs.some((output) => output.sql !== undefined);
  const before = isWrapped ? `SELECT\n${outputs.map(outputLine).join(',\n')}\nFROM (\n` : '';
  const list = isRecord ? '' : ` (${identifiers(columns)})`;
  const after = isWrapped ? `\n) AS ${identifier(rowsName)}${list}` : endsInComment(sql) ? '\n' : '';
  return { before, text: `${before}${text.trimEnd()}${after}` };
}

/**
 * `INSERT INTO` with a query. `onConflict`: whether to say that the latest row of a key counts. Only some versions ask for it, unless
 * they find the key in the query, in which case it changes nothing and costs no state.
 */
export function insertStatement(into: string, query: StatementText, onConflict: boolean): StatementText {
  const insert = `INSERT INTO ${identifier(into)}\n`;
  const conflict = onConflict ? '\nON CONFLICT DO DEDUPLICATE' : '';
  return { before: `${insert}${query.before}`, text: `${insert}${query.text}${conflict}` };
}

/** A view of the rows of a model, with the names of its columns. */
export function viewStatement(name: string, columns: readonly string[], query: StatementText): StatementText {
  const view = `CREATE TEMPORARY VIEW ${identifier(name)} (${identifiers(columns)}) AS\n`;
  return { before: `${view}${query.before}`, text: `${view}${query.text}` };
}

/** One INSERT, or a set of them that the engine runs as one job. */
export function statementSet(inserts: readonly string[]): string {
  const [only, another] = inserts;
  if (only !== undefined && another === undefined) return only;
  return `${setHead}${inserts.map((insert) => `${insert};\n`).join('')}END`;
}

/** What comes before the first INSERT of a set. */
const setHead = 'EXECUTE STATEMENT SET\nBEGIN\n';

/** The line of each INSERT in the statement that holds them, from 1. */
export function insertLines(inserts: readonly string[]): readonly number[] {
  let line = inserts.length > 1 ? setHead.split('\n').length : 1;
  return inserts.map((insert) => {
    const first = line;
    line += insert.split('\n').length;
    return first;
  });
}

function outputLine({ name, sql }: OutputColumn): string {
  return sql === undefined ? `  ${identifier(name)}` : `  ${sql} AS ${identifier(name)}`;
}

/** Whether the text ends in a comment that takes in what follows on its line. */
function endsInComment({ text, parsed }: ModelSql): boolean {
  const last = parsed.comments.at(-1);
  return last !== undefined && text.slice(last.end).trim() === '' && !text.startsWith('/*', last.start);
}
