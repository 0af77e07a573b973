import { constants } from 'node:fs';
import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { StageResult } from '../diagnostics/diagnostic.ts';
import type {
  FolderEntry,
  LinkResult,
  ListResult,
  ProjectFileSystem,
  ReadResult,
} from '../load/file-system.ts';
import { type LoadedProject, type LoadOptions, loadProject } from '../load/load-project.ts';

/** The files below a folder of this machine. */
export function nodeFileSystem(folder: string): ProjectFileSystem {
  return {
    list: (path) => list(join(folder, path)),
    read: (path, limit) => read(join(folder, path), limit),
    follow: (path) => follow(folder, join(folder, path)),
  };
}

async function list(path: string): Promise<ListResult> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return { kind: 'entries', entries: entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) })) };
  } catch (error) {
    return { kind: 'unreadable', reason: reasonOf(error) };
  }
}

/** A file is opened without waiting: a pipe that took its place would wait for a writer. */
async function read(path: string, limit: number): Promise<ReadResult> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const facts = await handle.stat();
    if (!facts.isFile()) return { kind: 'unreadable', reason: 'not a regular file' };
    if (facts.size > limit) return { kind: 'too-large' };
    const bytes = await readUpTo(handle, Math.max(facts.size, 4096), limit);
    if (bytes === undefined) return { kind: 'too-large' };
    const mode = process.platform === 'win32' ? {} : { mode: facts.mode & 0o777 };
    return { kind: 'bytes', bytes, ...mode };
  } catch (error) {
    return { kind: 'unreadable', reason: reasonOf(error) };
  } finally {
    await handle?.close();
  }
}

/** The reported size of a file need not be right when it is read; undefined when there is more than the limit. */
async function readUpTo(
  handle: FileHandle,
  expected: number,
  limit: number,
): Promise<Uint8Array | undefined> {
  let buffer = new Uint8Array(expected + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) return buffer.subarray(0, length);
    length += bytesRead;
    if (length > limit) return undefined;
    if (length === buffer.length) {
      const larger = new Uint8Array(buffer.length * 2);
      larger.set(buffer);
      buffer = larger;
    }
  }
}

async function follow(folder: string, path: string): Promise<LinkResult> {
  try {
    const target = await realpath(path);
    const inside = relative(await realpath(folder), target);
    if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return { kind: 'outside' };
    return { kind: 'inside', path: inside.split(sep).join('/'), target: await targetKind(target) };
  } catch (error) {
    return { kind: 'unreadable', reason: reasonOf(error) };
  }
}

async function targetKind(path: string): Promise<'file' | 'folder' | 'other'> {
  const facts = await stat(path);
  if (facts.isFile()) return 'file';
  return facts.isDirectory() ? 'folder' : 'other';
}

interface Kinds {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

function kindOf(entry: Kinds): FolderEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOENT: 'it does not exist',
  ENOTDIR: 'it is not a folder',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead back to it',
  EMFILE: 'too many files are open',
  ENAMETOOLONG: 'its name is too long',
};

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return reasons[code] ?? code;
}

/** Options of `loadProjectFolder`. */
export interface LoadFolderOptions extends Pick<LoadOptions, 'previous' | 'changed'> {
  /** Default: the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Reads the project in a folder of this machine. */
export function loadProjectFolder(
  folder: string,
  { environment = process.env, ...options }: LoadFolderOptions = {},
): Promise<StageResult<LoadedProject>> {
  return loadProject({ fileSystem: nodeFileSystem(folder), environment, ...options });
}
