import { type FileHandle, open, unlink } from 'node:fs/promises';

/** A file that is being written. */
export type WritableFile = Pick<FileHandle, 'writev' | 'datasync' | 'truncate' | 'close'>;

/** What a spool does to its folder. Everything rejects with the system's error. */
export interface WriteAccess {
  /** Makes a file that does not exist yet, mode 0600. */
  create(path: string): Promise<WritableFile>;
  remove(path: string): Promise<void>;
  /** The names that were made and removed are on the disk. */
  syncFolder(): Promise<void>;
}

/** The file system itself. The handle of the folder stays the caller's. */
export function diskAccess(folder: FileHandle): WriteAccess {
  return {
    create: (path) => open(path, 'wx', 0o600),
    remove: unlink,
    syncFolder: () => folder.sync(),
  };
}

/** Writes all pieces, however many calls that takes. */
export async function writeAll(
  file: WritableFile,
  pieces: readonly Uint8Array[],
  position: number,
): Promise<void> {
  let left = pieces;
  let at = position;
  while (left.length > 0) {
    const { bytesWritten } = await file.writev(left, at);
    if (bytesWritten === 0) throw new Error('nothing more was written');
    at += bytesWritten;
    left = after(left, bytesWritten);
  }
}

function after(pieces: readonly Uint8Array[], written: number): readonly Uint8Array[] {
  let skip = written;
  for (const [i, piece] of pieces.entries()) {
    if (skip < piece.length) return [piece.subarray(skip), ...pieces.slice(i + 1)];
    skip -= piece.length;
  }
  return [];
}
