import { stat } from 'node:fs/promises';
import { CommandError, exitCodes } from '../output/command-error.ts';

/** What a path that leads nowhere, or no name of a file, gives. */
const nothing: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'];

/** What is at a path; undefined when nothing is. Throws a {@link CommandError} when that may not be read: it is not missing. */
export async function statPath(path: string): Promise<'folder' | 'file' | undefined> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (nothing.includes(code)) return undefined;
    throw new CommandError(exitCodes.usage, `"${path}" cannot be looked at: ${code ?? String(error)}`);
  }
}
