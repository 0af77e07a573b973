import { type Field, namesSecret } from '@levada/stream-project-schema';
import { type Place, pathOf, type ReadContext, reportAt, wordsFor } from './read-context.ts';
import type { YamlScalar } from './yaml-tree.ts';

/** Reports a secret that is written in the file as it is. It would be in the repository, and in the files that are compiled from it. */
export function reportSecretInClear(
  context: ReadContext,
  row: Field,
  { value, span }: YamlScalar,
  place: Place,
): void {
  if (!isInClear(row, value, place)) return;
  const variable = `\${${variableFor(place)}}`;
  reportAt(context, 'secret-in-clear', {
    place,
    span,
    message: `${wordsFor(place)} contains a secret in clear text, expected a variable such as "${variable}"`,
    hint: `write "${variable}" where the secret is, and set it in the environment or in .env`,
  });
}

function isInClear(row: Field, value: unknown, place: Place): boolean {
  const isNamed = place.secret || row.secret === true;
  if (typeof value !== 'string') return isNamed && typeof value === 'number';
  if (isNamed) return isSecretText(value);
  if (row.type === 'text' && (row.format === 'http-url' || row.format === 'servers')) {
    return holdsCredentials(value);
  }
  return place.secretKeys && holdsPasswordInUrl(value);
}

/** `${NAME}`, `${NAME:-}`, and what a connector runtime resolves: `${file:/path:key}`. */
const reference = /\$\{[A-Za-z_][A-Za-z0-9_]*(?::-)?\}|\$?\$\{[A-Za-z][\w.-]*:(?!-)[^}\n]*\}/g;

/** Whether a value has nothing that is written in the file: it may be printed, and be in files that others read. */
export function isOnlyReferences(value: unknown): boolean {
  return typeof value === 'string' && value.replaceAll(reference, '') === '';
}

/** Text around references is none, such as `Bearer ${TOKEN}`, unless it assigns one: `password="a" token="${TOKEN}"`. */
function isSecretText(text: string): boolean {
  const written = text.replaceAll(reference, '');
  if (written.trim() === '' || written === text) return written.trim() !== '';
  // A default is written in the file too
  if (written.includes('${')) return true;
  const assigned = [...written.matchAll(/([\w.-]+)=["']?[^"'\s;,]/g)];
  return assigned.some(([, name = '']) => namesSecret(name));
}

/** A name for the variable: that of the nearest key. */
function variableFor(place: Place): string {
  const key = pathOf(place).findLast((step) => typeof step === 'string') ?? '';
  const name = key.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_');
  return /^[A-Z]/.test(name) && name.length <= 64 ? name : 'SECRET';
}

/** Longer values are no addresses. */
const MAX_LENGTH = 8192;

/** `user:password@`, where an address begins. */
const userInformation = /^[^\s/?#:@]*:[^\s/?#@]+@/;

/** `user:password@` after a scheme, where it cannot be anything else. */
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

/** Whether any text holds such a password; it may have a ":" and an "@" without being an address, as in "mailto:". */
function holdsPasswordInUrl(text: string): boolean {
  if (!isAddress(text)) return false;
  const written = withoutVariables(text);
  if (userAfterScheme.test(written)) return true;
  return [...written.matchAll(parameter)].some(([, name = '']) => namesSecret(name));
}

/** Whether a text may be an address with a password. Asked of every text of a project; most have neither of the two signs. */
function isAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && (text.includes('@') || text.includes('=')) && !/\s/.test(text);
}

function withoutVariables(text: string): string {
  return text.replaceAll(/\$\{[A-Za-z_][A-Za-z0-9_]*\}/g, '');
}
