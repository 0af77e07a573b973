import { Command, CommanderError } from 'commander';
import { addCommand } from './command-row.ts';
import { connectorCommands } from './connector-commands.ts';
import { contextCommands } from './context-commands.ts';
import { CommandError, CommandExit, exitCodes } from './output/command-error.ts';
import { packageVersion } from './output/package-files.ts';
import type { Terminal } from './output/terminal.ts';
import { projectCommands } from './project-commands.ts';
import { watchCommands } from './watch-commands.ts';
import { completeWordsCommand, completionCommand, workerCommands } from './worker-commands.ts';
import { outputOptions, workerOptions } from './worker-options.ts';

/** A command that a program adds to those of `levada`. */
export interface AddedCommand {
  readonly name: string;
  /** One line of `levada --help`. */
  readonly description: string;
  readonly run: () => Promise<void>;
}

/**
 * Runs the command with these arguments on this process's terminal; answers the exit code. Never throws. A program that brings
 * more than this package does, such as the executable with its demo, adds commands.
 */
export async function run(args: readonly string[], added: readonly AddedCommand[] = []): Promise<number> {
  const interrupt = new AbortController();
  const onInterrupt = (): void => interrupt.abort();
  process.once('SIGINT', onInterrupt);
  let unwritten: Error | undefined;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that has left, such as head, has what it wanted.
    if (error.code !== 'EPIPE') unwritten = error;
    interrupt.abort();
  });
  const environment = process.env;
  if (isAboutProjects(args)) process.env = withoutLogOfYaml(environment);
  try {
    const terminal: Terminal = {
      out: (text) => process.stdout.write(text),
      err: (text) => process.stderr.write(text),
      env: environment,
      tty: process.stdout.isTTY === true,
      size: () => ({ rows: process.stdout.rows, columns: process.stdout.columns }),
      cwd: process.cwd(),
      signal: interrupt.signal,
      input: async () => {
        const { text } = await import('node:stream/consumers');
        return await text(process.stdin);
      },
    };
    const code = await runOn(args, terminal, added);
    if (unwritten === undefined) return code;
    process.stderr.write(`levada: cannot write the output: ${unwritten.message}\n`);
    return exitCodes.problems;
  } finally {
    process.env = environment;
    process.off('SIGINT', onInterrupt);
  }
}

function isAboutProjects(args: readonly string[]): boolean {
  return moveOptions(args).find((word) => !word.startsWith('-')) === 'project';
}

/**
 * The environment as a plain object, without two variables that make `yaml` print its tokens on standard output, amid ours.
 * It looks for them at each token, and each look at the real environment asks the system: 3 % of a compilation. Programs that are
 * started inherit a plain object as well. Names in Windows have no case, as only the real environment knows, so it stays.
 */
function withoutLogOfYaml(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (process.platform === 'win32') return environment;
  const { LOG_TOKENS: _tokens, LOG_STREAM: _stream, ...others } = environment;
  return others;
}

/** Runs a command on a given terminal. */
export async function runOn(
  args: readonly string[],
  terminal: Terminal,
  added: readonly AddedCommand[] = [],
): Promise<number> {
  try {
    await createProgram(terminal, added).parseAsync([...moveOptions(args)], { from: 'user' });
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

/** Options that most commands have, and whether each is followed by a value. */
const sharedOptions = new Map(
  [...workerOptions, ...outputOptions].flatMap(({ short, long, required }) =>
    [short, long].flatMap((flag) => (flag === undefined ? [] : [[flag, required] as const])),
  ),
);

/** Moves options before the command, as in `levada --url ... get connectors`, after it: commands have them, `levada` does not. */
function moveOptions(args: readonly string[]): readonly string[] {
  const moved: string[] = [];
  const rest = [...args];
  for (let at = 0; rest[at]?.startsWith('-') === true; ) {
    const [flag = '', value] = rest[at]?.split('=', 2) ?? [];
    const hasValue = sharedOptions.get(flag);
    if (hasValue === undefined) at += 1;
    else moved.push(...rest.splice(at, hasValue && value === undefined ? 2 : 1));
  }
  const command = rest.findIndex((word) => !word.startsWith('-'));
  if (command < 0 || moved.length === 0) return args;
  // In front of the command's own options, which count when both name a value.
  const own = rest.findIndex((word, at) => at > command && word.startsWith('-'));
  return rest.toSpliced(own < 0 ? rest.length : own, 0, ...moved);
}

/** The command and its subcommands. */
export function createProgram(terminal: Terminal, added: readonly AddedCommand[] = []): Command {
  const program = new Command('levada')
    .description('Runs and controls connectors, and checks and compiles stream projects.')
    .version(packageVersion())
    .option('--no-color', 'no colors; also NO_COLOR')
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .showHelpAfterError('(levada --help lists the commands)');
  const context = { terminal, program };
  for (const row of [
    ...workerCommands,
    connectorCommands,
    ...watchCommands,
    contextCommands,
    projectCommands,
    ...added,
    completionCommand,
    completeWordsCommand,
  ])
    addCommand(program, row, context);
  return program;
}

/** Commander's own refusals as exit codes: help and version are no failure, everything else is wrong usage. */
function usageExitCode(error: CommanderError): number {
  return error.exitCode === 0 ? exitCodes.success : exitCodes.usage;
}
