import { readFileSync, writeFileSync } from 'node:fs';
import { ConnectorError } from '@levada/connect-runtime-core/errors';
import { sqliteCode, storageError } from '../model/storage-error.ts';
import type { FolderLayout } from './folder-layout.ts';
import { OWN_FILE, openOwnDatabase } from './sqlite.ts';
import { makeFolder } from './writable-folder.ts';

/** A folder that this process alone writes. */
export interface FolderLock {
  /** Gives the folder free. Idempotent. */
  release(): void;
}

/**
 * Takes the folder for this process; makes it when missing. The lock is the kernel's lock on a file, through SQLite, so
 * the end of the process frees it whatever its end was. Rejects with `log_in_use` naming the holder's process id.
 */
export async function lockFolder(layout: FolderLayout): Promise<FolderLock> {
  try {
    makeFolder(layout.folder);
    const database = await openOwnDatabase(layout.lock, { timeout: 0 });
    try {
      // Never committed and never written: an exclusive transaction is nothing but the lock.
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
      writeFileSync(layout.holder, `${process.pid}\n`, { mode: OWN_FILE });
    } catch (thrown) {
      database.close();
      throw sqliteCode(thrown) === 5 ? inUse(layout) : thrown;
    }
    return {
      release: () => {
        if (database.isOpen) database.close();
      },
    };
  } catch (thrown) {
    throw storageError(thrown, `folder "${layout.folder}"`);
  }
}

function inUse(layout: FolderLayout): ConnectorError {
  const pid = holderPid(layout);
  const holder =
    pid === process.pid ? `this process (pid ${pid})` : `another process (pid ${pid ?? 'unknown'})`;
  return new ConnectorError(
    'log_in_use',
    `folder "${layout.folder}" is in use by ${holder}: stop that one first, or choose another folder`,
  );
}

function holderPid(layout: FolderLayout): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(layout.holder, 'utf8'), 10);
    return Number.isNaN(pid) ? undefined : pid;
  } catch {
    // only the message gets poorer: the holder may not have come to writing its id
    return undefined;
  }
}
