import { statSync } from 'node:fs';

/**
 * Watches over files that are open: somebody may remove or replace them meanwhile, and what is written into them then is lost
 * with the process. Asking costs some microseconds.
 */
export class FilesInPlace {
  readonly #files: readonly { readonly path: string; readonly id: string }[];

  /** The files of these paths as they are now. */
  constructor(paths: readonly string[]) {
    this.#files = paths.map((path) => ({ path, id: identityOf(path) }));
  }

  /** The first of the paths where the file is not any more. */
  missing(): string | undefined {
    return this.#files.find(({ path, id }) => identityOf(path) !== id)?.path;
  }
}

function identityOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? 'none' : `${stat.dev}:${stat.ino}`;
}
