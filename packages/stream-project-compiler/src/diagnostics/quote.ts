const MAX_SHOWN = 80;

/** Control characters, and those that turn the direction of what follows or show nothing. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069\u200B\u200E\u200F\uFEFF\p{Cs}]/gu;

/** User text for a message: in quotes, at most 80 characters, with what does not print written as escapes. */
export function quote(text: string): string {
  const cut = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text;
  return `"${printable(cut)}"`;
}

/** The text with control characters, directions and halves of surrogate pairs written as escapes. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, escaped);
}

function escaped(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  if (character === '\t') return '\\t';
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
