/** Longer values are no addresses. */
const MAX_LENGTH = 8192;

/** `user:password@`, where an address begins. */
const userInformation = /(?:^|\/\/)[^\s/?#:@]*:[^\s/?#@]+@/;

/** `?password=`, as drivers of databases take it. */
const parameter = /[?&;](?:password|passwd|pwd|passphrase|secret|token|access_?token|api_?key)=[^&;\s]/i;

/**
 * Whether an address holds a password that is written in it, so that it must not be printed: before an "@", or as a parameter.
 * Variables alone are no password; text with blanks is no address.
 */
export function holdsCredentials(text: string): boolean {
  if (text.length > MAX_LENGTH || /\s/.test(text)) return false;
  const written = text.replaceAll(/\$\{[A-Za-z_][A-Za-z0-9_]*\}/g, '');
  return userInformation.test(written) || parameter.test(written);
}
