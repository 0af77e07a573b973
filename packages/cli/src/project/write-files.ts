import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolders } from '@levada/stream-project-compiler/node';
import { CommandError } from '../command-error.ts';
import { exitCodes } from '../exit-codes.ts';
import type { TemplateFile } from './read-template.ts';

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
