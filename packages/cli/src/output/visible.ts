/** Text that stays on its line and cannot steer the terminal: control characters are shown escaped. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
