import type { LogFields } from '@levada/connect-runtime-core/contract';
import type { LogLevel } from '@levada/connect-runtime-core/host';

/** One line before it is formatted. */
export interface LogLine {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly level: LogLevel;
  /** Dotted name of the logger. */
  readonly logger: string;
  readonly fields: LogFields;
  readonly message: string | undefined;
}

/** Where lines go. Must not throw. */
export type LogSink = (line: LogLine) => void;

/** Longest text value that a line holds. */
const MAX_TEXT = 4000;

// C0, DEL, C1 and the Unicode line ends: what could start a new line or speak to a terminal.
const control = /[\p{Cc}\u2028\u2029]/gu;

/** Text that cannot forge a line: control characters as `\n` or `\u001b`, cut at 4000 characters. */
export function plainText(text: string): string {
  const cut = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}... (${text.length} characters)` : text;
  return cut.replace(control, (char) => {
    if (char === '\n') return '\\n';
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** `Name: message`, followed by its causes. */
export function errorText(error: Error): string {
  const cause = error.cause instanceof Error ? `, caused by ${errorText(error.cause)}` : '';
  return `${error.name}: ${error.message}${cause}`;
}
