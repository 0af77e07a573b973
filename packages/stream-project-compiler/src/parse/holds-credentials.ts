import { namesSecret } from '@levada/stream-project-schema';

/** Longer values are no addresses. */
const MAX_LENGTH = 8192;

/** `user:password@`, where an address begins. */
const userInformation = /^[^\s/?#:@]*:[^\s/?#@]+@/;

/** The same after a scheme, where it is nothing else. */
const userAfterScheme = /\/\/[^\s/?#:@]*:[^\s/?#@]+@/;

/** `?password=`, as drivers of databases take it. */
const parameter = /[?&;]([\w.-]+)=[^&;\s]/g;

/**
 * Whether an address holds a password that is written in it, so that it must not be printed: before an "@", or as a parameter.
 * Variables alone are no password; text with blanks is no address.
 */
export function holdsCredentials(text: string): boolean {
  return holdsPasswordInUrl(text) || (isAddress(text) && userInformation.test(withoutVariables(text)));
}

/** The same for text of any kind, which may have a ":" and an "@" without being an address, as "mailto:" has. */
export function holdsPasswordInUrl(text: string): boolean {
  if (!isAddress(text)) return false;
  const written = withoutVariables(text);
  if (userAfterScheme.test(written)) return true;
  return [...written.matchAll(parameter)].some(([, name = '']) => namesSecret(name));
}

function isAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && !/\s/.test(text);
}

function withoutVariables(text: string): string {
  return text.replaceAll(/\$\{[A-Za-z_][A-Za-z0-9_]*\}/g, '');
}
