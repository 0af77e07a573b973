/** A value of `.env`, and the offset after it (within its last line). */
export type EnvValue =
  | { readonly kind: 'value'; readonly text: string; readonly end: number }
  /** Its quote has no end; `end` is that of its line. */
  | { readonly kind: 'unterminated'; readonly end: number }
  /** Text follows the closing quote on the same line. */
  | { readonly kind: 'followed'; readonly end: number };

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', $: '$' };

/** Reads the value that begins after "=". */
export function readEnvValue(text: string, from: number): EnvValue {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  const quote = text[at];
  if (quote === '"' || quote === "'" || quote === '`') return quotedValue(text, at, quote);
  const end = endOfLine(text, at);
  const line = text.slice(at, end);
  const comment = at > from && line.startsWith('#') ? 0 : line.search(/[ \t]#/);
  return { kind: 'value', text: (comment === -1 ? line : line.slice(0, comment)).trimEnd(), end };
}

function quotedValue(text: string, start: number, quote: string): EnvValue {
  const close = closingQuote(text, start + 1, quote);
  if (close === -1) return { kind: 'unterminated', end: endOfLine(text, start) };
  const end = endOfLine(text, close);
  if (!/^[ \t]*(?:#.*)?$/.test(text.slice(close + 1, end))) return { kind: 'followed', end };
  const inner = text.slice(start + 1, close).replaceAll('\r\n', '\n');
  const value =
    quote === '"'
      ? inner.replaceAll(/\\([nrt"\\$])/g, (_, letter: string) => escapes[letter] ?? letter)
      : inner;
  return { kind: 'value', text: value, end };
}

function closingQuote(text: string, from: number, quote: string): number {
  let at = text.indexOf(quote, from);
  while (at !== -1 && quote === '"' && isEscaped(text, at, from)) at = text.indexOf(quote, at + 1);
  return at;
}

function isEscaped(text: string, at: number, from: number): boolean {
  let first = at;
  while (first > from && text[first - 1] === '\\') first -= 1;
  return (at - first) % 2 === 1;
}

function endOfLine(text: string, from: number): number {
  const found = text.slice(from).search(/[\r\n]/);
  return found === -1 ? text.length : from + found;
}
