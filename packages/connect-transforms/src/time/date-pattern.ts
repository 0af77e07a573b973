/** One part of a pattern: literal text, or a letter and its number of repetitions. */
export type PatternPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'field'; readonly letter: FieldLetter; readonly count: number };

/** Supported letters of Java's `SimpleDateFormat`. */
const known = 'yMLdDEuaHkKhmsSzZX';

/** Unsupported letters of Java: eras, week years and weeks. */
const others = 'GYwWF';

/** A letter for a field of a date. */
export type FieldLetter =
  | 'y'
  | 'M'
  | 'L'
  | 'd'
  | 'D'
  | 'E'
  | 'u'
  | 'a'
  | 'H'
  | 'k'
  | 'K'
  | 'h'
  | 'm'
  | 's'
  | 'S'
  | 'z'
  | 'Z'
  | 'X';

/** The pattern is invalid or not supported. */
export class DatePatternError extends Error {}

/** Parses a `SimpleDateFormat` pattern. Throws a {@link DatePatternError} if Java or this project does not support it. */
export function parseDatePattern(pattern: string): readonly PatternPart[] {
  const parts: PatternPart[] = [];
  let text = '';
  const endText = (): void => {
    if (text !== '') parts.push({ kind: 'text', text });
    text = '';
  };
  for (let at = 0; at < pattern.length; ) {
    const letter = pattern[at] as string;
    if (letter === "'") {
      const quoted = quotedText(pattern, at);
      text += quoted.text;
      at = quoted.next;
    } else if (/[A-Za-z]/.test(letter)) {
      endText();
      let end = at;
      while (pattern[end] === letter) end += 1;
      parts.push(field(letter, end - at));
      at = end;
    } else {
      text += letter;
      at += 1;
    }
  }
  endText();
  return parts;
}

/** Two quotes stand for one, inside and outside of quotes. */
function quotedText(pattern: string, begin: number): { readonly text: string; readonly next: number } {
  if (pattern[begin + 1] === "'") return { text: "'", next: begin + 2 };
  let text = '';
  for (let at = begin + 1; at < pattern.length; at += 1) {
    if (pattern[at] !== "'") text += pattern[at];
    else if (pattern[at + 1] === "'") {
      text += "'";
      at += 1;
    } else return { text, next: at + 1 };
  }
  throw new DatePatternError('Unterminated quote');
}

function field(letter: string, count: number): PatternPart {
  if (known.includes(letter)) {
    if (letter === 'X' && count > 3) throw new DatePatternError(`invalid ISO 8601 format: length=${count}`);
    return { kind: 'field', letter: letter as FieldLetter, count };
  }
  if (others.includes(letter))
    throw new DatePatternError(
      `pattern character '${letter}' is not supported, use one of ${known.split('').join(' ')}`,
    );
  throw new DatePatternError(`Illegal pattern character '${letter}'`);
}
