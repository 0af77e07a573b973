import type { FileHandle } from 'node:fs/promises';
import { diskAccess, type WritableFile, type WriteAccess } from '../src/spool/write-access.ts';

/** What can be made to fail. */
export type DiskCall = 'create' | 'writev' | 'datasync' | 'truncate' | 'remove' | 'syncFolder';

/** A real folder on a disk whose calls can be made to fail or to wait. */
export interface TestDisk {
  readonly access: (folder: FileHandle) => WriteAccess;
  /** Calls that were made. */
  readonly calls: Record<DiskCall, number>;
  /** The calls of this kind fail with this error of the system until they are allowed again. A write does half of its work first. */
  refuse(call: DiskCall, code: string): void;
  allow(call: DiskCall): void;
  /** Calls of this kind wait until the returned function is called. */
  hold(call: DiskCall): () => void;
}

/** Makes one. */
export function testDisk(): TestDisk {
  const refused = new Map<DiskCall, string>();
  const held = new Map<DiskCall, Promise<void>>();
  const calls = { create: 0, writev: 0, datasync: 0, truncate: 0, remove: 0, syncFolder: 0 };

  const enter = async (call: DiskCall): Promise<void> => {
    calls[call] += 1;
    await held.get(call);
    const code = refused.get(call);
    if (code !== undefined) throw Object.assign(new Error(`${code}: refused, ${call}`), { code });
  };
  const fileOf = (file: WritableFile): WritableFile => ({
    writev: async (pieces, position) => {
      if (refused.has('writev')) await file.writev(halfOf(pieces), position);
      await enter('writev');
      return file.writev(pieces, position);
    },
    datasync: async () => {
      await enter('datasync');
      await file.datasync();
    },
    truncate: async (length) => {
      await enter('truncate');
      await file.truncate(length);
    },
    close: () => file.close(),
  });
  return {
    calls,
    access: (folder) => {
      const disk = diskAccess(folder);
      return {
        create: async (path) => {
          await enter('create');
          return fileOf(await disk.create(path));
        },
        remove: async (path) => {
          await enter('remove');
          await disk.remove(path);
        },
        syncFolder: async () => {
          await enter('syncFolder');
          await disk.syncFolder();
        },
      };
    },
    refuse: (call, code) => void refused.set(call, code),
    allow: (call) => void refused.delete(call),
    hold: (call) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(call, promise);
      return () => {
        held.delete(call);
        resolve();
      };
    },
  };
}

function halfOf(pieces: readonly NodeJS.ArrayBufferView[]): Uint8Array[] {
  const all = Buffer.concat(pieces as readonly Uint8Array[]);
  return [all.subarray(0, all.length >> 1)];
}
