import { type ConfigIssue, type RawConfig, Secret } from '@levada/connect-runtime-core';
import { parseJaas } from '@levada/connect-runtime-core/config';
import type { ClientValues } from './client-config.ts';
import { saslMechanisms } from './client-keys.ts';

/** A user with a password. */
export interface SaslLogin {
  readonly mechanism: (typeof saslMechanisms)[number];
  readonly username: string;
  readonly password: Secret;
}

const loginModules = {
  PLAIN: 'PlainLoginModule',
  'SCRAM-SHA-256': 'ScramLoginModule',
  'SCRAM-SHA-512': 'ScramLoginModule',
} as const;

/** Problems of the SASL keys; none if the security protocol does not use SASL. */
export function saslProblems(raw: RawConfig): readonly ConfigIssue[] {
  if (!usesSasl(raw['security.protocol'])) return [];
  const mechanism = mechanismOf(raw['sasl.mechanism'] ?? 'GSSAPI');
  if (mechanism === undefined) {
    const key = 'sasl.mechanism';
    const found = raw[key] ?? 'GSSAPI';
    return [{ key, message: `Invalid value ${found} for configuration ${key}: ${expectedMechanisms}` }];
  }
  const login = readLogin(mechanism, raw['sasl.jaas.config'] ?? '');
  return typeof login === 'string' ? [{ key: 'sasl.jaas.config', message: jaasMessage(login) }] : [];
}

/** The login of checked values; undefined if the security protocol needs none. */
export function saslSettings(values: ClientValues): SaslLogin | undefined {
  const mechanism = mechanismOf(values['sasl.mechanism']);
  if (mechanism === undefined || !usesSasl(values['security.protocol'])) return undefined;
  const login = readLogin(mechanism, values['sasl.jaas.config']?.reveal() ?? '');
  return typeof login === 'string' ? undefined : login;
}

const expectedMechanisms = `expected one of ${saslMechanisms.join(', ')}`;

function usesSasl(protocol: string | null | undefined): boolean {
  return /^sasl_/i.test(protocol?.trim() ?? '');
}

function mechanismOf(text: string): SaslLogin['mechanism'] | undefined {
  return saslMechanisms.find((mechanism) => mechanism === text.trim().toUpperCase());
}

/** The login, or its problems. */
function readLogin(mechanism: SaslLogin['mechanism'], text: string): SaslLogin | string {
  const module = loginModules[mechanism];
  if (text.trim() === '') return `a login is needed for ${mechanism}; ${shape(module)}`;
  const jaas = parseJaas(text);
  if (jaas === undefined) return `it cannot be read; ${shape(module)}`;
  if (jaas.module !== module)
    return `login module "${jaas.module}" is not for ${mechanism}; ${shape(module)}`;
  if (jaas.options.get('tokenauth')?.toLowerCase() === 'true') return 'delegation tokens are not supported';
  const username = jaas.options.get('username');
  const password = jaas.options.get('password');
  if (!username || password === undefined) return `username or password is missing; ${shape(module)}`;
  return { mechanism, username, password: new Secret(password) };
}

function shape(module: string): string {
  const name = module === 'PlainLoginModule' ? 'plain.PlainLoginModule' : 'scram.ScramLoginModule';
  return `expected org.apache.kafka.common.security.${name} required username="..." password="...";`;
}

function jaasMessage(problem: string): string {
  return `Invalid value [hidden] for configuration sasl.jaas.config: ${problem}`;
}
