import type { DocumentForm } from '@levada/stream-project-schema';
import type { Span } from '@levada/stream-sql';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Suppression } from '../diagnostics/suppression.ts';
import type { SourceFile } from '../text/source-file.ts';
import { countSql } from './count-sql.ts';
import { createParseReport } from './parse-report.ts';
import { parseYaml } from './parse-yaml.ts';
import type { MissingVariable, ReadContext } from './read-context.ts';
import { type ReadDocument, readDocument } from './read-document.ts';
import { readNode } from './read-node.ts';

/** One file of a project as its rows say it. */
export interface ParsedFile extends ReadDocument {
  readonly file: SourceFile;
  readonly form: DocumentForm;
  /** How many keys, values and signs it has; 0 for a file that is not read. */
  readonly count: number;
  /** How many words and signs its SQL has. */
  readonly sqlCount: number;
  readonly suppressions: readonly Suppression[];
  /** Values that must not be printed. */
  readonly secrets: readonly Span[];
  /** Variables without a value; a file has no diagnostics for them, because others may lack the same. */
  readonly missing: readonly MissingVariable[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What a file is read with. */
export interface ParseFileOptions {
  readonly form: DocumentForm;
  readonly variables: ReadonlyMap<string, string>;
}

/** Reads one file. It depends on nothing else, so that a file that did not change need not be read again. */
export function parseFile(file: SourceFile, { form, variables }: ParseFileOptions): ParsedFile {
  const report = createParseReport(file);
  const { tree, readable, count, suppressions, whole } = parseYaml(file, report);
  const missing: MissingVariable[] = [];
  const secrets: Span[] = [];
  const read: ReadContext['read'] = (row, yaml, place) => readNode(context, row, yaml, place);
  const context: ReadContext = { file, form, variables, report, missing, secrets, read };
  const found = readable ? readDocument(context, tree) : { sections: {}, definitions: [], complete: false };
  const sqlCount = countSql(found.definitions);
  return {
    ...found,
    complete: found.complete && whole,
    file,
    form,
    count,
    sqlCount,
    suppressions,
    secrets,
    missing,
    diagnostics: report.diagnostics,
  };
}
