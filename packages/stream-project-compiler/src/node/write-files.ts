import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { manifestPath, pathsInManifest } from '../artifacts/artifact-paths.ts';
import { makeFolders, pathKind } from './make-folders.ts';
import { replaceFile } from './replace-file.ts';

/** Options of {@link writeFiles}. */
export interface WriteFilesOptions {
  /** Paths of files that only the owner may read: mode 600 instead of 644. */
  readonly secretFiles?: ReadonlySet<string>;
}

/** The changes made by {@link writeFiles}, paths in order. */
export interface WrittenFiles {
  readonly written: readonly string[];
  /** Files that had the same bytes, and were left alone. */
  readonly unchanged: readonly string[];
  /** Files of an earlier compilation that are no longer part of the output. */
  readonly removed: readonly string[];
}

/**
 * Writes the files of a compilation below a folder, which is made when it is missing; the manifest last. Files that are the same
 * are left alone. Removes the artifacts that the manifest in the folder lists and that are not among the files; touches nothing
 * else. Paths are below the folder, with "/" between. Links below the folder are neither followed nor replaced: rejects with an
 * error that names the path that is in the way.
 */
export async function writeFiles(
  folder: string,
  files: ReadonlyMap<string, string>,
  { secretFiles = new Set() }: WriteFilesOptions = {},
): Promise<WrittenFiles> {
  const paths = [...files.keys()].sort();
  for (const path of paths) requirePath(path);
  await makeFolders(folder);
  const earlier = await earlierPaths(folder);
  const changed = new Set<string>();
  const write = async (path: string) => {
    const content = { text: files.get(path) ?? '', mode: secretFiles.has(path) ? 0o600 : 0o644 };
    if (await writeOne(folder, path, content)) changed.add(path);
  };
  await writeSome(
    paths.filter((path) => path !== manifestPath),
    write,
  );
  const removed = await removeAll(
    folder,
    earlier.filter((path) => !files.has(path)),
  );
  if (files.has(manifestPath)) await write(manifestPath);
  return {
    written: paths.filter((path) => changed.has(path)),
    unchanged: paths.filter((path) => !changed.has(path)),
    removed,
  };
}

/** Files written at the same time: most of the time of each is waiting for the disk. */
const TOGETHER = 32;

/** Writes some files at a time, and waits for all of them before it rejects. */
async function writeSome(paths: readonly string[], write: (path: string) => Promise<void>): Promise<void> {
  for (let start = 0; start < paths.length; start += TOGETHER) {
    const settled = await Promise.allSettled(paths.slice(start, start + TOGETHER).map(write));
    for (const one of settled) if (one.status === 'rejected') throw one.reason;
  }
}

const name = /^[A-Za-z0-9%_][A-Za-z0-9%._-]{0,254}$/;

/** A bug of the caller, not a mistake of a user. */
function requirePath(path: string): void {
  if (path.split('/').every((part) => name.test(part))) return;
  throw new Error(`"${path}" is not a path below a folder, expected names with "/" between`);
}

async function writeOne(
  folder: string,
  path: string,
  content: { readonly text: string; readonly mode: number },
): Promise<boolean> {
  const parts = path.split('/');
  for (let depth = 1; depth < parts.length; depth += 1) {
    await makeFolder(join(folder, ...parts.slice(0, depth)));
  }
  return replaceFile(join(folder, path), content);
}

/** A link would lead elsewhere. */
async function makeFolder(path: string): Promise<void> {
  const there = await pathKind(path);
  if (there === undefined) await makeFolders(path);
  else if (there !== 'folder') throw new Error(`"${path}" is not a folder, nothing is written below it`);
}

async function earlierPaths(folder: string): Promise<readonly string[]> {
  const path = join(folder, manifestPath);
  if ((await pathKind(path)) !== 'file') return [];
  const text = await readFile(path, 'utf8');
  try {
    return pathsInManifest(JSON.parse(text)).toSorted();
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
