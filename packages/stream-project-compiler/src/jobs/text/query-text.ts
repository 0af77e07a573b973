import type { Span } from '@levada/stream-sql';
import type { ModelSql } from '../../resolve/model-sql.ts';
import { originOf } from '../../text/text-map.ts';

/** What is written in place of a span of a query. */
export interface Replacement extends Span {
  readonly text: string;
}

/** A query as it is in a job. */
export interface QueryText {
  readonly text: string;
  /** Pieces that are as they are in the project, in order: where they begin in the text, and what of the SQL they are. */
  readonly pieces: readonly { readonly at: number; readonly from: Span }[];
}

/**
 * The SQL of a model with its macros replaced: all else, comments and layout included, is as it is written, and variables stay
 * variables. Semicolons at the end are left out, and so are comments `{# #}`, which the engine does not have. Undefined where the value of a variable holds a macro.
 */
export function queryText(sql: ModelSql, replacements: readonly Replacement[]): QueryText | undefined {
  const all = [...replacements, ...semicolons(sql), ...templateComments(sql)].sort(
    (one, other) => one.start - other.start || one.end - other.end,
  );
  const { interpolated, scalar } = sql.leaf;
  if (interpolated === undefined) return replaced(sql.text, all);
  const before = String(scalar.value);
  const moved = all.map((one) => ({ ...originOf(interpolated.pieces, one), text: one.text }));
  const isInVariable = moved.some(({ start, end }) => end > start && before.startsWith('${', start));
  return isInVariable ? undefined : replaced(before, moved);
}

function replaced(text: string, replacements: readonly Replacement[]): QueryText {
  let made = '';
  let at = 0;
  const pieces: { readonly at: number; readonly from: Span }[] = [];
  const keep = (end: number) => {
    if (end > at) pieces.push({ at: made.length, from: { start: at, end } });
    made += text.slice(at, end);
  };
  for (const { start, end, text: other } of replacements) {
    keep(start);
    made += other;
    at = end;
  }
  keep(text.length);
  return { text: made, pieces };
}

/** A comment separates what is before and after it. */
function templateComments({ text, parsed }: ModelSql): readonly Replacement[] {
  return parsed.comments
    .filter(({ start }) => text.startsWith('{#', start))
    .map(({ start, end }) => ({ start, end, text: ' ' }));
}

/** Semicolons after the query. */
function semicolons({ text, parsed }: ModelSql): readonly Replacement[] {
  const end = parsed.query?.end ?? text.length;
  const found: Replacement[] = [];
  for (let at = text.indexOf(';', end); at >= 0; at = text.indexOf(';', at + 1)) {
    const inComment = parsed.comments.some((comment) => comment.start <= at && at < comment.end);
    if (!inComment) found.push({ start: at, end: at + 1, text: '' });
  }
  return found;
}
