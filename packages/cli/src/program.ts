import { Command, type CommanderError } from 'commander';
import { addCommand } from './command-row.ts';
import { exitCodes } from './output/command-error.ts';
import { packageVersion } from './output/package-version.ts';
import type { Terminal } from './output/terminal.ts';
import { projectCommands } from './project-commands.ts';
import { completionCommand, workerCommands } from './worker-commands.ts';

/** The command and its subcommands. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('levada')
    .description('Runs and inspects source connectors, and checks stream projects.')
    .version(packageVersion())
    .option('--no-color', 'no colors; also NO_COLOR')
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .showHelpAfterError('(levada --help lists the commands)');
  const context = { terminal, program };
  for (const row of [...workerCommands(terminal), projectCommands, completionCommand])
    addCommand(program, row, context);
  return program;
}

/** Commander's own refusals as exit codes: help and version are no failure, everything else is wrong usage. */
export function usageExitCode(error: CommanderError): number {
  return error.exitCode === 0 ? exitCodes.success : exitCodes.usage;
}
