import type { ErrorCode, YAMLError } from 'yaml';

/** What the library's codes mean to somebody who writes a project. */
const texts: Partial<Readonly<Record<ErrorCode, { readonly message?: string; readonly hint?: string }>>> = {
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'a key within a value',
    hint: 'put a value that holds ": " in quotes, or check how far the line is indented',
  },
  MULTILINE_IMPLICIT_KEY: {
    message: 'a line without ": " before a key',
    hint: 'write "key: value" with a blank after the colon, or check how far the line is indented',
  },
  TAB_AS_INDENT: { message: 'a tab as indentation', hint: 'indent with blanks' },
  BAD_INDENT: { hint: 'indent keys of one object and items of one list equally, and close every bracket' },
  BAD_SCALAR_START: { hint: 'put the value in quotes' },
  BAD_DQ_ESCAPE: { hint: 'write "\\\\" for a backslash, or use single quotes' },
  UNEXPECTED_TOKEN: { hint: 'check the indentation, and put values with special characters in quotes' },
};

/** Errors after which the rest of the file still means what it says. */
const local: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['BAD_SCALAR_START', 'BAD_DQ_ESCAPE']);

/** One error of grammar in words. */
export interface YamlErrorText {
  readonly message: string;
  readonly hint: string | undefined;
}

/** Words for an error of the library. */
export function yamlErrorText({ code, message }: YAMLError): YamlErrorText {
  const text = texts[code];
  const own = text?.message ?? message.charAt(0).toLowerCase() + message.slice(1);
  const readable = own.replace(/closing (["'])quote/, 'closing quote $1');
  return { message: `not YAML: ${readable}`, hint: text?.hint };
}

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
