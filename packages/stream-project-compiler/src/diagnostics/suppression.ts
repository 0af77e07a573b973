import type { TextRange } from '../text/range.ts';
import { type DiagnosticCode, entryOf, findCode } from './catalogue.ts';
import { diagnose } from './diagnose.ts';
import type { Diagnostic } from './diagnostic.ts';
import { quote } from './quote.ts';

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

/**
 * The findings without those that comments hide, and a warning for each name in a comment that hides nothing. Codes after
 * which a part of the project is missing cannot be hidden.
 */
export function applySuppressions(
  diagnostics: readonly Diagnostic[],
  suppressions: readonly Suppression[],
): readonly Diagnostic[] {
  if (suppressions.length === 0) return diagnostics;
  const used = new Set<string>();
  const places = new Set(
    suppressions.flatMap((one) => one.names.map((name) => placeOf(one, findCode(name)))),
  );
  const kept = diagnostics.filter(({ code, range }) => {
    const place = `${range.file}:${range.start.line}:${code}`;
    if (!places.has(place) || entryOf(code).fixed === true) return true;
    used.add(place);
    return false;
  });
  return [...kept, ...suppressions.flatMap((one) => unusedIn(one, used))];
}

function placeOf({ range, line }: Suppression, code: DiagnosticCode | undefined): string {
  return `${range.file}:${line}:${code ?? ''}`;
}

function unusedIn(suppression: Suppression, used: ReadonlySet<string>): readonly Diagnostic[] {
  const { names, range } = suppression;
  if (names.length === 0) {
    return [diagnose('unused-suppression', { range, message: 'the comment names no code to hide' })];
  }
  return names.flatMap((name) => {
    const code = findCode(name);
    if (code !== undefined && used.has(placeOf(suppression, code))) return [];
    return [diagnose('unused-suppression', { range, message: reason(name, code) })];
  });
}

function reason(name: string, code: DiagnosticCode | undefined): string {
  if (code === undefined) return `there is no code ${quote(name)}`;
  if (entryOf(code).fixed === true) return `${quote(name)} cannot be hidden by a comment`;
  return `${quote(name)} is not reported on that line`;
}
