/** Whether a text is like a pattern, in which `*` stands for any characters, also none and also "/". Case counts. */
export function matchesPattern(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** Whether a path, or a folder that it is in, is like a pattern: `models`, `models/a*`, `*.yml`. */
export function matchesPath(pattern: string, path: string): boolean {
  const plain = pattern.replace(/^\.\//u, '').replace(/\/$/u, '');
  return plain !== '' && (matchesPattern(plain, path) || matchesPattern(`${plain}/*`, path));
}
