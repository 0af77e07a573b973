import { realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { CommandError } from '../command-error.ts';
import { exitCodes } from '../exit-codes.ts';

/** Puts a new text in the place of a file's, with its mode, so that no reader ever sees a half of it. A link stays a link. */
export async function replaceText(path: string, text: string): Promise<void> {
  try {
    const target = await realpath(path);
    const { mode } = await stat(target);
    const temporary = `${target}.${process.pid}.tmp`;
    try {
      await writeFile(temporary, text, { flag: 'wx', mode: mode & 0o777 });
      await rename(temporary, target);
    } finally {
      await rm(temporary, { force: true });
    }
  } catch (thrown) {
    const reason = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : String(thrown);
    throw new CommandError(exitCodes.unreachable, `"${path}" cannot be written: ${reason}`);
  }
}
