import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { parseYaml } from '../parse/parse-yaml.ts';
import { createParseReport, type ParseReport } from '../parse/read-context.ts';
import { readYamlTokens } from '../parse/read-yaml-tokens.ts';
import { type SourceFile, sourceFile } from '../text/source-file.ts';
import { writeLeaves } from './write-leaves.ts';
import { yamlLeaves } from './yaml-leaf.ts';

/** The outcome for one file. */
export type FormatResult =
  /** It may be as it was. */
  | { readonly kind: 'formatted'; readonly text: string }
  /** It is no YAML that can be read. */
  | { readonly kind: 'unreadable'; readonly diagnostics: readonly Diagnostic[] }
  /** No other layout is known to say the same: it is to stay as it is. */
  | { readonly kind: 'left' };

/**
 * One layout for YAML: two spaces for each level, list entries indented below their key, one space after ":" and "-", no more
 * than one empty line, line feeds. Comments, quotes, order and the text of scalars stay, and so do lines within brackets.
 * Meaning never changes: both texts are read and compared. A file is left as it is when they differ, or when formatting the
 * result again would change it.
 */
export function formatYaml(file: SourceFile): FormatResult {
  const before = layoutOf(file);
  if ('diagnostics' in before) return { kind: 'unreadable', diagnostics: before.diagnostics };
  const { text, meaning } = before;
  if (text === file.text) return { kind: 'formatted', text };
  const after = layoutOf(sourceFile(file.path, text));
  const same = 'text' in after && after.meaning === meaning && after.text === text;
  return same ? { kind: 'formatted', text } : { kind: 'left' };
}

interface Layout {
  readonly text: string;
  /** The values and the comments of the file, as text. */
  readonly meaning: string;
}

/** How a file would be written, or what is wrong with it. */
function layoutOf(file: SourceFile): Layout | { readonly diagnostics: readonly Diagnostic[] } {
  const report = createParseReport(file);
  const values = valuesOf(file, report);
  const { diagnostics } = report;
  const found = diagnostics.length > 0 ? undefined : readYamlTokens(file.text, report);
  if (found === undefined) return { diagnostics };
  const leaves = yamlLeaves(found.tokens);
  const kept = leaves.filter(({ type }) => keeps.has(type)).map(({ source }) => source.trim());
  return { text: writeLeaves(leaves, file.text), meaning: [values, ...kept].join('\n') };
}

function valuesOf(file: SourceFile, report: ParseReport): string {
  const { tree } = parseYaml(file, report);
  return JSON.stringify(tree, (key, value: unknown) => (isPlace(key) ? undefined : value));
}

/** Tokens that are not part of the parsed values. */
const keeps: ReadonlySet<string> = new Set(['comment', 'anchor', 'alias', 'tag', 'directive', 'doc-start']);

/** A user's key is a value of `key`, never a key here. */
function isPlace(key: string): boolean {
  return key === 'span' || key === 'keySpan';
}
