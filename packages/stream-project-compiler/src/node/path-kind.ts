import { lstat } from 'node:fs/promises';

/** What stands under a path, links not followed; undefined when nothing does. */
export type PathKind = 'file' | 'folder' | 'other' | undefined;

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
