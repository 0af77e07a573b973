import type { Span } from '@levada/stream-sql';
import type { TextPiece } from '../text/text-map.ts';

/** A text with its variables replaced. */
export interface InterpolatedText {
  readonly text: string;
  /** Names of variables in it, each once. */
  readonly variables: readonly string[];
  /** Names that have no value, each once; the text is not to be used then. */
  readonly missing: readonly string[];
  /** Pieces of the text before that look like a variable and are none. */
  readonly malformed: readonly Span[];
  /** From this text to the one before. */
  readonly pieces: readonly TextPiece[];
}

const reference = /\$\$\{|\$\{(?:([A-Za-z_][A-Za-z0-9_]*)(:-[^}]*)?\}|([^}\n]*)\}?)/g;
/** `${file:/path:key}`: resolved by the connector runtime, not here. */
const provided = /^[A-Za-z][\w.-]*:(?!-)/;

/**
 * Replaces `${NAME}` and `${NAME:-text}` (the text where the variable is unset or empty); `$${` stands for `${`. References that a
 * connector runtime resolves, `${file:/path:key}`, stay as they are, and so does whatever else begins with `${`. What was
 * replaced is not looked at again. Undefined when there is nothing to replace.
 */
export function interpolate(
  text: string,
  variables: ReadonlyMap<string, string>,
): InterpolatedText | undefined {
  if (!text.includes('${')) return undefined;
  const names = new Set<string>();
  const missing = new Set<string>();
  const malformed: Span[] = [];
  const pieces: TextPiece[] = [];
  let made = '';
  const push = (part: string, from: number, fromLength: number) => {
    if (part === '' && fromLength === 0) return;
    const verbatim = part === text.slice(from, from + fromLength);
    pieces.push({ start: made.length, length: part.length, from, fromLength, verbatim });
    made += part;
  };
  let at = 0;
  for (const match of text.matchAll(reference)) {
    const [whole, name, fallback, other] = match;
    push(text.slice(at, match.index), at, match.index - at);
    at = match.index + whole.length;
    if (name !== undefined) {
      names.add(name);
      const value = variableValue(variables, name, fallback);
      if (value === undefined) missing.add(name);
      push(value ?? '', match.index, whole.length);
    } else if (whole === '$${') push('${', match.index, whole.length);
    else {
      push(whole, match.index, whole.length);
      if (!provided.test(other ?? '')) malformed.push({ start: match.index, end: at });
    }
  }
  push(text.slice(at), at, text.length - at);
  return { text: made, variables: [...names], missing: [...missing], malformed, pieces };
}

function variableValue(
  variables: ReadonlyMap<string, string>,
  name: string,
  fallback: string | undefined,
): string | undefined {
  const value = variables.get(name);
  if (fallback === undefined) return value;
  return value === undefined || value === '' ? fallback.slice(2) : value;
}
