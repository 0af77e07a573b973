import { type FSWatcher, watch } from 'node:fs';
import { basename, join, posix } from 'node:path';
import type { ListResult, ProjectFileSystem, ReadResult } from '@levada/stream-project-compiler';
import { nodeFileSystem } from '@levada/stream-project-compiler/node';
import { CommandError, exitCodes } from '../../output/command-error.ts';

/** A project's folder that remembers what it read until that changes. */
export interface WatchedFileSystem extends ProjectFileSystem {
  /** False when the project's folder itself is gone: no event reports when it comes back. */
  readonly isWatching: () => boolean;
  /** Ends watching. */
  readonly close: () => void;
}

/** Names in the project's own folder that matter; others, such as the output of a build, change without a call. */
const atTheTop = /^(?:stream_project\.ya?ml|\.env|sources|models|tests|exposures)$/;

/**
 * Watches each folder from before it is listed, so that no change is missed, and calls back when something in it changes.
 * Folders are watched, not files: editors put new files in the place of old ones.
 */
export function watchedFileSystem(
  root: string,
  onChange: () => void,
  disk: ProjectFileSystem = nodeFileSystem(root),
): WatchedFileSystem {
  const watchers = new Map<string, FSWatcher>();
  const lists = new Map<string, ListResult>();
  const reads = new Map<string, ReadResult>();
  /** Links to files: what they lead to changes in another folder, under another name. */
  const linked = new Set<string>();
  /** Changes so far. What was read while one came may be of before it, and is not remembered. */
  let changes = 0;

  const forget = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
    lists.delete(folder);
  };
  /** The folder itself was moved or removed: what is watched is no longer there. */
  const forgetAll = (): void => {
    for (const folder of watchers.keys()) forget(folder);
    lists.clear();
    reads.clear();
  };
  const changed = (folder: string, name: string | null): void => {
    changes += 1;
    if (folder === '' && name === basename(root)) forgetAll();
    else if (folder === '' && name !== null && !atTheTop.test(name)) return;
    lists.delete(folder);
    if (name === null) reads.clear();
    else {
      const path = posix.join(folder, name);
      reads.delete(path);
      for (const link of linked) reads.delete(link);
      if (watchers.has(path)) for (const known of watchers.keys()) if (isIn(path, known)) forget(known);
    }
    onChange();
  };
  const watchFolder = (folder: string): void => {
    if (watchers.has(folder)) return;
    const watcher = tryWatch(join(root, folder), (name) => changed(folder, name));
    if (watcher === undefined) return;
    watchers.set(folder, watcher);
    watcher.on('error', () => {
      changes += 1;
      forget(folder);
      onChange();
    });
  };

  return {
    list: async (folder) => {
      watchFolder(folder);
      const known = lists.get(folder);
      if (known !== undefined) return known;
      const before = changes;
      const listed = await disk.list(folder);
      if (listed.kind === 'entries' && changes === before && watchers.has(folder)) lists.set(folder, listed);
      return listed;
    },
    read: async (path, limit) => {
      const folder = posix.dirname(path) === '.' ? '' : posix.dirname(path);
      watchFolder(folder);
      const known = reads.get(path);
      if (known !== undefined) return known;
      const before = changes;
      const read = await disk.read(path, limit);
      if (read.kind === 'bytes' && changes === before && watchers.has(folder)) reads.set(path, read);
      return read;
    },
    follow: async (path) => {
      const found = await disk.follow(path);
      if (found.kind !== 'inside' || found.target !== 'file') return found;
      linked.add(path);
      watchFolder(posix.dirname(found.path) === '.' ? '' : posix.dirname(found.path));
      return found;
    },
    isWatching: () => watchers.has(''),
    close: () => {
      for (const watcher of watchers.values()) watcher.close();
      watchers.clear();
    },
  };
}

function isIn(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Undefined where there is no such folder; listing it says so. */
function tryWatch(path: string, onEvent: (name: string | null) => void): FSWatcher | undefined {
  try {
    return watch(path, (_, name) => onEvent(name));
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
    if (code !== 'ENOSPC' && code !== 'EMFILE') return undefined;
    throw new CommandError(
      exitCodes.unreachable,
      `"${path}" cannot be watched: this machine watches too many files already`,
      'on Linux, raise fs.inotify.max_user_watches and fs.inotify.max_user_instances',
    );
  }
}
