import { lstat, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those that it is in, unless they are there; links to folders count as folders. Rejects when something else
 * stands there, or when the system refuses one.
 *
 * One by one, because Node's own `recursive` goes round for ever where a parent exists and answers as if it did not, as /proc
 * does (Node 24). To be replaced by it once it ends there.
 */
export async function makeFolders(folder: string): Promise<void> {
  const missing: string[] = [];
  let there = resolve(folder);
  while (!(await exists(there)) && dirname(there) !== there) {
    missing.push(there);
    there = dirname(there);
  }
  if (!(await stat(there)).isDirectory()) throw new Error(`"${there}" is not a folder`);
  for (const path of missing.reverse()) await makeFolder(path);
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
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST') || !(await exists(path))) throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** What stands under a path, links not followed; undefined when nothing does. */
type PathKind = 'file' | 'folder' | 'other' | undefined;

/** Says what stands under a path. */
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
