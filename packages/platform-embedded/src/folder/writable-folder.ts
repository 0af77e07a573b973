import { mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ConnectorError } from '@levada/connect-runtime-core/errors';
import { storageError } from '../model/storage-error.ts';

/** Other users of the machine do not see what is stored. */
const OWN_FOLDER = 0o700;

/**
 * Makes a folder and those above it that are missing. Level by level, because `mkdirSync` with `recursive` never returns
 * where the file system answers ENOENT for a folder that it does not make, as /proc does. A folder that is there keeps its mode.
 */
export function makeFolder(folder: string): void {
  const { existing, missing } = levelsOf(folder);
  let at = existing;
  for (const name of missing) {
    at = join(at, name);
    try {
      mkdirSync(at, { mode: OWN_FOLDER });
    } catch (thrown) {
      // Another process may have made it meanwhile.
      if (statSync(at, { throwIfNoEntry: false })?.isDirectory() !== true) throw thrown;
    }
  }
}

/**
 * Why no log can be kept in a folder; undefined when one can. Tries it with a folder of its own, which it removes again:
 * access rights alone do not tell, for example not of a file system that is mounted read-only.
 */
export function folderProblem(folder: string): string | undefined {
  try {
    rmdirSync(mkdtempSync(join(levelsOf(folder).existing, '.levada-')));
    return undefined;
  } catch (thrown) {
    return storageError(thrown, `folder "${folder}"`).message;
  }
}

/** The nearest folder on the way that is there, and the names of those that are missing below it. Throws for a file in the way. */
function levelsOf(folder: string): { readonly existing: string; readonly missing: readonly string[] } {
  const missing: string[] = [];
  let at = resolve(folder);
  for (;;) {
    // Undefined below a file too.
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
