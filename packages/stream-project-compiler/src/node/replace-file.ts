import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { pathKind } from './make-folders.ts';

/** The content to write to a file. */
export interface FileContent {
  readonly text: string;
  /** Permission bits. */
  readonly mode: number;
}

/**
 * Gives a file its content, unless it has it already: writes a temporary file next to it and renames that, so that no reader
 * ever sees half of it. Returns whether anything was written. Rejects when the path is a folder, a link or a device.
 */
export async function replaceFile(path: string, content: FileContent): Promise<boolean> {
  const there = await pathKind(path);
  if (there !== undefined && there !== 'file')
    throw new Error(`"${path}" is not a regular file and is not replaced`);
  if (there === 'file' && (await isSame(path, content))) return false;
  await writeBeside(path, content);
  return true;
}

/** A mode that the user made stricter counts as the same. */
async function isSame(path: string, { text, mode }: FileContent): Promise<boolean> {
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const facts = await handle.stat();
    const open = process.platform !== 'win32' && (facts.mode & 0o777 & ~mode) !== 0;
    if (open || facts.size !== Buffer.byteLength(text)) return false;
    return (await handle.readFile('utf8')) === text;
  } finally {
    await handle.close();
  }
}

async function writeBeside(path: string, { text, mode }: FileContent): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  // A process of the same number may have ended in between. "wx": a file that exists nevertheless is not written to
  await rm(temporary, { force: true });
  try {
    const handle = await open(temporary, 'wx', mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
