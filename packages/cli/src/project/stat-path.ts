import { stat } from 'node:fs/promises';
import { CommandError, exitCodes } from '../output/command-error.ts';

/** Error codes of paths that do not exist or cannot exist. */
const nothing: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'];

/** Kind of a path; undefined when it does not exist. Throws a {@link CommandError} when it cannot be inspected. */
export async function statPath(path: string): Promise<'folder' | 'file' | undefined> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (nothing.includes(code)) return undefined;
    throw new CommandError(exitCodes.usage, `"${path}" cannot be looked at: ${code ?? String(error)}`);
  }
}
