import { CommanderError } from 'commander';
import { createProgram, usageExitCode } from './program.ts';
import { CommandError, CommandExit } from './terminal/command-error.ts';
import { exitCodes } from './terminal/exit-codes.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Runs the command with these arguments on this process's terminal; answers the exit code. Never throws. */
export async function run(args: readonly string[]): Promise<number> {
  const interrupt = new AbortController();
  const onInterrupt = (): void => interrupt.abort();
  process.once('SIGINT', onInterrupt);
  let unwritten: Error | undefined;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has left, such as head, has what it wanted.
    if (error.code !== 'EPIPE') unwritten = error;
    interrupt.abort();
  });
  try {
    const code = await runOn(args, {
      out: (text) => process.stdout.write(text),
      err: (text) => process.stderr.write(text),
      env: process.env,
      tty: process.stdout.isTTY === true,
      cwd: process.cwd(),
      signal: interrupt.signal,
    });
    if (unwritten === undefined) return code;
    process.stderr.write(`levada: cannot write the output: ${unwritten.message}\n`);
    return exitCodes.problems;
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}

/** As {@link run}, on any terminal. */
export async function runOn(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await createProgram(terminal).parseAsync([...args], { from: 'user' });
    return exitCodes.success;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return usageExitCode(thrown);
    if (thrown instanceof CommandExit) return thrown.exitCode;
    if (thrown instanceof CommandError) {
      terminal.err(`levada: ${thrown.message}\n`);
      if (thrown.hint !== undefined) terminal.err(`  ${thrown.hint}\n`);
      return thrown.exitCode;
    }
    terminal.err(`levada: an error of ours: ${thrown instanceof Error ? thrown.stack : String(thrown)}\n`);
    return exitCodes.internal;
  }
}
