import { statSync } from 'node:fs';
import { join } from 'node:path';

/** The files in a log's folder. Other files in the folder are never changed. */
export interface FolderLayout {
  readonly folder: string;
  /** All stored data. SQLite keeps `-wal` and `-shm` files next to it while it is open. */
  readonly log: string;
  /** Locked by the writing process; always empty. */
  readonly lock: string;
  /** Process id of the last holder of the lock, for messages. */
  readonly holder: string;
  /** The cluster id. It is written when the log is created, so that a lost log is not mistaken for a new one. */
  readonly clusterId: string;
}

export function folderLayout(folder: string): FolderLayout {
  return {
    folder,
    log: join(folder, 'log.db'),
    lock: join(folder, 'lock.db'),
    holder: join(folder, 'holder.pid'),
    clusterId: join(folder, 'cluster-id'),
  };
}

/** Detects open files that were removed or replaced: writes into them are lost with the process. A check takes some microseconds. */
export class FilesInPlace {
  readonly #files: readonly { readonly path: string; readonly id: string }[];

  /** Remembers the current files at these paths. */
  constructor(paths: readonly string[]) {
    this.#files = paths.map((path) => ({ path, id: identityOf(path) }));
  }

  /** The first path whose file was removed or replaced. */
  findMissing(): string | undefined {
    return this.#files.find(({ path, id }) => identityOf(path) !== id)?.path;
  }
}

function identityOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? 'none' : `${stat.dev}:${stat.ino}`;
}
