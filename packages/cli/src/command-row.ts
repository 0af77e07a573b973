import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { Terminal } from './output/terminal.ts';

export interface CommandContext {
  readonly terminal: Terminal;
  readonly program: Command;
}

/** A command as the help shows it and as it runs. */
export interface CommandRow {
  readonly name: string;
  readonly description: string;
  /** Not in the help, since only programs call it. */
  readonly hidden?: boolean;
  /** Default: made from arguments and options. */
  readonly usage?: string;
  readonly arguments?: readonly Argument[];
  readonly options?: readonly Option[];
  /** Absent when it only has subcommands. Loads what it needs when it runs, so that `--help` answers at once. */
  readonly run?: (context: CommandContext, words: unknown[], options: object) => Promise<void>;
  readonly commands?: readonly CommandRow[];
}

/** A row whose {@link CommandRow.run} gets the arguments as `Words` and the options, those of `levada` among them, as `Options`. */
export function command<Words extends unknown[], Options extends object>(
  row: Omit<CommandRow, 'run' | 'commands'> & {
    readonly run: (context: CommandContext, words: Words, options: Options) => Promise<void>;
  },
): CommandRow {
  const { run, ...rest } = row;
  return { ...rest, run: (context, words, options) => run(context, words as Words, options as Options) };
}

/** An option with a value, such as `--out <dir>`, or without one, such as `--check`. */
export function option(flags: string, description: string, defaultValue?: unknown): Option {
  return new Option(flags, description).default(defaultValue);
}

/** An argument, required as `<file>` or not as `[dir]`. */
export function argument(name: string, description?: string, defaultValue?: unknown): Argument {
  return new Argument(name, description).default(defaultValue);
}

/** An option that takes one of these words. */
export function choice(
  flags: string,
  description: string,
  { words, defaultValue }: { readonly words: readonly string[]; readonly defaultValue?: string },
): Option {
  return option(flags, description, defaultValue).choices(words);
}

/** An option that may be repeated; its value is a list. */
export function repeatable(flags: string, description: string): Option {
  const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];
  return new Option(flags, description).default([], 'none').argParser(collect);
}

/** Adds a command with its subcommands. */
export function addCommand(parent: Command, row: CommandRow, context: CommandContext): void {
  const added = parent.command(row.name, { hidden: row.hidden === true }).description(row.description);
  if (row.usage !== undefined) added.usage(row.usage);
  for (const one of row.arguments ?? []) added.addArgument(one);
  for (const one of row.options ?? []) added.addOption(one);
  for (const one of row.commands ?? []) addCommand(added, one, context);
  const { run } = row;
  if (run === undefined) return;
  added.action(() => run(context, added.processedArgs, added.optsWithGlobals()));
}

/** Reads a whole number from 0. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('expected a whole number from 0');
  return Number(text);
}

/** Reads the number of a port; 0 lets the system choose. */
export function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port > 65535) throw new InvalidArgumentError('expected a port from 0 to 65535');
  return port;
}

/** Reads a log level of Kafka Connect, in any case. */
export function logLevel(text: string): string {
  const level = text.toUpperCase();
  if (!/^(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL|OFF)$/.test(level))
    throw new InvalidArgumentError('expected TRACE, DEBUG, INFO, WARN, ERROR or OFF');
  return level;
}

/** Reads a version of the engine, with or without the last number. */
export function engineVersion(text: string): string {
  if (!/^\d{1,3}\.\d{1,3}(?:\.\d{1,3})?$/.test(text))
    throw new InvalidArgumentError('expected a version such as 2.1');
  return text;
}

/** Reads a date. */
export function isoDate(text: string): string {
  const day = new Date(`${text}T00:00:00Z`);
  const exists = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(day.getTime());
  if (!exists || day.toISOString().slice(0, 10) !== text) {
    throw new InvalidArgumentError('expected a date such as 2026-11-21');
  }
  return text;
}
