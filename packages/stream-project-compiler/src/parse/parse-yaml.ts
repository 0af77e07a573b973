import type { Span } from '@levada/stream-sql';
import { Composer, type Document, type ErrorCode, type YAMLError } from 'yaml';
import { type Suppression, suppressionIn } from '../diagnostics/suppression.ts';
import { rangeAt, type SourceFile } from '../text/source-file.ts';
import { convertYaml } from './convert-yaml.ts';
import type { ParseReport } from './read-context.ts';
import { readYamlTokens, type YamlTokens } from './read-yaml-tokens.ts';
import type { YamlNode } from './yaml-tree.ts';

/** The content of a file as YAML. */
interface ParsedYaml {
  /** Undefined for an empty file, and for one that cannot be read. */
  readonly tree: YamlNode | undefined;
  /** The file could be read; if not, that was reported. */
  readonly readable: boolean;
  /** How many keys, values and punctuation marks it has; 0 for a file that is not read. */
  readonly count: number;
  readonly suppressions: readonly Suppression[];
  /** All of the file is in the tree. */
  readonly whole: boolean;
}

interface ComposedFile extends Pick<ParsedYaml, 'count' | 'suppressions' | 'whole'> {
  readonly document: Document | undefined;
}

/**
 * Reads a file as one document of YAML 1.2. Time grows with the size of the file, not faster; depth, number of values and
 * what aliases stand for are bounded. Never throws for what the file says.
 */
export function parseYaml(file: SourceFile, report: ParseReport): ParsedYaml {
  const found = composeFile(file, report);
  if (found === undefined)
    return { tree: undefined, readable: false, count: 0, suppressions: [], whole: false };
  const { document, ...facts } = found;
  if (document === undefined) return { tree: undefined, readable: true, ...facts };
  const { errors, readable } = errorsToReport(document.errors);
  for (const error of errors) {
    const { message, hint } = yamlErrorText(error, file.text);
    report.add('yaml-syntax', { span: yamlErrorSpan(error, file.text), message, hint });
  }
  const contents = readable && document.contents !== null ? document.contents : undefined;
  const tree = contents === undefined ? undefined : convertYaml(contents, file.text, report);
  return { tree, readable, ...facts };
}

/** Its tokens end with this call: they take as much memory as all that follows. */
function composeFile(file: SourceFile, report: ParseReport): ComposedFile | undefined {
  const found = readYamlTokens(file.text, report);
  if (found === undefined) return undefined;
  const suppressions = found.comments.flatMap((span) => {
    const suppression = suppressionIn(file.text.slice(span.start, span.end), rangeAt(file, span));
    return suppression === undefined ? [] : [suppression];
  });
  const { count, whole, tokens } = found;
  return { count, whole, suppressions, document: compose(tokens, file.text.length) };
}

/** A file may contain hundreds of thousands of errors; their stacks, which are never read, take half of the time and memory. */
function compose(tokens: YamlTokens['tokens'], length: number): Document | undefined {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    // Its own search for duplicate keys takes time that grows with the square of their number.
    const composer = new Composer({
      uniqueKeys: false,
      merge: false,
      logLevel: 'silent',
      prettyErrors: false,
    });
    const [document] = [...composer.compose(tokens, false, length)];
    return document;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The library's error codes, worded for authors of projects. */
const texts: Partial<Readonly<Record<ErrorCode, { readonly message?: string; readonly hint?: string }>>> = {
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'a key within a value',
    hint: 'put a value that holds ": " in quotes, or check how far the line is indented',
  },
  MULTILINE_IMPLICIT_KEY: {
    message: 'a line without ": " before a key',
    hint: 'write "key: value" with a space after the colon, or check how far the line is indented',
  },
  TAB_AS_INDENT: { message: 'a tab as indentation', hint: 'indent with spaces' },
  BAD_INDENT: { hint: 'indent keys of one object and items of one list equally, and close every bracket' },
  BAD_SCALAR_START: { hint: 'put the value in quotes' },
  BAD_DQ_ESCAPE: { hint: 'write "\\\\" for a backslash, or use single quotes' },
  UNEXPECTED_TOKEN: { hint: 'check the indentation, and put values with special characters in quotes' },
};

/** Where one code stands for several mistakes: what it means by how the library's own words begin. */
const wordings: readonly (readonly [
  start: string,
  text: { readonly message?: string; readonly hint: string },
])[] = [
  [
    'Sequence item without - indicator',
    {
      message: 'a line without "- " in a list',
      hint: 'begin each entry with "- ", or check how far the line is indented',
    },
  ],
  [
    'Implicit map keys need to be followed by map values',
    { message: 'a line without ": "', hint: 'write "key: value" with a space after the colon' },
  ],
  [
    'Unexpected flow-map-start at node end',
    {
      message: 'a "{" within a value of a map or list on one line',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it speaks of variables
      hint: 'put the value in quotes, such as "${NAME}"',
    },
  ],
  ['Missing closing', { hint: 'end the text with the quote that it begins with' }],
];

/** Errors after which the rest of the file still means what it says. */
const local: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['BAD_SCALAR_START', 'BAD_DQ_ESCAPE']);

/** The message for one syntax error. */
interface YamlErrorText {
  readonly message: string;
  readonly hint: string | undefined;
}

/** Words for an error of the library. */
function yamlErrorText({ code, message, pos }: YAMLError, source: string): YamlErrorText {
  const item =
    code === 'BLOCK_AS_IMPLICIT_KEY' || code === 'BAD_INDENT' ? misplacedItem(source, pos[0]) : undefined;
  if (item !== undefined) return item;
  const text = wordings.find(([start]) => message.startsWith(start))?.[1] ?? texts[code];
  const own = text?.message ?? message.charAt(0).toLowerCase() + message.slice(1);
  const readable = own.replace(/closing (["'])quote/, 'closing quote $1');
  return { message: `invalid YAML: ${readable}`, hint: text?.hint };
}

/** An entry of a list that is indented like none before it. */
function misplacedItem(source: string, at: number): YamlErrorText | undefined {
  const before = source.slice(0, source.indexOf('\n', at) === -1 ? source.length : source.indexOf('\n', at));
  const lines = before.split('\n').slice(-MAX_ITEM_LINES);
  const indentOf = (line: string) => /^ *(?=- )/.exec(line)?.[0].length;
  const found = lines.findLastIndex((line) => line.trim() !== '');
  const own = indentOf(lines[found] ?? '');
  const others = lines.slice(0, found).flatMap((line) => indentOf(line) ?? []);
  if (own === undefined || others.length === 0 || others.includes(own)) return undefined;
  const near = [...new Set(others)].sort(
    (one, other) => Math.abs(one - own) - Math.abs(other - own) || other - one,
  );
  const [first, second] = near.map((indent) => (indent === 1 ? '1 space' : `${indent} spaces`));
  return {
    message: `invalid YAML: a list entry that is indented by ${own === 1 ? '1 space' : `${own} spaces`}, unlike those before it`,
    hint: `indent it by ${second === undefined ? first : `${first} or ${second}`}, as the entries of its list`,
  };
}

/** Entries before these are not looked at. */
const MAX_ITEM_LINES = 200;

/** Where an error is shown: at the quote that has no end, and instead of blank lines and indentation at what follows them. */
function yamlErrorSpan({ code, pos, message }: YAMLError, text: string): Span {
  const [start, end] = pos;
  const [, quote] = /^Missing closing (["'])/.exec(message) ?? [];
  if (quote !== undefined) {
    const opening = Math.max(0, text.lastIndexOf(quote, start - 1));
    return { start: opening, end: opening + 1 };
  }
  if (code === 'TAB_AS_INDENT' || local.has(code)) return { start, end: Math.max(end, start + 1) };
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  if (text.slice(lineStart, start).trim() !== '') return { start, end: Math.max(end, start + 1) };
  content.lastIndex = start;
  const at = content.exec(text)?.index ?? start;
  return { start: at, end: Math.max(end, at + 1) };
}

const content = /[^ \t\r\n]/g;

/**
 * The errors to report: all that leave the rest of the file readable, and the first of the others, because those that follow
 * it are nearly always its consequences.
 */
function errorsToReport(errors: readonly YAMLError[]): {
  readonly errors: readonly YAMLError[];
  readonly readable: boolean;
} {
  const sorted = [...errors].sort((one, other) => one.pos[0] - other.pos[0]);
  const first = sorted.find(({ code }) => !local.has(code));
  const kept = sorted.filter((error) => error === first || local.has(error.code));
  return { errors: kept, readable: first === undefined };
}
