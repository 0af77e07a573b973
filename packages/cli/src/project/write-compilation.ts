import { resolve } from 'node:path';
import type { Compilation } from '@levada/stream-project-compiler';
import { type WrittenFiles, writeFiles } from '@levada/stream-project-compiler/node';
import { CommandError, exitCodes } from '../output/command-error.ts';
import type { Terminal } from '../output/terminal.ts';

interface WriteSettings {
  readonly terminal: Terminal;
  /** The files that this process wrote there before. */
  readonly before?: ReadonlyMap<string, string> | undefined;
}

/** Writes what is new of a compilation to a folder, relative to where the command runs. */
export async function writeCompilation(
  { files, secretFiles }: Pick<Compilation, 'files' | 'secretFiles'>,
  out: string,
  { terminal, before }: WriteSettings,
): Promise<WrittenFiles> {
  try {
    const known = before === undefined ? {} : { before };
    return await writeFiles(resolve(terminal.cwd, out), files, { secretFiles, ...known });
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new CommandError(exitCodes.unreachable, `cannot write to "${out}": ${reason}`);
  }
}
