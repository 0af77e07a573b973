import type { JobFile, JobFileModel } from './job-file.ts';

/** A place in one statement of a job, as the engine says it, lines and columns from 1. */
export interface StatementPlace {
  /** Number of the statement, from 1. Default: the last one, which holds the query. */
  readonly statement?: number;
  readonly line: number;
  readonly column: number;
  /** The last character that is meant. Default: the first one. */
  readonly end?: { readonly line: number; readonly column: number };
}

/** Where the project says what a place of a job is. */
export type ProjectPlace =
  | {
      readonly kind: 'query';
      /** Below the project's folder. */
      readonly file: string;
      readonly line: number;
      readonly column: number;
      /** After the last character that is meant, on the same line. */
      readonly endColumn: number;
    }
  /** The statement makes a table of this topic, whose columns the node declares. */
  | { readonly kind: 'table'; readonly node: string; readonly topic: string }
  /** The statement is a setting of the session, or the view of the latest rows that a temporal join reads. */
  | { readonly kind: 'setting' | 'view' };

/** Texts of the engine are long, but say the place near their beginning. */
const MAX_TEXT = 100_000;
const placeInText =
  /\b(?:from|at) line (\d{1,9}), column (\d{1,9})(?: to line (\d{1,9}), column (\d{1,9}))?/i;

/** The first place that a text of the engine names, `From line 2, column 8 to line 2, column 13`, and the line that names it; undefined where it names none. */
export function placeInEngineText(
  text: string,
): { readonly message: string; readonly place: StatementPlace } | undefined {
  const found = placeInText.exec(text.slice(0, MAX_TEXT));
  if (found === null) return undefined;
  const [, line, column, endLine, endColumn] = found;
  const start = text.lastIndexOf('\n', found.index) + 1;
  const end = text.indexOf('\n', found.index);
  const place = { line: Number(line), column: Number(column) };
  return {
    message: text.slice(start, end < 0 ? text.length : end).trim(),
    place:
      endLine === undefined ? place : { ...place, end: { line: Number(endLine), column: Number(endColumn) } },
  };
}

/**
 * The place of the project that a place in a statement is made from, by the source map of the job. What was replaced, such as a
 * macro, is found by what is written before it on the line; undefined for a place that the job does not have.
 */
export function projectPlace(
  { reads, models, statements }: JobFile,
  { statement = statements.length, line, column, end }: StatementPlace,
): ProjectPlace | undefined {
  const first = statements[statement - 1];
  if (first === undefined || line < 1 || column < 1) return undefined;
  const inScript = first + line - 1;
  const next = statements[statement];
  if (next !== undefined && inScript >= next) return undefined;
  const table = reads.find((input) => input.statement === statement);
  if (table !== undefined) return { kind: 'table', node: table.node, topic: table.topic };
  const written = models.find((model) => model.writes.statement === statement);
  if (written !== undefined)
    return { kind: 'table', node: `model:${written.model}`, topic: written.writes.topic };
  const firstTable = Math.min(...models.map((model) => model.writes.statement));
  const held = models.filter((model) => model.statement === statement);
  if (held.length === 0)
    return statement === statements.length
      ? undefined
      : { kind: statement < firstTable ? 'setting' : 'view' };
  const { file, source_map } = held.findLast(
    ({ source_map: [piece] }) => piece !== undefined && piece[0] <= inScript,
  ) ??
    held[0] ?? { file: '', source_map: [] };
  const at = nearest(source_map, inScript, column);
  if (at === undefined) return undefined;
  const [, start, length, fromLine, fromColumn] = at;
  const from = fromColumn + Math.min(column - start, length);
  const stop = end?.line === line ? nearest(source_map, inScript, end.column) : undefined;
  const until =
    stop !== undefined && stop[3] === fromLine
      ? stop[4] + Math.min((end?.column ?? 0) - stop[1] + 1, stop[2])
      : 0;
  return { kind: 'query', file, line: fromLine, column: from, endColumn: Math.max(from + 1, until) };
}

type SourcePiece = JobFileModel['source_map'][number];

/** The piece that holds a column of a line, else the nearest one before it, else the first after it. */
function nearest(map: JobFileModel['source_map'], line: number, column: number): SourcePiece | undefined {
  let before: SourcePiece | undefined;
  for (const piece of map) {
    if (piece[0] > line || (piece[0] === line && piece[1] > column)) return before ?? piece;
    before = piece;
  }
  return before;
}
