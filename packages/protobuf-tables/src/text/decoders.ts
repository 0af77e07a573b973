// A leading U+FEFF is text in protobuf, not a byte order mark.
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });
const strict = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

/** The text, with U+FFFD for invalid UTF-8. */
export function lenientText(bytes: Uint8Array): string {
  return lenient.decode(bytes);
}

/** The text, or undefined if it is not valid UTF-8. */
export function strictText(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined; // the only possible error
  }
}

/** Maximum length of input text in an error message. */
const SHOWN = 60;

/** Quotes and escapes a text from the input for an error message, and cuts it off if it is long. */
export function quoteText(text: string): string {
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text);
}
