// Beyond ASCII the engine's lexer has its own ranges of letters, older than today's Unicode. It refuses characters outside of
// them: zero-width characters, direction marks, look-alikes of white space.
const LETTER =
  /[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u00ff\u0100-\u1fff\u3040-\u318f\u3300-\u337f\u3400-\u3d2d\u4e00-\u9fff\uf900-\ufaff]/;
const DIGIT =
  /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0a66-\u0a6f\u0ae6-\u0aef\u0b66-\u0b6f\u0be7-\u0bef\u0c66-\u0c6f\u0ce6-\u0cef\u0d66-\u0d6f\u0e50-\u0e59\u0ed0-\u0ed9\u1040-\u1049]/;

/** Whether an unquoted name may start with this character. */
export function startsName(character: string): boolean {
  return character < '\u0080' ? isAsciiLetter(character) : LETTER.test(character);
}

/** Whether an unquoted name may continue with this character. */
export function continuesName(character: string): boolean {
  if (character < '\u0080') return isAsciiLetter(character) || isDigit(character);
  return LETTER.test(character) || DIGIT.test(character);
}

function isAsciiLetter(character: string): boolean {
  return (
    (character >= 'a' && character <= 'z') ||
    (character >= 'A' && character <= 'Z') ||
    character === '_' ||
    character === '$'
  );
}

export function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

/** White space as the engine defines it. */
export function isSpace(character: string | undefined): boolean {
  return (
    character === ' ' || character === '\n' || character === '\t' || character === '\r' || character === '\f'
  );
}

/** A character as messages show it: itself, or its code point if it would be invisible. */
export function showCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code > 0x20 && code < 0x7f) return `"${character}"`;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? `"${character}" (${name})` : name;
}
