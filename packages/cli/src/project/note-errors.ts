import type { ProjectReport } from '@levada/stream-project-compiler';
import { CommandExit } from '../terminal/command-error.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Ends a command that has shown what could be read of a project with mistakes: says so, and ends with 1. */
export function endWithNote({ valid, diagnostics }: ProjectReport, terminal: Terminal): void {
  if (valid) return;
  const count = diagnostics.filter(({ severity }) => severity === 'error').length;
  const errors = count === 1 ? '1 error' : `${count} errors`;
  terminal.err(`levada: the project has ${errors}, so this may not be all; see "levada project validate"\n`);
  throw new CommandExit(exitCodes.problems);
}
