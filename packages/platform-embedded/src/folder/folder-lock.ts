import { readFileSync, writeFileSync } from 'node:fs';
import { ConnectorError } from '@levada/connect-runtime-core/errors';
import { sqliteCode, storageError } from '../model/storage-error.ts';
import type { FolderLayout } from './folder-layout.ts';
import { OWN_FILE, openOwnDatabase } from './sqlite.ts';
import { makeFolder } from './writable-folder.ts';

/** An exclusive lock on a folder. */
export interface FolderLock {
  /** Releases the folder. Idempotent. */
  release(): void;
}

/**
 * Locks the folder for this process, and creates it if missing. The lock is a kernel lock on a file, through SQLite, so it always
 * ends with the process. Rejects with `log_in_use` and the holder's process id.
 */
export async function lockFolder(layout: FolderLayout): Promise<FolderLock> {
  try {
    makeFolder(layout.folder);
    const database = await openOwnDatabase(layout.lock, { timeout: 0 });
    try {
      // The exclusive transaction is only a lock: it is never committed and writes nothing
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
    // the holder may not have written its id yet; only the message lacks it
    return undefined;
  }
}
