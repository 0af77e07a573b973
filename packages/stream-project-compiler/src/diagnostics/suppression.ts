import type { TextRange } from '../text/range.ts';

/** A comment that hides findings which begin on one line. */
export interface Suppression {
  /** Codes or names as written. */
  readonly names: readonly string[];
  /** The line that it is about, from 1. */
  readonly line: number;
  /** Place of the comment. */
  readonly range: TextRange;
}

const form = /\blevada-disable-(line|next-line)\b[ \t]*(.*)$/;

/**
 * What a comment hides: `# levada-disable-next-line LV1303` or `... parsed-only, LV1308`, and `levada-disable-line` at the end
 * of the line itself. Undefined for any other comment.
 */
export function suppressionIn(comment: string, range: TextRange): Suppression | undefined {
  const [, where, list = ''] = form.exec(comment) ?? [];
  if (where === undefined) return undefined;
  const names = list.split(/[\s,]+/).filter((name) => name !== '');
  return { names, line: range.start.line + (where === 'line' ? 0 : 1), range };
}
