import { type FieldPath, formatPath, parsePath } from '@levada/stream-project-schema';
import { diagnose } from '../diagnostics/diagnose.ts';
import type { CatalogueEntry, Diagnostic, RelatedPlace } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import type { Definition } from '../parse/definition.ts';
import { placeOf } from '../parse/node-place.ts';
import type { TextRange } from '../text/range.ts';
import { rangeAt } from '../text/source-file.ts';

/** What a finding about one value of a definition says. */
export interface FindingAt {
  /** Below the definition. */
  readonly path: FieldPath;
  /** What to underline: the value (the default), or its key. */
  readonly mark?: 'key' | 'value';
  readonly message: string;
  readonly hint?: string | undefined;
  readonly related?: readonly RelatedPlace[];
}

/** A finding about one value of a definition, at its place in the file. */
export function findingAt(
  entry: CatalogueEntry,
  definition: Definition,
  { path, mark = 'value', ...finding }: FindingAt,
): Diagnostic {
  return diagnose(entry, {
    ...finding,
    path: formatPath([...parsePath(definition.path), ...path]),
    object: definition.object,
    range: rangeBelow(definition, path, mark),
  });
}

/** Where a value of a definition stands, or its key. */
export function rangeBelow(
  { file, node }: Definition,
  path: FieldPath,
  mark: 'key' | 'value' = 'value',
): TextRange {
  const { span, keySpan } = placeOf(node, path);
  return rangeAt(file, mark === 'key' ? (keySpan ?? span) : span);
}

/** A definition in words: `test "orders_fresh"`. */
export function wordsOf(definition: Definition): string {
  return `${definition.kind} ${quote(definition.name ?? definition.path)}`;
}
