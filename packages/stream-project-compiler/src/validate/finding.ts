import { type FieldPath, formatPath } from '@levada/stream-project-schema';
import type { Span } from '@levada/stream-sql';
import { diagnose } from '../diagnostics/diagnose.ts';
import type { CatalogueEntry, Diagnostic, RelatedPlace } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import type { Definition, Parsed } from '../parse/definition.ts';
import { placeOf } from '../parse/node-place.ts';
import type { Reference } from '../resolve/reference.ts';
import type { ResolvedModel } from '../resolve/resolved-project.ts';
import type { Setting } from '../resolve/settings.ts';
import type { TextRange } from '../text/range.ts';
import { rangeAt } from '../text/source-file.ts';

/** Where a finding is reported. */
export type Place = Pick<Diagnostic, 'path' | 'object' | 'range'>;

export interface Words {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly related?: readonly RelatedPlace[] | undefined;
}

/** A finding of a rule: `finding(codes['no-effect'], at(definition, 'sink', 'key'), { message })`. */
export function finding(entry: CatalogueEntry, place: Place, words: Words): Diagnostic {
  return diagnose(entry, { ...words, ...place });
}

/** The text to underline: a value, or its key. */
export type Mark = 'key' | 'value';

/** The place of a value below a definition or a section, or of its key; of an absent one, that of the nearest key around it. */
export function at(section: Parsed<unknown>, path: FieldPath | string, mark: Mark = 'value'): Place {
  const below = typeof path === 'string' ? path : formatPath(path);
  return {
    path: `${section.path}.${below}`,
    object: section.object,
    range: rangeBelow(section, path, mark),
  };
}

/** The place where a definition names a source, a model or a topic. */
export function atReference({ object }: Definition, { path, range }: Reference): Place {
  return { path, object, range: range() };
}

/** The place that a setting of a definition comes from: the definition itself, a default, `runtime`. */
export function atSetting({ object }: Definition, { origin }: Setting<unknown>): Place {
  return { path: origin.path, object, range: origin.range };
}

/** The place of a piece of a model's SQL. */
export function atSql({ definition: { path, object }, sql }: ModelWithSql, span: Span): Place {
  return { path: `${path}.sql`, object, range: sql.rangeOf(span) };
}

/** A model whose SQL was read. */
type ModelWithSql = Pick<ResolvedModel, 'definition'> & {
  readonly sql: NonNullable<ResolvedModel['sql']>;
};

/** The range of a value below a definition or a section, or of its key. */
export function rangeBelow(
  { file, node }: Parsed<unknown>,
  path: FieldPath | string,
  mark: Mark = 'value',
): TextRange {
  const { span, keySpan } = placeOf(node, path);
  return rangeAt(file, mark === 'key' ? (keySpan ?? span) : span);
}

/** A definition as messages name it: `test "orders_fresh"`. */
export function named({ kind, name, path }: Definition): string {
  return `${kind} ${quote(name ?? path)}`;
}
