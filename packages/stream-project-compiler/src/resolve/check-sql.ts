import { type Span, type SqlDiagnostic, sqlDiagnosticTitles } from '@levada/stream-sql';
import { diagnose } from '../diagnostics/diagnose.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { quote } from '../diagnostics/quote.ts';
import type { Definition } from '../parse/definition.ts';
import type { ModelSql } from './model-sql.ts';
import { isReplaced } from './place-in-file.ts';
import type { ProjectSymbols } from './project-symbols.ts';
import { resolveCodes } from './resolve-codes.ts';

/** The mistakes in the SQL of one model, at their places in the file. */
export function checkSql(
  model: Definition<'model'>,
  sql: ModelSql,
  symbols: ProjectSymbols,
): readonly Diagnostic[] {
  const mistakes = sqlMistakes(model, 'sql', sql);
  if (mistakes.length > 0) return mistakes;
  if (sql.kind?.readsTable === false) return [withoutFrom(model, sql)];
  return plainTables(model, sql, symbols);
}

export type SqlText = Pick<ModelSql, 'leaf' | 'text' | 'parsed' | 'rangeOf'>;

/** Syntax errors in the SQL of a definition; the path is that of the SQL below it. */
export function sqlMistakes(definition: Definition, path: string, sql: SqlText): readonly Diagnostic[] {
  return sql.parsed.diagnostics.map((found) =>
    diagnose(resolveCodes[found.code], {
      path: `${definition.path}.${path}`,
      object: definition.object,
      range: sql.rangeOf(shownSpan(sql, found)),
      ...wordsOf(sql, found),
    }),
  );
}

/** The end of a text is on the line of its last word: a block's line break ends on the next line, which says something else. */
function shownSpan({ text }: SqlText, found: Span): Span {
  const end = text.trimEnd().length;
  return found.start > end ? { start: end, end } : found;
}

function wordsOf({ leaf }: SqlText, found: SqlDiagnostic): { message: string; hint?: string | undefined } {
  // A message may quote the text, which may be the value of a variable
  if (isReplaced(leaf))
    return { message: `${sqlDiagnosticTitles[found.code]}, after variables were replaced` };
  const { message, fix, hint = fix === undefined ? undefined : `write ${fix}` } = found;
  return { message, hint };
}

function withoutFrom(model: Definition<'model'>, sql: ModelSql): Diagnostic {
  const { start, end } = sql.parsed.query ?? { start: 0, end: sql.text.length };
  return diagnose(resolveCodes['sql-no-from'], {
    ...aboutSql(model),
    range: sql.rangeOf({ start, end }),
    message: `the SQL of ${model.kind} ${quote(model.name ?? '')} reads no table, expected FROM`,
    hint: 'write FROM {{ source("name") }} or FROM {{ ref("name") }}',
  });
}

/** Tables named without a macro are not in the graph: their definition is unknown. */
function plainTables(
  model: Definition<'model'>,
  sql: ModelSql,
  symbols: ProjectSymbols,
): readonly Diagnostic[] {
  return sql.plainTables.flatMap(({ name, places: [place] }) => {
    if (place === undefined) return [];
    const shown = isReplaced(sql.leaf) ? sql.writtenAt(place) : name;
    const message = `table ${quote(shown)} is used without a macro, expected {{ source("name") }} or {{ ref("name") }}`;
    const hint = hintFor(name, symbols);
    return [
      diagnose(resolveCodes['plain-table'], { ...aboutSql(model), range: sql.rangeOf(place), message, hint }),
    ];
  });
}

function hintFor(name: string, { model, source }: ProjectSymbols): string | undefined {
  if (model.has(name)) return `write {{ ref("${name}") }}`;
  return source.has(name) ? `write {{ source("${name}") }}` : undefined;
}

function aboutSql(model: Definition<'model'>): { readonly path: string; readonly object: string } {
  return { path: `${model.path}.sql`, object: model.object };
}
