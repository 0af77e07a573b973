const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Text as a JSON string, with the escapes that Kafka Connect's JSON library uses: hexadecimal digits in upper case, and
 * characters beyond U+FFFF as a pair of escapes.
 */
export function jsonText(text: string): string {
  return JSON.stringify(text).replace(/\\(?:u([0-9a-f]{4})|.)|[\ud800-\udfff]/g, escapeAsConnect);
}

function escapeAsConnect(match: string, hex: string | undefined): string {
  if (hex !== undefined) return `\\u${hex.toUpperCase()}`;
  if (match.startsWith('\\')) return match;
  return `\\u${match.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** UTF-8 text as a JSON string between two pieces of JSON. Makes no string unless a rare character needs it. */
export function jsonTextBytes(before: Uint8Array, text: Uint8Array, after: Uint8Array): Uint8Array {
  const extra = escapesNeeded(text);
  const body = extra === undefined ? Buffer.from(jsonText(decoder.decode(text)).slice(1, -1)) : text;
  const length = body.length + (extra ?? 0);
  const bytes = Buffer.allocUnsafe(before.length + length + after.length + 2);
  bytes.set(before);
  bytes[before.length] = QUOTE;
  if (extra === undefined || extra === 0) bytes.set(body, before.length + 1);
  else writeEscaped(text, bytes, before.length + 1);
  bytes[before.length + length + 1] = QUOTE;
  bytes.set(after, before.length + length + 2);
  return bytes;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** First byte of a character beyond U+FFFF, which becomes two escapes. */
const FOUR_BYTES = 0xf0;

/** What follows the backslash for bytes that have an escape of two characters; 0 for all others. */
const shortEscapes = new Uint8Array(256);
for (const [byte, letter] of [
  [QUOTE, '"'],
  [BACKSLASH, '\\'],
  [0x08, 'b'],
  [0x09, 't'],
  [0x0a, 'n'],
  [0x0c, 'f'],
  [0x0d, 'r'],
] as const) {
  shortEscapes[byte] = letter.charCodeAt(0);
}

/** How many bytes escaping adds; undefined when it takes more than short escapes. */
function escapesNeeded(text: Uint8Array): number | undefined {
  let extra = 0;
  for (let i = 0; i < text.length; i += 1) {
    const byte = text[i] as number;
    if (shortEscapes[byte] !== 0) extra += 1;
    else if (byte < 0x20 || byte >= FOUR_BYTES) return undefined;
  }
  return extra;
}

function writeEscaped(text: Uint8Array, bytes: Uint8Array, start: number): void {
  let at = start;
  for (let i = 0; i < text.length; i += 1) {
    const byte = text[i] as number;
    const letter = shortEscapes[byte] as number;
    if (letter !== 0) bytes[at++] = BACKSLASH;
    bytes[at++] = letter === 0 ? byte : letter;
  }
}
