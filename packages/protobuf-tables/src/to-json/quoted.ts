/** Longest part of a text from the input that an error shows. */
const SHOWN = 60;

/** A text from the input as an error shows it: quoted, escaped, and not too long. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > SHOWN ? `${text.slice(0, SHOWN)}...` : text);
}
