import { timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { type BasicUser, sha1, sha256 } from './basic-users.ts';
import { type Refusal, refuse } from './export-outcome.ts';

/** Who may send. With tokens or users, each request must carry one of them. */
export interface AccessOptions {
  /** Bearer tokens. */
  readonly tokens: readonly string[];
  /** Users of basic authentication. */
  readonly users: readonly BasicUser[];
  /** Names that the receivers may be addressed by, in lower case; empty: any. */
  readonly hosts: readonly string[];
}

/** The parts of a request's head that decide access. */
export interface AccessHead {
  readonly authorization: string | undefined;
  readonly host: string | undefined;
}

/** Decides by credentials and host; undefined when the request is allowed. */
export type Access = (head: AccessHead) => Refusal | undefined;

const hostRefused = refuse('forbidden', 'host is not one of otlp.allowed.hosts');
const tokenWrong = 'bearer token is not accepted';
const userWrong = 'user or password is not accepted';

/** Credentials are compared by their digests, each with all, so that the time taken says nothing of them. */
export function createAccess({ tokens, users, hosts }: AccessOptions): Access {
  const digests = tokens.map(sha256);
  const names = new Set(hosts.map((host) => host.toLowerCase()));
  const isOpen = digests.length === 0 && users.length === 0;
  const denied = denialsOf(digests.length > 0, users.length > 0);
  return ({ authorization = '', host }) => {
    if (names.size > 0 && !isHostAllowed(names, host)) return hostRefused;
    if (isOpen) return undefined;
    const [, scheme = '', credentials = ''] = /^(bearer|basic) +([^ ]+) *$/i.exec(authorization) ?? [];
    if (digests.length > 0 && scheme.toLowerCase() === 'bearer') {
      return isToken(digests, credentials) ? undefined : denied(tokenWrong);
    }
    if (users.length > 0 && scheme.toLowerCase() === 'basic') {
      return isUser(users, credentials) ? undefined : denied(userWrong);
    }
    return denied();
  };
}

/** What is answered without credentials, or with wrong ones, and how clients are to send them (RFC 9110, 11.6.1). */
function denialsOf(byToken: boolean, byUser: boolean): (message?: string) => Refusal {
  const challenge = [byToken ? ['Bearer'] : [], byUser ? ['Basic realm="OTLP", charset="UTF-8"'] : []].flat();
  const kinds = [byToken ? ['bearer token'] : [], byUser ? ['user and password'] : []].flat();
  const missing = `no ${kinds.join(', and no ')} in Authorization`;
  return (message = missing) => ({ ...refuse('unauthenticated', message), challenge: challenge.join(', ') });
}

function isToken(digests: readonly Buffer[], token: string): boolean {
  const digest = sha256(token);
  let matches = 0;
  for (const known of digests) matches += timingSafeEqual(known, digest) ? 1 : 0;
  return matches > 0;
}

function isUser(users: readonly BasicUser[], credentials: string): boolean {
  const text = Buffer.from(credentials, 'base64').toString();
  const colon = text.indexOf(':');
  if (colon < 0) return false;
  const [name, password] = [sha256(text.slice(0, colon)), text.slice(colon + 1)];
  const passwords = { sha256: sha256(password), sha1: sha1(password) };
  let matches = 0;
  for (const user of users) {
    const same = timingSafeEqual(user.name, name) ? 1 : 0;
    matches += same & (timingSafeEqual(user.digest, passwords[user.hash]) ? 1 : 0);
  }
  return matches > 0;
}

function isHostAllowed(names: ReadonlySet<string>, host: string | undefined): boolean {
  const name = (host ?? '').toLowerCase().replace(/:\d+$/, '');
  const literal = name.replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || isIP(literal) !== 0 || names.has(name.replace(/\.$/, ''));
}
