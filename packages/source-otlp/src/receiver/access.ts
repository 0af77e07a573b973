import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { type Refusal, refused } from './export-outcome.ts';

/** Who may send. */
export interface AccessOptions {
  /** Bearer tokens; empty: none is asked for. */
  readonly tokens: readonly string[];
  /** Names that the receivers may be addressed by, in lower case; empty: any. */
  readonly hosts: readonly string[];
}

/** What access is decided by. */
export interface AccessHead {
  readonly authorization: string | undefined;
  readonly host: string | undefined;
}

/** Decides by token and host; undefined when the request may go on. */
export type Access = (head: AccessHead) => Refusal | undefined;

const hostRefused = refused('forbidden', 'host is not one of otlp.allowed.hosts');
const tokenMissing = refused('unauthenticated', 'no bearer token in Authorization');
const tokenWrong = refused('unauthenticated', 'bearer token is not accepted');

/** Tokens are compared by their digests, each with all, so that the time taken says nothing of them. */
export function createAccess({ tokens, hosts }: AccessOptions): Access {
  const digests = tokens.map(digestOf);
  const names = new Set(hosts.map((host) => host.toLowerCase()));
  return ({ authorization, host }) => {
    if (names.size > 0 && !hostAllowed(names, host)) return hostRefused;
    if (digests.length === 0) return undefined;
    const [, token] = /^bearer +([^ ]+) *$/i.exec(authorization ?? '') ?? [];
    if (token === undefined) return tokenMissing;
    const digest = digestOf(token);
    let matches = 0;
    for (const known of digests) matches += timingSafeEqual(known, digest) ? 1 : 0;
    return matches > 0 ? undefined : tokenWrong;
  };
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function hostAllowed(names: ReadonlySet<string>, host: string | undefined): boolean {
  const name = (host ?? '').toLowerCase().replace(/:\d+$/, '');
  const literal = name.replace(/^\[(.*)\]$/, '$1');
  return name === 'localhost' || isIP(literal) !== 0 || names.has(name.replace(/\.$/, ''));
}
