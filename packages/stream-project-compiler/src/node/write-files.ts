import { readdirSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { manifestPath, pathsInManifest } from '../artifacts/artifact-paths.ts';
import { makeFolders, pathKind } from './make-folders.ts';
import { hasContent, isFolder, StagedFiles } from './replace-file.ts';

/** Options of {@link writeFiles}. */
export interface WriteFilesOptions {
  /** Paths of files that only the owner may read: mode 600 instead of 644. */
  readonly secretFiles?: ReadonlySet<string> | undefined;
  /**
   * All files of the last call for the same folder, which has resolved, with the same secret files: as long as they exist, those with the
   * same text are left alone and the others replaced, without reading any.
   */
  readonly before?: ReadonlyMap<string, string> | undefined;
  /** Artifacts that are not among the files stay, since these are a part of a compilation. Default: they are removed. */
  readonly isPart?: boolean | undefined;
}

/** The changes made by {@link writeFiles}, paths in order. */
export interface WrittenFiles {
  readonly written: readonly string[];
  /** Files that had the same bytes, or were written with them by the call that `before` is of, and were left alone. */
  readonly unchanged: readonly string[];
  /** Files of an earlier compilation that are no longer part of the output. */
  readonly removed: readonly string[];
}

/**
 * Writes the files of a compilation below a folder, which is made when it is missing; the manifest last. Files that are the same
 * are left alone. Removes the artifacts that the manifest in the folder lists and that are not among the files; touches nothing
 * else. Paths are below the folder, with "/" between. Links below the folder are neither followed nor replaced: rejects with an
 * error that names the path that is in the way.
 *
 * All new files are written before the first one is replaced, so that a full disk leaves everything as it was. Nothing waits until the
 * disk has them: that takes several times as long as all else, and what a loss of power damages another call finds and writes again.
 */
export async function writeFiles(
  folder: string,
  files: ReadonlyMap<string, string>,
  { secretFiles = new Set(), before, isPart = false }: WriteFilesOptions = {},
): Promise<WrittenFiles> {
  const paths = [...files.keys()].sort();
  for (const path of paths) requirePath(path);
  await makeFolders(folder);
  const earlier = isPart ? [] : before === undefined ? await earlierPaths(folder) : [...before.keys()];
  const kindOf = kindReader(folder);
  const staged = new StagedFiles(folder);
  const stage = (path: string) => {
    const mode = secretFiles.has(path) ? 0o600 : 0o644;
    const content = { text: files.get(path) ?? '', mode };
    const there = kindOf(path);
    const target = join(folder, path);
    if (there === 'other') throw new Error(`"${target}" is not a regular file and is not replaced`);
    const known = before?.get(path);
    const isSame = () => (known === undefined ? hasContent(target, content) : known === content.text);
    if (there === 'file' && isSame()) return;
    staged.add(path, content);
  };
  try {
    for (const [index, path] of paths.entries()) {
      // Others have their turn: Ctrl+C, for example
      if (index % TOGETHER === TOGETHER - 1) await setImmediate();
      stage(path);
    }
    const changed = new Set(paths.filter((path) => path !== manifestPath && staged.replace(path)));
    const removed = await removeAll(
      folder,
      earlier.filter((path) => path !== manifestPath && !files.has(path)).sort(),
    );
    if (staged.replace(manifestPath)) changed.add(manifestPath);
    return {
      written: paths.filter((path) => changed.has(path)),
      unchanged: paths.filter((path) => !changed.has(path)),
      removed,
    };
  } finally {
    staged.end();
  }
}

/** Files written one after the other before others have their turn, some five milliseconds. */
const TOGETHER = 100;

const name = /^[A-Za-z0-9%_][A-Za-z0-9%._-]{0,254}$/;

/** A bug of the caller, not a mistake of a user. */
function requirePath(path: string): void {
  if (path.split('/').every((part) => name.test(part))) return;
  throw new Error(`"${path}" is not a path below a folder, expected names with "/" between`);
}

type FileKind = 'file' | 'other' | undefined;

/** Says what is at paths below a folder; looks at each folder once, and throws when something else is in its place. */
function kindReader(folder: string): (path: string) => FileKind {
  const folders = new Map<string, ReadonlyMap<string, FileKind>>();
  const listed = (below: string): ReadonlyMap<string, FileKind> => {
    const known = folders.get(below);
    if (known !== undefined) return known;
    if (below !== '.') listed(posix.dirname(below));
    const isThere = below === '.' || isFolder(join(folder, below));
    const entries = isThere ? readdirSync(join(folder, below), { withFileTypes: true }) : [];
    const found = new Map(entries.map((entry) => [entry.name, entry.isFile() ? 'file' : 'other'] as const));
    folders.set(below, found);
    return found;
  };
  return (path) => listed(posix.dirname(path)).get(posix.basename(path));
}

/** Paths of the artifacts that the manifest in a folder lists. */
export async function earlierPaths(folder: string): Promise<readonly string[]> {
  const path = join(folder, manifestPath);
  if ((await pathKind(path)) !== 'file') return [];
  const text = await readFile(path, 'utf8');
  try {
    return pathsInManifest(JSON.parse(text));
  } catch {
    // Not JSON: nothing is known to be of an earlier compilation, so nothing is removed
    return [];
  }
}

async function removeAll(folder: string, paths: readonly string[]): Promise<readonly string[]> {
  const removed: string[] = [];
  for (const path of paths) {
    const [list = ''] = path.split('/');
    if ((await pathKind(join(folder, list))) !== 'folder') continue;
    if ((await pathKind(join(folder, path))) !== 'file') continue;
    await rm(join(folder, path));
    removed.push(path);
  }
  return removed;
}
