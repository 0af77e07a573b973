import { lstat, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Creates a folder and its parents, unless they exist; links to folders count as folders. Rejects when something else
 * has that path, or when the system refuses to create a folder. `mode` is that of folders that are made, default 0o777 less the umask.
 *
 * One by one, because Node's own `recursive` loops endlessly where a parent exists but is reported as missing, as in /proc
 * (Node 24). Can be replaced by `recursive` once that is fixed.
 */
export async function makeFolders(folder: string, mode?: number): Promise<void> {
  const missing: string[] = [];
  let there = resolve(folder);
  while (!(await exists(there)) && dirname(there) !== there) {
    missing.push(there);
    there = dirname(there);
  }
  if (!(await stat(there)).isDirectory()) throw new Error(`"${there}" is not a folder`);
  for (const path of missing.reverse()) await makeFolder(path, mode);
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return false;
    throw error;
  }
}

/** Another process may make it at the same moment. */
async function makeFolder(path: string, mode: number | undefined): Promise<void> {
  try {
    await mkdir(path, mode === undefined ? {} : { mode });
  } catch (error) {
    if (!hasCode(error, 'EEXIST') || !(await exists(path))) throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** What exists at a path, without following links; undefined when nothing does. */
type PathKind = 'file' | 'folder' | 'other' | undefined;

/** Returns what exists at a path. */
export async function pathKind(path: string): Promise<PathKind> {
  try {
    const facts = await lstat(path);
    if (facts.isFile()) return 'file';
    return facts.isDirectory() ? 'folder' : 'other';
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
