import { ConnectorError, type ErrorCode, isConnectorError } from '@levada/connect-runtime-core/errors';

/** SQLite's primary result codes (https://sqlite.org/rescode.html) with their error codes here. */
const codes: ReadonlyMap<number, ErrorCode> = new Map([
  [5, 'log_unavailable'], // BUSY
  [6, 'log_unavailable'], // LOCKED
  [8, 'log_unavailable'], // READONLY
  [10, 'log_unavailable'], // IOERR
  [13, 'log_unavailable'], // FULL
  [14, 'log_unavailable'], // CANTOPEN
  [11, 'log_corrupt'],
  [26, 'log_corrupt'], // NOTADB
]);

/** System errors that end when space is freed or a right is restored. */
const passing: ReadonlySet<unknown> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EACCES',
  'EPERM',
  'EIO',
  'EMFILE',
  'ENFILE',
]);

/** The primary SQLite result code of an error; undefined for other errors. */
export function sqliteCode(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !('errcode' in thrown)) return undefined;
  return typeof thrown.errcode === 'number' ? thrown.errcode & 0xff : undefined;
}

/** Whether the open file is still valid after this error: nothing was written, or it was rolled back. */
export function leavesFileUsable(thrown: unknown): boolean {
  const code = sqliteCode(thrown);
  return code === 5 || code === 6 || code === 13;
}

/** Translates an error of SQLite or the file system, and names the place. */
export function storageError(thrown: unknown, place: string): ConnectorError {
  if (isConnectorError(thrown)) return thrown;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const code = codes.get(sqliteCode(thrown) ?? -1);
  if (code === 'log_corrupt') return corrupt(place, text, thrown);
  if (code !== undefined)
    return new ConnectorError(code, `${place} cannot be used now: ${text}`, { cause: thrown });
  if (!(thrown instanceof Error) || !('syscall' in thrown) || !('code' in thrown)) {
    return new ConnectorError('internal', `${place}: ${text}`, { cause: thrown });
  }
  const system = passing.has(thrown.code) ? 'log_unavailable' : 'file_unreadable';
  return new ConnectorError(system, `${place} cannot be used: ${text}`, { cause: thrown });
}

/** The error for damaged data. It says what was found, and that nothing was deleted. */
export function corrupt(place: string, found: string, cause?: unknown): ConnectorError {
  const advice = 'nothing was changed; restore it from a copy, or move the folder away to start empty';
  return new ConnectorError('log_corrupt', `${place} is damaged: ${found} (${advice})`, { cause });
}
