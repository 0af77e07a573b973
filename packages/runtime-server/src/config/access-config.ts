import type { ConfigKey, RawConfig } from '@levada/connect-runtime-core';
import type { ConfigCheck } from './config-check.ts';

/** What a caller may do; each role includes those before it. */
export const roles = ['read', 'operate', 'admin'] as const;
export type Role = (typeof roles)[number];

/** Who has which role: names of users, `role:<value>` for values that a token claims, `*` for every caller. */
export type RoleRules = Readonly<Record<Role, readonly string[]>>;

/** Which bearer tokens are accepted. */
export interface BearerRules {
  /** `iss` of tokens. Its `/.well-known/openid-configuration` names the keys, unless {@link keysUrl} does. */
  readonly issuer: string;
  /** `aud` of tokens: one of these. */
  readonly audience: readonly string[];
  readonly keysUrl: string | undefined;
  /** Path of the claim that names the user, with dots. */
  readonly userClaim: string;
  /** Path of the claim that lists roles. */
  readonly rolesClaim: string;
}

/** Who may use REST. */
export interface AccessConfig {
  /** A file of users, or a JAAS file that names it. Undefined: no one has a password. */
  readonly users: { readonly kind: 'file' | 'jaas'; readonly file: string } | undefined;
  readonly bearer: BearerRules | undefined;
  readonly rules: RoleRules;
}

/** The one REST extension that Kafka Connect brings along. */
const basicExtension = 'org.apache.kafka.connect.rest.basic.auth.extension.BasicAuthSecurityRestExtension';

const roleKey = <const N extends Role>(role: N, what: string) =>
  ({
    name: `rest.roles.${role}`,
    type: 'list',
    default: [],
    importance: 'medium',
    documentation: `Who may ${what}: names of users, \`role:<value>\` for a value in \`rest.bearer.roles.claim\`, \`*\` for everyone who is known.`,
  }) as const;

/** Keys of authentication and roles. */
export const accessKeys = [
  {
    name: 'rest.extension.classes',
    type: 'list',
    default: [],
    importance: 'low',
    documentation: `\`${basicExtension}\`: requests need a name and a password. No other extension is known.`,
  },
  {
    name: 'rest.basic.jaas.file',
    type: 'string',
    default: null,
    importance: 'medium',
    documentation:
      'JAAS file whose entry `KafkaConnect` has a `PropertyFileLoginModule`, which names the file of users. Default: the file that `-Djava.security.auth.login.config=` of the variable `KAFKA_OPTS` names.',
  },
  {
    name: 'rest.basic.users.file',
    type: 'string',
    default: null,
    importance: 'medium',
    documentation:
      'Properties file with a line `user=password` for each user, in place of a JAAS file. Read again when it changes.',
  },
  {
    name: 'rest.bearer.issuer',
    type: 'string',
    default: null,
    importance: 'medium',
    documentation:
      'OpenID Connect issuer (an https URL) whose tokens are accepted as `Authorization: Bearer`. Its discovery document names the keys.',
  },
  {
    name: 'rest.bearer.audience',
    type: 'list',
    default: [],
    importance: 'medium',
    documentation:
      'Audiences of these tokens, one of which a token must be for. Required with rest.bearer.issuer.',
  },
  {
    name: 'rest.bearer.jwks.url',
    type: 'string',
    default: null,
    importance: 'low',
    documentation: "URL of the issuer's keys (a JWK Set), in place of discovery.",
  },
  {
    name: 'rest.bearer.user.claim',
    type: 'string',
    default: 'sub',
    importance: 'low',
    documentation: 'Claim that names the user; a dot leads into an object.',
  },
  {
    name: 'rest.bearer.roles.claim',
    type: 'string',
    default: 'roles',
    importance: 'low',
    documentation:
      'Claim with the roles or groups of the user, a list or words in one text; a dot leads into an object (`realm_access.roles`).',
  },
  roleKey('read', 'read everything and change nothing'),
  roleKey('operate', 'also pause, resume, stop and restart, and validate configurations'),
  roleKey('admin', 'also create, configure and delete connectors, and change offsets and log levels'),
  {
    name: 'rest.request.log',
    type: 'boolean',
    default: false,
    importance: 'low',
    documentation:
      'Log a line for every request (`rest_request`). Changes are logged anyway (`rest_change`).',
  },
] as const satisfies readonly ConfigKey[];

/** Reads these keys; undefined when everyone may do everything. `text` is the printed value of a key. */
export function readAccess(
  raw: RawConfig,
  text: (key: string) => string,
  check: ConfigCheck,
): AccessConfig | undefined {
  const extensions = listOf(text('rest.extension.classes'));
  const isBasic = (name: string): boolean => name === basicExtension || basicExtension.endsWith(`.${name}`);
  for (const name of extensions.filter((one) => !isBasic(one))) {
    check.add('rest.extension.classes', `The only REST extension is ${basicExtension}`, name);
  }
  const users = usersOf(text, extensions.some(isBasic), check);
  const bearer = bearerOf(text, check);
  const rules = {
    read: listOf(text('rest.roles.read')),
    operate: listOf(text('rest.roles.operate')),
    admin: listOf(text('rest.roles.admin')),
  };
  if (users !== undefined || bearer !== undefined) return { users, bearer, rules };
  for (const role of roles.filter((one) => rules[one].length > 0)) {
    const key = `rest.roles.${role}`;
    check.add(key, 'Without rest.extension.classes or rest.bearer.issuer no caller is known', raw[key]);
  }
  return undefined;
}

/** Files that pretend to protect without the extension are a mistake: nothing would be protected. */
function usersOf(text: (key: string) => string, wanted: boolean, check: ConfigCheck): AccessConfig['users'] {
  const jaas = text('rest.basic.jaas.file');
  const file = text('rest.basic.users.file');
  if (!wanted) {
    if (text('rest.extension.classes') !== '') return undefined;
    for (const key of ['rest.basic.jaas.file', 'rest.basic.users.file']) {
      if (text(key) !== '') check.add(key, `It needs rest.extension.classes=${basicExtension}`, text(key));
    }
    return undefined;
  }
  if (jaas !== '' && file !== '')
    check.add('rest.basic.users.file', 'rest.basic.jaas.file is given too', file);
  else if (jaas === '' && file === '') {
    check.add('rest.basic.users.file', 'rest.extension.classes needs it, or rest.basic.jaas.file', null);
  }
  return file === '' ? { kind: 'jaas', file: jaas } : { kind: 'file', file };
}

function bearerOf(text: (key: string) => string, check: ConfigCheck): BearerRules | undefined {
  const issuer = text('rest.bearer.issuer');
  if (issuer === '') return undefined;
  const audience = listOf(text('rest.bearer.audience'));
  if (audience.length === 0) check.missing('rest.bearer.audience');
  for (const key of ['rest.bearer.issuer', 'rest.bearer.jwks.url']) {
    if (text(key) !== '' && !isSafeUrl(text(key))) {
      check.add(key, 'Expected an https URL, or an http URL of this machine', text(key));
    }
  }
  return {
    issuer,
    audience,
    keysUrl: text('rest.bearer.jwks.url') || undefined,
    userClaim: text('rest.bearer.user.claim'),
    rolesClaim: text('rest.bearer.roles.claim'),
  };
}

/** Keys that come over a network without TLS could be anyone's. */
function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return protocol === 'https:' || (protocol === 'http:' && local);
}

function listOf(text: string): readonly string[] {
  return text === '' ? [] : text.split(',');
}
