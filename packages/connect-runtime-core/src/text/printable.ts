const hidden = '***';
/** Longest text of a peer that a log line or an error carries. */
const MAX_LENGTH = 512;
/** Shorter secrets are not searched for: they would blot out ordinary words. */
const MIN_SECRET = 4;
/** The beginning of a longer secret is one, too: the peer, or a reader of it, may have cut the text within it. */
const MIN_BEGINNING = 16;

/** Makes foreign text fit for a log line. */
export type Printable = (text: string) => string;

/**
 * Escapes control, format and line-separating characters of text that a peer sent, masks the given secrets in it, also where
 * only 16 characters or more of the beginning of one are left, and cuts it after 512 characters.
 */
export function printable(secrets: readonly string[]): Printable {
  // The longest first, so that a secret within another does not leave the rest of it.
  const searched = secrets
    .filter((secret) => secret.length >= MIN_SECRET)
    .sort((one, other) => other.length - one.length);
  return (text) => {
    let shown = text;
    for (const secret of searched) shown = withoutBeginning(shown.replaceAll(secret, hidden), secret);
    if (shown.length > MAX_LENGTH) shown = `${shown.slice(0, MAX_LENGTH)}...`;
    return shown.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escaped);
  };
}

function withoutBeginning(text: string, secret: string): string {
  if (secret.length <= MIN_BEGINNING) return text;
  const beginning = secret.slice(0, MIN_BEGINNING);
  let shown = '';
  let from = 0;
  for (let at = text.indexOf(beginning); at !== -1; at = text.indexOf(beginning, from)) {
    shown += text.slice(from, at) + hidden;
    from = at + MIN_BEGINNING;
    while (from - at < secret.length && text[from] === secret[from - at]) from += 1;
  }
  return shown + text.slice(from);
}

function escaped(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
