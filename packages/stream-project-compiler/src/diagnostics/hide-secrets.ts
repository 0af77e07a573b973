import { lineText, type SourceFile } from '../text/source-file.ts';
import type { Span } from '../text/span.ts';

/** Keys whose values are hidden even where the file could not be read as YAML. */
const secretKey =
  /((?:password|passphrase|secret|token|credential|jaas|authorization|webhook|(?:access|account|api|encryption|private|routing|storage)[._-]?key)[\w.-]*["']?\s*:\s*)(.*)$/i;

/** Longer keys are looked at from behind. */
const MAX_KEY = 1024;

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
  return shown.replace(secretKey, (_, key: string, value: string) => key + starred(value));
}

/** Whether what stands there is, or begins, the value of a key that names a secret. */
export function isAfterSecretKey(text: string, at: number): boolean {
  const line = text.slice(Math.max(text.lastIndexOf('\n', at - 1) + 1, at - MAX_KEY), at);
  return secretKey.test(line);
}

/** A value that is nothing but variables and comment holds no secret. */
function starred(value: string): string {
  if (/^["']?(?:\$\{[A-Za-z_][A-Za-z0-9_]*\}|\*+)?["']?\s*(?:#.*)?$/.test(value)) return value;
  return '*'.repeat(value.length);
}
