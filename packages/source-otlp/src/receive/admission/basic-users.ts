import { createHash } from 'node:crypto';

/** A user who may send. Neither name nor password is kept. */
export interface BasicUser {
  /** SHA-256 of the name. */
  readonly name: Buffer;
  /** How the password is known: by its SHA-256, or by its SHA-1, as `htpasswd -s` writes it. */
  readonly hash: 'sha256' | 'sha1';
  readonly digest: Buffer;
}

/** What an entry is that cannot be used; the message never holds it. */
export type UserProblem = { readonly entry: number; readonly message: string };

const SHA1 = '{SHA}';
const SHA1_BYTES = 20;
/** MD5, bcrypt and SHA-crypt, as `htpasswd` writes them. */
const SLOW_HASH = /^\$(?:apr1|2[abxy]|5|6)\$/;

/** Reads `user:password` entries. The password begins after the first colon, and is text, or `{SHA}` with its SHA-1 in base64. */
export function readUsers(entries: readonly string[]): readonly BasicUser[] | UserProblem {
  const users: BasicUser[] = [];
  for (const [index, entry] of entries.entries()) {
    const user = readUser(entry);
    if (typeof user === 'string') return { entry: index + 1, message: user };
    users.push(user);
  }
  return users.length === 0 ? { entry: 0, message: 'there is no user' } : users;
}

function readUser(entry: string): BasicUser | string {
  const colon = entry.indexOf(':');
  const [name, password] = [entry.slice(0, colon), entry.slice(colon + 1)];
  if (colon < 1 || password === '') return 'expected user:password';
  if (SLOW_HASH.test(password)) {
    return 'its password is hashed with MD5, bcrypt or SHA-crypt, which take too long for each request: use htpasswd -s';
  }
  const user = { name: sha256(name) };
  if (!password.startsWith(SHA1)) return { ...user, hash: 'sha256', digest: sha256(password) };
  const digest = Buffer.from(password.slice(SHA1.length), 'base64');
  return digest.length === SHA1_BYTES
    ? { ...user, hash: 'sha1', digest }
    : 'expected 20 bytes in base64 after {SHA}';
}

/** Lines of a file as `htpasswd` writes it, without empty ones and comments. */
export function linesOfUsers(text: string): readonly string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
}

/** Users of a list with commas. */
export function listOfUsers(text: string): readonly string[] {
  return text
    .split(',')
    .map((user) => user.trim())
    .filter((user) => user !== '');
}

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export function sha1(text: string): Buffer {
  return createHash('sha1').update(text).digest();
}
