import { existsSync } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Clock, ConnectorError } from '@levada/connect-runtime-core';
import { FileSpool } from './file-spool.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { loadSegments } from './load-segments.ts';
import { MarkFile } from './mark-file.ts';
import type { Spool, SpoolOptions } from './spool.ts';
import { spoolError } from './spool-error.ts';
import { diskAccess, type WriteAccess } from './write-access.ts';

const SEGMENT_BYTES = 67_108_864;

export interface OpenSpoolOptions extends SpoolOptions {
  readonly clock: Clock;
  /** Gives up the opening. Not the spool: that one is closed. */
  readonly signal?: AbortSignal;
  /**
   * Something failed that no append, and no take, reports: room is not given back, the mark of what is committed or a copy of
   * what was damaged is not kept. It is tried again as long as the spool is open. Must not throw.
   */
  readonly onError?: (error: ConnectorError) => void;
  /** How the folder is written; for tests of what disks do. Default: the file system. */
  readonly access?: (folder: FileHandle) => WriteAccess;
}

/**
 * Opens the spool of a folder; takes at most about a second per 100 MiB in it. Rejects with `log_in_use` when another process has it
 * open, with `unsupported` when a newer release wrote it, and with `log_unavailable` or `file_unreadable` when the folder
 * cannot be used. Damage inside the files is not a reason to reject: {@link Spool.recovery} reports it.
 */
export async function openSpool(options: OpenSpoolOptions): Promise<Spool> {
  const folder = resolve(options.folder);
  try {
    await makeFolder(folder);
    const handle = await open(folder, 'r');
    try {
      return await openLocked(folder, handle, options);
    } catch (thrown) {
      await handle.close();
      throw thrown;
    }
  } catch (thrown) {
    throw spoolError(thrown, folder);
  }
}

async function openLocked(folder: string, handle: FileHandle, options: OpenSpoolOptions): Promise<Spool> {
  const lock = await lockFolder(folder, handle);
  try {
    return await openFiles({ folder, handle, lock }, options);
  } catch (thrown) {
    await lock.release();
    throw thrown;
  }
}

interface LockedFolder {
  readonly folder: string;
  readonly handle: FileHandle;
  readonly lock: FolderLock;
}

async function openFiles({ folder, handle, lock }: LockedFolder, options: OpenSpoolOptions): Promise<Spool> {
  const { clock, maxBytes, segmentBytes = SEGMENT_BYTES, onError = () => undefined, signal } = options;
  const report = (thrown: unknown): void => onError(spoolError(thrown, folder));
  const mark = await MarkFile.open(folder, { clock, onError: report });
  try {
    const loaded = await loadSegments({ folder, committed: mark.place, signal, onError: report });
    const access = (options.access ?? diskAccess)(handle);
    await access.syncFolder();
    const release = async (): Promise<void> => {
      await lock.release();
      await handle.close();
    };
    return new FileSpool({ folder, maxBytes, segmentBytes, clock, access, mark, loaded, onError, release });
  } catch (thrown) {
    await mark.close();
    throw thrown;
  }
}

/**
 * Makes the folder, and forces its name to the disk, so that a loss of power cannot remove it. One by one: where a folder cannot be
 * made, as in /proc, Node's recursive way never ends.
 */
async function makeFolder(folder: string): Promise<void> {
  const missing: string[] = [];
  for (let at = folder; !existsSync(at); at = dirname(at)) missing.unshift(at);
  for (const one of missing) {
    await mkdir(one, { mode: 0o700 }).catch(ignoreExisting);
    const parent = await open(dirname(one), 'r');
    try {
      await parent.sync();
    } finally {
      await parent.close();
    }
  }
}

/** Another process may have made it meanwhile. */
function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
