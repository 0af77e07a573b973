import { type Clock, type EventLog, isConnectorError } from '@levada/connect-runtime-core';
import type { AccessConfig } from '../config/access-config.ts';
import { FileWatch } from '../host/file-watch.ts';
import type { workerEvents } from '../telemetry/worker-events.ts';
import { BearerTokens } from './bearer-tokens.ts';
import { basicUser, type PasswordUsers, readUsers, usersFileOf } from './password-users.ts';
import { type Caller, roleOf } from './roles.ts';

export interface AccessOptions {
  readonly config: AccessConfig;
  readonly clock: Clock;
  readonly log: EventLog<typeof workerEvents>;
}

/** The file of users of a configuration, which a JAAS file may name. */
export function usersFile({ users }: AccessConfig): string | undefined {
  if (users === undefined) return undefined;
  return users.kind === 'file' ? users.file : usersFileOf(users.file);
}

/**
 * Knows callers by name and password or by a bearer token. The file of users is read again when it changes; one that cannot be used changes
 * nothing. The constructor throws what is wrong with the file.
 */
export class AccessControl {
  /** Whether callers can have a password, so that they are refused in the words of Kafka Connect. */
  readonly passwords: boolean;
  readonly tokens: boolean;
  readonly #options: AccessOptions;
  readonly #bearer: BearerTokens | undefined;
  readonly #watch: FileWatch;
  #users: PasswordUsers = new Map();

  constructor(options: AccessOptions) {
    const { config, clock } = options;
    this.#options = options;
    const file = usersFile(config);
    this.passwords = file !== undefined;
    this.tokens = config.bearer !== undefined;
    if (file !== undefined) this.#users = readUsers(file);
    this.#bearer = config.bearer === undefined ? undefined : new BearerTokens(config.bearer, clock);
    const files = file === undefined ? [] : [file];
    this.#watch = new FileWatch({ files, clock, changed: () => this.#renew(file as string) });
  }

  start(): Promise<void> {
    return this.#watch.start();
  }

  stop(): void {
    this.#watch.stop();
  }

  /** Whose `Authorization` header it is; undefined when it does not prove anything. Rejects with `IssuerUnavailable`. */
  async caller(authorization: string | undefined): Promise<Caller | undefined> {
    if (authorization === undefined) return undefined;
    const { rules } = this.#options.config;
    const [, token] = /^bearer +([\w.~+/=-]+)$/i.exec(authorization) ?? [];
    if (token === undefined) {
      const name = basicUser(this.#users, authorization);
      return name === undefined ? undefined : { name, role: roleOf(rules, name) };
    }
    const user = await this.#bearer?.user(token);
    return user === undefined ? undefined : { name: user.name, role: roleOf(rules, user.name, user.roles) };
  }

  #renew(file: string): void {
    const { log } = this.#options;
    try {
      this.#users = readUsers(file);
      log('rest_users_renewed', { file });
    } catch (error) {
      log('rest_users_unusable', { file, problem: isConnectorError(error) ? error.message : String(error) });
      throw error;
    }
  }
}
