import type { ModelSql } from '../../resolve/model-sql.ts';
import type { OutputColumn } from '../output-columns.ts';
import type { QueryText } from './query-text.ts';
import { identifier, identifiers } from './sql-words.ts';

interface InsertFacts {
  readonly sql: ModelSql;
  /** The table that is written. */
  readonly into: string;
  readonly outputs: readonly OutputColumn[];
  /** Names of the columns that the query gives. */
  readonly columns: readonly string[];
  /** The name of its rows where it is a subquery. */
  readonly rowsName: string;
  /** Whether records are handed on, of which the query gives more columns than are written. */
  readonly isRecord: boolean;
  /**
   * Whether to say that the latest row of a key counts. Only some versions ask for it, unless they find the key in the query, in which
   * case it changes nothing and costs no state.
   */
  readonly onConflict: boolean;
}

/** `INSERT INTO`, with the query as it is written; where columns are masked, with the query as a subquery and the masks around it. */
export function insertStatement(
  { text }: QueryText,
  { sql, into, outputs, columns, rowsName, isRecord, onConflict }: InsertFacts,
): { readonly before: string; readonly text: string } {
  const isWrapped = isRecord || outputs.some((output) => output.sql !== undefined);
  const insert = `INSERT INTO ${identifier(into)}\n`;
  const before = isWrapped ? `${insert}SELECT\n${outputs.map(outputLine).join(',\n')}\nFROM (\n` : insert;
  const list = isRecord ? '' : ` (${identifiers(columns)})`;
  const after = isWrapped ? `\n) AS ${identifier(rowsName)}${list}` : endsInComment(sql) ? '\n' : '';
  const conflict = onConflict ? '\nON CONFLICT DO DEDUPLICATE' : '';
  return { before, text: `${before}${text.trimEnd()}${after}${conflict}` };
}

function outputLine({ name, sql }: OutputColumn): string {
  return sql === undefined ? `  ${identifier(name)}` : `  ${sql} AS ${identifier(name)}`;
}

/** Whether the text ends in a comment that takes in what follows on its line. */
function endsInComment({ text, parsed }: ModelSql): boolean {
  const last = parsed.comments.at(-1);
  return last !== undefined && text.slice(last.end).trim() === '' && !text.startsWith('/*', last.start);
}
