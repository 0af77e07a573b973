import { mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ConnectorError } from '@levada/connect-runtime-core/errors';
import { storageError } from '../model/storage-error.ts';

/** Other users of the machine cannot read stored data. */
const OWN_FOLDER = 0o700;

/**
 * Creates a folder and its missing parents. Level by level, because recursive `mkdirSync` never returns if the file system
 * answers ENOENT for a folder it cannot create, as /proc does. An existing folder keeps its mode.
 */
export function makeFolder(folder: string): void {
  const { existing, missing } = levelsOf(folder);
  let at = existing;
  for (const name of missing) {
    at = join(at, name);
    try {
      mkdirSync(at, { mode: OWN_FOLDER });
    } catch (thrown) {
      // Another process may have created it meanwhile
      if (statSync(at, { throwIfNoEntry: false })?.isDirectory() !== true) throw thrown;
    }
  }
}

/**
 * The reason why a folder cannot hold a log; undefined if it can. Creates and removes a test folder: access rights alone do not
 * show, for example, a read-only file system.
 */
export function folderProblem(folder: string): string | undefined {
  try {
    rmdirSync(mkdtempSync(join(levelsOf(folder).existing, '.levada-')));
    return undefined;
  } catch (thrown) {
    return storageError(thrown, `folder "${folder}"`).message;
  }
}

/** The nearest existing folder on the path, and the names of the missing ones below it. Throws if a file is in the path. */
function levelsOf(folder: string): { readonly existing: string; readonly missing: readonly string[] } {
  const missing: string[] = [];
  let at = resolve(folder);
  for (;;) {
    // Also undefined below a file
    const found = statSync(at, { throwIfNoEntry: false });
    if (found?.isDirectory() === true) return { existing: at, missing };
    if (found !== undefined) {
      const message = `folder "${folder}" cannot be used: ENOTDIR, "${at}" is not a folder`;
      throw new ConnectorError('file_unreadable', message);
    }
    missing.unshift(basename(at));
    at = dirname(at);
  }
}
