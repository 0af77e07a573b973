import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { createParseReport } from '../parse/parse-report.ts';
import { parseYaml } from '../parse/parse-yaml.ts';
import { readYamlTokens } from '../parse/read-yaml-tokens.ts';
import { type SourceFile, sourceFile } from '../text/source-file.ts';
import { writeLeaves } from './write-leaves.ts';
import { type YamlLeaf, yamlLeaves } from './yaml-leaf.ts';

/** What became of a file. */
export type FormatResult =
  /** It may be as it was. */
  | { readonly kind: 'formatted'; readonly text: string }
  /** It is no YAML that can be read. */
  | { readonly kind: 'unreadable'; readonly diagnostics: readonly Diagnostic[] }
  /** No other layout is known to say the same: it is to stay as it is. */
  | { readonly kind: 'left' };

/**
 * One layout for YAML: two blanks for each level, list entries indented below their key, one blank behind ":" and "-", no more
 * than one empty line, line feeds. Comments, quotes, order and the text of scalars stay, and so do lines within brackets.
 * Meaning never changes: both texts are read and compared, and a file for which that fails, or that would not stay as it is when
 * formatted again, is left.
 */
export function formatYaml(file: SourceFile): FormatResult {
  const before = readYaml(file);
  if (before.leaves === undefined) return { kind: 'unreadable', diagnostics: before.diagnostics };
  const text = writeLeaves(before.leaves, file.text);
  if (text === file.text) return { kind: 'formatted', text };
  const after = readYaml(sourceFile(file.path, text));
  if (after.leaves === undefined || after.meaning !== before.meaning) return { kind: 'left' };
  return writeLeaves(after.leaves, text) === text ? { kind: 'formatted', text } : { kind: 'left' };
}

interface ReadYaml {
  /** Undefined when something is wrong. */
  readonly leaves: readonly YamlLeaf[] | undefined;
  /** The values and the comments, as text. */
  readonly meaning: string;
  readonly diagnostics: readonly Diagnostic[];
}

function readYaml(file: SourceFile): ReadYaml {
  const report = createParseReport(file);
  const { tree } = parseYaml(file, report);
  const { diagnostics } = report;
  const found = diagnostics.length > 0 ? undefined : readYamlTokens(file.text, report);
  if (found === undefined) return { leaves: undefined, meaning: '', diagnostics };
  const leaves = yamlLeaves(found.tokens);
  const kept = leaves.filter(({ type }) => keeps.has(type)).map(({ source }) => source.trim());
  const values = JSON.stringify(tree, (key, value: unknown) => (isPlace(key) ? undefined : value));
  return { leaves, meaning: [values, ...kept].join('\n'), diagnostics };
}

/** What the values do not tell. */
const keeps: ReadonlySet<string> = new Set(['comment', 'anchor', 'alias', 'tag', 'directive', 'doc-start']);

/** A user's key is a value of `key`, never a key here. */
function isPlace(key: string): boolean {
  return key === 'span' || key === 'keySpan';
}
