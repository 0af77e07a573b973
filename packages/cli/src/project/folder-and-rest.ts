import { resolve } from 'node:path';
import type { Terminal } from '../terminal.ts';
import { statPath } from './stat-path.ts';

/** The project's folder, and the words behind it. */
export interface FolderAndRest {
  readonly folder: string;
  readonly rest: readonly string[];
}

/** `[dir] [word...]`: the first word is the folder if there is such a folder, unless `--dir` names one. Default: here. */
export async function folderAndRest(
  words: readonly string[],
  dir: string | undefined,
  { cwd }: Terminal,
): Promise<FolderAndRest> {
  if (dir !== undefined) return { folder: dir, rest: words };
  const [first, ...rest] = words;
  if (first === undefined) return { folder: '.', rest };
  return (await statPath(resolve(cwd, first))) === 'folder'
    ? { folder: first, rest }
    : { folder: '.', rest: words };
}
