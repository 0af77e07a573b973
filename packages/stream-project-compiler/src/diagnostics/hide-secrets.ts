import { namesSecret } from '@levada/stream-project-schema';
import type { Span } from '@levada/stream-sql';
import { lineText, type SourceFile } from '../text/source-file.ts';

/** How much of a line is looked at before a value. */
const MAX_BEFORE = 1024;

/** A line of a file with the characters of secrets as stars; its length stays. */
export function lineWithoutSecrets(file: SourceFile, line: number, secrets: readonly Span[]): string {
  const text = lineText(file, line);
  const start = file.lineStarts()[line - 1] ?? 0;
  let shown = text;
  for (const secret of secrets) {
    const from = Math.max(0, secret.start - start);
    const to = Math.min(text.length, secret.end - start);
    if (from < to) shown = shown.slice(0, from) + '*'.repeat(to - from) + shown.slice(to);
  }
  // Also where the file could not be read as YAML
  const value = secretValueAt(shown);
  return value === undefined ? shown : shown.slice(0, value) + starred(shown.slice(value));
}

/** Whether the text at an offset is, or begins, the value of a key that names a secret. */
export function isAfterSecretKey(text: string, at: number): boolean {
  const line = text.slice(Math.max(text.lastIndexOf('\n', at - 1) + 1, at - MAX_BEFORE), at);
  return secretValueAt(line) !== undefined;
}

/** Where the value of the first key begins that names a secret: after `password: `. */
function secretValueAt(line: string): number | undefined {
  for (let colon = line.indexOf(':'); colon !== -1; colon = line.indexOf(':', colon + 1)) {
    if (!namesSecret(keyBefore(line, colon))) continue;
    let value = colon + 1;
    while (/\s/.test(line.charAt(value))) value += 1;
    return value;
  }
  return undefined;
}

/** The word that ends before a place, quotes and blanks aside. */
function keyBefore(line: string, at: number): string {
  let end = at;
  while (end > 0 && /[\s"']/.test(line.charAt(end - 1))) end -= 1;
  let start = end;
  while (start > 0 && /[\w.-]/.test(line.charAt(start - 1))) start -= 1;
  return line.slice(start, end);
}

/** A value that is nothing but variables and comment holds no secret. */
function starred(value: string): string {
  if (/^["']?(?:\$\{[A-Za-z_][A-Za-z0-9_]*\}|\*+)?["']?\s*(?:#.*)?$/.test(value)) return value;
  return '*'.repeat(value.length);
}
