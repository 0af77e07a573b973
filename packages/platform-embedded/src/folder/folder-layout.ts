import { statSync } from 'node:fs';
import { join } from 'node:path';

/** The files of a log's folder. Nothing else in the folder is touched. */
export interface FolderLayout {
  readonly folder: string;
  /** Everything that is stored; SQLite keeps `-wal` and `-shm` beside it while it is open. */
  readonly log: string;
  /** Locked by the process that writes; always empty. */
  readonly lock: string;
  /** Process id of the last holder of the lock, for messages. */
  readonly holder: string;
  /** The cluster id; there since the log was first made, so a lost log is not taken for a new one. */
  readonly clusterId: string;
}

/** Names the files of a folder. */
export function folderLayout(folder: string): FolderLayout {
  return {
    folder,
    log: join(folder, 'log.db'),
    lock: join(folder, 'lock.db'),
    holder: join(folder, 'holder.pid'),
    clusterId: join(folder, 'cluster-id'),
  };
}

/**
 * Watches open files: they may be removed or replaced meanwhile, and what is written into them then is lost with the process.
 * Asking costs some microseconds.
 */
export class FilesInPlace {
  readonly #files: readonly { readonly path: string; readonly id: string }[];

  /** The files of these paths as they are now. */
  constructor(paths: readonly string[]) {
    this.#files = paths.map((path) => ({ path, id: identityOf(path) }));
  }

  /** The first path at which the file is not any more. */
  missing(): string | undefined {
    return this.#files.find(({ path, id }) => identityOf(path) !== id)?.path;
  }
}

function identityOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? 'none' : `${stat.dev}:${stat.ino}`;
}
