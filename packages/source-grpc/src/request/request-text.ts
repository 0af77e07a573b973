import type { Validator } from '@levada/connect-runtime-core/config';

/** Longest request, in bytes of UTF-8. */
const MAX_BYTES = 1024 * 1024;

/** Deepest nesting of objects and arrays; messages nest no deeper either. */
const MAX_DEPTH = 100;

/** A JSON object; its fields are checked against the descriptor where that is known. */
export const requestText: Validator = {
  allowed: 'JSON object',
  check: (value) => (typeof value === 'string' ? requestTextProblem(value) : undefined),
};

/** What keeps a text from being a JSON object of bounded size and depth, or undefined. Does not quote the text. */
export function requestTextProblem(text: string): string | undefined {
  if (Buffer.byteLength(text) > MAX_BYTES) return `Request is longer than ${MAX_BYTES} bytes`;
  if (isDeep(text)) return `Request is nested more than ${MAX_DEPTH} levels deep`;
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
      return 'Request must be a JSON object';
    return losesDigits(text)
      ? 'Integers beyond 2^53 lose digits as JSON numbers, write them as text'
      : undefined;
  } catch {
    // The parser's own message quotes the text, which may hold a secret.
    return 'String must be valid JSON';
  }
}

/** Before parsing, because what walks a parsed value may recurse. Right for valid JSON; other text fails later. */
function isDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') quoted = !quoted;
    else if (quoted) at += character === '\\' ? 1 : 0;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** Whether valid JSON has an integer that no JavaScript number holds. */
function losesDigits(text: string): boolean {
  const numbers =
    text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/gs, '""').match(/(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g) ?? [];
  return numbers.some((digits) => !Number.isSafeInteger(Number(digits)));
}
