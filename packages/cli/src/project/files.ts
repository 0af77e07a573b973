import { stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolders } from '@levada/stream-project-compiler/node';
import { CommandError } from '../terminal/command-error.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import type { TemplateFile } from './read-template.ts';

/** What a path that leads nowhere, or no name of a file, gives. */
const nothing: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG'];

/** What stands at a path; undefined when nothing does. What may not be looked at is a {@link CommandError}, and not called missing. */
export async function statPath(path: string): Promise<'folder' | 'file' | undefined> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (nothing.includes(code)) return undefined;
    throw new CommandError(exitCodes.usage, `"${path}" cannot be looked at: ${code ?? String(error)}`);
  }
}

/** Writes files that must not be there yet, and the folders that they are in. */
export async function writeNewFiles(folder: string, files: readonly TemplateFile[]): Promise<void> {
  await writeAll(folder, files, 'wx');
}

/** Writes files, over those of the same names. */
export async function writeOver(folder: string, files: readonly TemplateFile[]): Promise<void> {
  await writeAll(folder, files, 'w');
}

async function writeAll(folder: string, files: readonly TemplateFile[], flag: 'w' | 'wx'): Promise<void> {
  for (const { path, text } of files) {
    const target = join(folder, path);
    try {
      await makeFolders(dirname(target));
      await writeFile(target, text, { flag });
    } catch (thrown) {
      const reason = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : String(thrown);
      throw new CommandError(exitCodes.unreachable, `"${target}" cannot be written: ${reason}`);
    }
  }
}
