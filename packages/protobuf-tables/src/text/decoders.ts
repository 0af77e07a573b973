// A leading U+FEFF is text in protobuf, no mark of the byte order.
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });
const strict = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

/** The text, with U+FFFD for what is no UTF-8. */
export function lenientText(bytes: Uint8Array): string {
  return lenient.decode(bytes);
}

/** The text, or undefined if it is no UTF-8. */
export function strictText(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined; // the one error there is
  }
}

/** Longest part of a text from the input that an error shows. */
const SHOWN = 60;

/** A text from the input as an error shows it: quoted, escaped, and not too long. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text);
}
