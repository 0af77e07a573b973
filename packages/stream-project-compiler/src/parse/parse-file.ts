import type { DocumentForm } from '@levada/stream-project-schema';
import type { Span } from '@levada/stream-sql';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Suppression } from '../diagnostics/suppression.ts';
import type { SourceFile } from '../text/source-file.ts';
import type { Definition } from './definition.ts';
import { parseYaml } from './parse-yaml.ts';
import { createParseReport, type MissingVariable, type ReadContext } from './read-context.ts';
import { type ReadDocument, readDocument } from './read-document.ts';
import { readNode } from './read-node.ts';
import type { TypedNode } from './typed-node.ts';
import type { YamlScalar } from './yaml-tree.ts';

/** One file of a project as its rows say it. */
export interface ParsedFile extends ReadDocument {
  readonly file: SourceFile;
  readonly form: DocumentForm;
  /** How many keys, values and punctuation marks it has; 0 for a file that is not read. */
  readonly count: number;
  /** How many words and symbols its SQL has. */
  readonly sqlCount: number;
  readonly suppressions: readonly Suppression[];
  /** Values that must not be printed. */
  readonly secrets: readonly Span[];
  /** Variables without a value; a file has no diagnostics for them, because others may lack the same. */
  readonly missing: readonly MissingVariable[];
  readonly diagnostics: readonly Diagnostic[];
}

interface ParseFileOptions {
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

/**
 * Number of words and symbols in the SQL of definitions, of models and of tests; a text that is used in several places counts for
 * each. Comments and strings count too: this bounds what is kept, and takes less time than reading them.
 */
function countSql(definitions: readonly Definition[]): number {
  let count = 0;
  // A hundred thousand aliases may stand for one long text.
  const counts = new Map<YamlScalar, number>();
  const waiting: TypedNode[] = definitions.map(({ node }) => node);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === 'list') for (const item of node.items) waiting.push(item);
    if (node.kind !== 'object') continue;
    for (const [key, entry] of node.entries) {
      const { node: value } = entry;
      if (value.kind !== 'leaf') waiting.push(value);
      else if (key === 'sql' && typeof value.value === 'string') {
        const known = counts.get(value.scalar) ?? wordsAndSymbols(value.value);
        counts.set(value.scalar, known);
        count += known;
      }
    }
  }
  return count;
}

function wordsAndSymbols(text: string): number {
  let count = 0;
  let inWord = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const word = isWord(code);
    if (code > SPACE && !(word && inWord)) count += 1;
    inWord = word;
  }
  return count;
}

const SPACE = 0x20;

/** Letters, digits, "_", and whatever is not ASCII. */
function isWord(code: number): boolean {
  if (code >= 0x80 || code === 0x5f) return true;
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}
