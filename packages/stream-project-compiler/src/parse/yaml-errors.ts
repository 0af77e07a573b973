import type { Span } from '@levada/stream-sql';
import type { ErrorCode, YAMLError } from 'yaml';

/** What the library's codes mean to somebody who writes a project. */
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

/** One error of grammar in words. */
export interface YamlErrorText {
  readonly message: string;
  readonly hint: string | undefined;
}

/** Words for an error of the library. */
export function yamlErrorText({ code, message, pos }: YAMLError, source: string): YamlErrorText {
  const item =
    code === 'BLOCK_AS_IMPLICIT_KEY' || code === 'BAD_INDENT' ? misplacedItem(source, pos[0]) : undefined;
  if (item !== undefined) return item;
  const text = wordings.find(([start]) => message.startsWith(start))?.[1] ?? texts[code];
  const own = text?.message ?? message.charAt(0).toLowerCase() + message.slice(1);
  const readable = own.replace(/closing (["'])quote/, 'closing quote $1');
  return { message: `not YAML: ${readable}`, hint: text?.hint };
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
    message: `not YAML: an entry of a list that is indented by ${own === 1 ? '1 space' : `${own} spaces`}, unlike those before it`,
    hint: `indent it by ${second === undefined ? first : `${first} or ${second}`}, as the entries of its list`,
  };
}

/** Entries before these are not looked at. */
const MAX_ITEM_LINES = 200;

/** Where an error is shown: at the quote that has no end, and instead of blank lines and indentation at what follows them. */
export function yamlErrorSpan({ code, pos, message }: YAMLError, text: string): Span {
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
export function errorsToReport(errors: readonly YAMLError[]): {
  readonly errors: readonly YAMLError[];
  readonly readable: boolean;
} {
  const sorted = [...errors].sort((one, other) => one.pos[0] - other.pos[0]);
  const first = sorted.find(({ code }) => !local.has(code));
  const kept = sorted.filter((error) => error === first || local.has(error.code));
  return { errors: kept, readable: first === undefined };
}
