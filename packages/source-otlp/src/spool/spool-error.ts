import { ConnectorError, isConnectorError } from '@levada/connect-runtime-core';

/** System errors that pass when there is room again, a right is given back, or the disk is repaired. */
const passing: ReadonlySet<unknown> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'EROFS',
  'EACCES',
  'EPERM',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENOMEM',
]);

/** System errors after which the open file is as sound as before: what was asked for was not done, or in part. */
const noRoom: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** Whether a write failed for want of room alone. */
export function lacksRoom(thrown: unknown): boolean {
  return noRoom.has(codeOf(thrown));
}

/** Translates what the file system threw, naming the folder. */
export function spoolError(thrown: unknown, folder: string): ConnectorError {
  if (isConnectorError(thrown)) return thrown;
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const code = passing.has(codeOf(thrown)) ? 'log_unavailable' : 'file_unreadable';
  return new ConnectorError(code, `spool "${folder}" cannot be used now: ${text}`, { cause: thrown });
}

/** The system's name of an error; undefined when it is not of the system. */
export function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
}
