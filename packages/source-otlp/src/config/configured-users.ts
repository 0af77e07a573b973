import { ConnectorError } from '@levada/connect-runtime-core';
import { readRegularFile } from '@levada/connect-runtime-core/source-kit';
import { type BasicUser, linesOfUsers, listOfUsers, readUsers } from '../receive/admission/basic-users.ts';
import type { OtlpConfig } from './config.ts';

/** Largest file of users. */
const MAX_BYTES = 1024 * 1024;

const PATH = 'otlp.auth.users.path';

/** The users of the list and of the file. Throws a ConnectorError that names key and line, never what is in it. */
export function readConfiguredUsers(config: OtlpConfig): readonly BasicUser[] {
  const list = config['otlp.auth.users'];
  const path = config[PATH];
  return [
    ...(list === null ? [] : usersOf('otlp.auth.users: entry', listOfUsers(list.reveal()))),
    ...(path === null ? [] : usersOf(`${PATH} "${path}": user`, linesOfUsers(readUsersFile(path)))),
  ];
}

function usersOf(what: string, entries: readonly string[]): readonly BasicUser[] {
  const users = readUsers(entries);
  if (!('entry' in users)) return users;
  throw new ConnectorError('config_invalid', `${what} ${users.entry}: ${users.message}`);
}

function readUsersFile(path: string): string {
  try {
    return readRegularFile(path, MAX_BYTES).toString();
  } catch (cause) {
    const { message } = ConnectorError.from(cause);
    throw new ConnectorError('file_unreadable', `Cannot read users: ${PATH} ${message}`, { cause });
  }
}
