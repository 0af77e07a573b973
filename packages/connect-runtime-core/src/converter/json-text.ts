const encoder = new TextEncoder();
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

/** UTF-8 text as a JSON string between two pieces of JSON. Without something to escape no string is made. */
export function jsonTextBytes(before: Uint8Array, text: Uint8Array, after: Uint8Array): Uint8Array {
  const body = isPlain(text) ? text : encoder.encode(jsonText(decoder.decode(text)).slice(1, -1));
  const bytes = new Uint8Array(before.length + body.length + after.length + 2);
  bytes.set(before);
  bytes[before.length] = QUOTE;
  bytes.set(body, before.length + 1);
  bytes[before.length + body.length + 1] = QUOTE;
  bytes.set(after, before.length + body.length + 2);
  return bytes;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** First byte of a character beyond U+FFFF. */
const FOUR_BYTES = 0xf0;

function isPlain(text: Uint8Array): boolean {
  for (let i = 0; i < text.length; i += 1) {
    const byte = text[i] as number;
    if (byte < 0x20 || byte === QUOTE || byte === BACKSLASH || byte >= FOUR_BYTES) return false;
  }
  return true;
}
