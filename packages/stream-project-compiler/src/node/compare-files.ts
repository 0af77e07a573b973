import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestPath } from '../artifacts/artifact-paths.ts';
import { earlierPaths } from './write-files.ts';

/** A file that `writeFiles` would write or remove. */
export interface FileChange {
  readonly path: string;
  /** Undefined where there is none. */
  readonly before: string | undefined;
  /** Undefined where it would be removed. */
  readonly after: string | undefined;
  /** Either text holds a secret. */
  readonly secret: boolean;
}

interface CompareFilesOptions {
  /** Paths of files that only the owner may read. */
  readonly secretFiles?: ReadonlySet<string>;
  /** Artifacts that are not among the files stay. Default: they are removed. */
  readonly isPart?: boolean;
}

/** What `writeFiles` would change in a folder, in order of the paths. Writes nothing, and follows no links below the folder. */
export async function compareFiles(
  folder: string,
  files: ReadonlyMap<string, string>,
  { secretFiles = new Set(), isPart = false }: CompareFilesOptions = {},
): Promise<readonly FileChange[]> {
  const earlier = isPart ? [] : await earlierPaths(folder);
  const removed = earlier.filter((path) => path !== manifestPath && !files.has(path));
  return [...files.keys(), ...removed].sort().flatMap((path): readonly FileChange[] => {
    const there = contentOf(join(folder, path));
    const after = files.get(path);
    if (there?.text === after) return [];
    const secret = secretFiles.has(path) || there?.isOwnersAlone === true;
    return [{ path, before: there?.text, after, secret }];
  });
}

/** The text of a regular file; undefined where there is none, or none that may be read. */
function contentOf(path: string): { readonly text: string; readonly isOwnersAlone: boolean } | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined;
    throw error;
  }
  try {
    const facts = fstatSync(file);
    if (!facts.isFile()) return undefined;
    return { text: readFileSync(file, 'utf8'), isOwnersAlone: (facts.mode & 0o077) === 0 };
  } finally {
    closeSync(file);
  }
}
