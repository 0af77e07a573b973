import { mkdir, readdir, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** All copies together take no more bytes, and are no more files. */
const MOST_BYTES = 16_777_216;
const MOST_FILES = 100;

/** Part of a file that is not read as entries. */
export interface CutPart {
  /** Name of the file. */
  readonly file: string;
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/**
 * Keeps a copy of a part that is cut off or damaged in the folder `damaged`, for people to look at; nothing reads it. The oldest
 * copies go for new ones; of a part that is too long, the beginning is kept. The same part is kept once.
 */
export async function keepCopy(folder: string, { file, offset, bytes }: CutPart): Promise<void> {
  const copies = join(folder, 'damaged');
  await mkdir(copies, { recursive: true, mode: 0o700 });
  const path = join(copies, `${file}-${offset}`);
  const kept = bytes.subarray(0, MOST_BYTES);
  const others = await copiesIn(copies);
  if (others.some((one) => one.path === path && one.bytes === kept.length)) return;
  let total = kept.length;
  for (const [i, one] of others.entries()) {
    total += one.bytes;
    if (total > MOST_BYTES || i >= MOST_FILES - 1) await unlink(one.path);
  }
  await writeFile(path, kept, { mode: 0o600 });
}

interface Copy {
  readonly path: string;
  readonly bytes: number;
  readonly madeAt: number;
}

/** Newest first. */
async function copiesIn(folder: string): Promise<readonly Copy[]> {
  const found: Copy[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { size, mtimeMs } = await stat(path);
    found.push({ path, bytes: size, madeAt: mtimeMs });
  }
  return found.sort((a, b) => b.madeAt - a.madeAt);
}
