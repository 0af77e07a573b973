import { createHash, timingSafeEqual } from 'node:crypto';
import { ConnectorError } from '@levada/connect-runtime-core';
import { jaasEntry } from '@levada/connect-runtime-core/config';
import { propertyEntries } from '@levada/connect-runtime-core/host';
import { readRegularFile } from '@levada/connect-runtime-core/source-kit';

/** Largest file of users. */
const MAX_BYTES = 1024 * 1024;
/** Name of the entry of a JAAS file, and of the one module that Kafka Connect brings along. */
const ENTRY = 'KafkaConnect';
const MODULE = 'PropertyFileLoginModule';

/** Digests of passwords by user name: compared in the same time whatever a password is, and useless in a memory dump. */
export type PasswordUsers = ReadonlyMap<string, Buffer>;

/** The users file that a JAAS file names. Throws a ConnectorError that says what is wrong, without a content. */
export function usersFileOf(jaasFile: string): string {
  const logins = jaasEntry(readText(jaasFile), ENTRY);
  const [login] = logins ?? [];
  if (login === undefined) throw unusable(jaasFile, `has no readable entry ${ENTRY} { ... };`);
  const file = login.options.get('file') ?? '';
  if (logins?.length !== 1 || login.module !== MODULE) {
    throw unusable(jaasFile, `must have one module in ${ENTRY}, which is ${MODULE}`);
  }
  if (file.trim() === '') throw unusable(jaasFile, `has no option file for ${MODULE}`);
  return file;
}

/** Reads `user=password` lines of a Java properties file. Throws a ConnectorError that says what is wrong, without a content. */
export function readUsers(file: string): PasswordUsers {
  const users = new Map<string, Buffer>();
  for (const { key, value } of entriesOf(file)) users.set(key, digest(value));
  // With Kafka Connect an empty file lets everyone in, which is hardly what its owner wants.
  if (users.size === 0) throw unusable(file, 'has no users');
  return users;
}

/** The user of an `Authorization` header of scheme Basic; undefined when it is none, or name and password do not fit. */
export function basicUser(users: PasswordUsers, authorization: string): string | undefined {
  const [, encoded] = /^basic +([\w+/=-]+)$/i.exec(authorization) ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  const name = text.slice(0, Math.max(0, colon));
  const known = users.get(name);
  const same = timingSafeEqual(known ?? digest(''), digest(text.slice(colon + 1)));
  return colon > 0 && known !== undefined && same ? name : undefined;
}

function digest(password: string): Buffer {
  return createHash('sha256').update(password).digest();
}

function entriesOf(file: string): Iterable<{ readonly key: string; readonly value: string }> {
  const text = readText(file);
  try {
    return [...propertyEntries(text)];
  } catch (cause) {
    throw unusable(file, cause instanceof Error ? cause.message : 'is no properties file');
  }
}

function readText(file: string): string {
  return readRegularFile(file, MAX_BYTES).toString('utf8');
}

function unusable(file: string, problem: string): ConnectorError {
  return new ConnectorError('config_invalid', `the file "${file}" ${problem}`);
}
