import { createSecureContext } from 'node:tls';
import { Secret } from '@levada/connect-runtime-core';
import type { Validator } from '@levada/connect-runtime-core/config';
import { listOfUsers, readUsers } from '../receive/admission/basic-users.ts';

/** Characters of a bearer token (RFC 6750). */
const TOKEN = /^[A-Za-z0-9._~+/-]+=*$/;

/** Bearer tokens separated by commas. The message never holds one. */
export const tokenList: Validator = {
  allowed: 'token,token',
  check: (value) => {
    if (value === null) return undefined;
    const tokens = tokensOf(value instanceof Secret ? value.reveal() : String(value));
    if (tokens.length === 0) return 'Token must be non-blank';
    const wrong = tokens.findIndex((token) => !TOKEN.test(token));
    return wrong === -1
      ? undefined
      : `Token ${wrong + 1} is none: only letters, digits and -._~+/ are allowed, and = at the end`;
  },
};

/** Users with passwords, separated by commas. The message never holds one. */
export const userList: Validator = {
  allowed: 'user:password,user:password',
  check: (value) => {
    if (value === null) return undefined;
    const users = readUsers(listOfUsers(value instanceof Secret ? value.reveal() : String(value)));
    if (!('entry' in users)) return undefined;
    return users.entry === 0 ? 'User must be non-blank' : `User ${users.entry} is none: ${users.message}`;
  },
};

/** Ciphers as OpenSSL names them. */
export const cipherList: Validator = {
  allowed: 'cipher:cipher',
  check: (value) => {
    if (typeof value !== 'string') return undefined;
    try {
      createSecureContext({ ciphers: value });
      return undefined;
    } catch {
      return 'OpenSSL knows none of these ciphers';
    }
  },
};

/** Names of hosts, without ports. */
export const hostList: Validator = {
  allowed: 'host name,host name',
  check: (value) => {
    const names = Array.isArray(value) ? (value as readonly string[]) : [];
    const wrong = names.find((name) => !/^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_])?$/.test(name));
    return wrong === undefined ? undefined : 'List may hold only host names, without scheme and port';
  },
};

/** The tokens of a list, without the blanks around them. */
export function tokensOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((token) => token.trim())
    .filter((token) => token !== '');
}
