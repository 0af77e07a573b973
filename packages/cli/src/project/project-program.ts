import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Terminal } from '../terminal.ts';
import { findingForms } from './finding-forms.ts';
import type { ValidateCommandOptions } from './validate-command.ts';

/** `levada project` and its subcommands. Each loads what it needs when it runs. */
export function addProject(program: Command, terminal: Terminal): void {
  const project = program
    .command('project')
    .description('check and look into a stream project; nothing here needs a network');
  addValidate(project, terminal);
  addExplain(project, terminal);
  addSchema(project, terminal);
}

function addValidate(project: Command, terminal: Terminal): void {
  checkingCommand(
    project.command('validate').description('check a project and print every problem, each with its place'),
  )
    .argument('[dir]', "the project's folder", '.')
    .addOption(new Option('--format <form>', 'how to print').choices(findingForms).default('text'))
    .option('--max-warnings <count>', 'end with 1 when there are more warnings', wholeNumber)
    .action(async (folder: string, _: unknown, command: Command) => {
      const { validateCommand } = await import('./validate-command.ts');
      await validateCommand(folder, command.optsWithGlobals<ValidateCommandOptions>(), terminal);
    });
}

function addExplain(project: Command, terminal: Terminal): void {
  project
    .command('explain')
    .description('what a code such as LV2003 means')
    .argument('<code>', 'a code or its name')
    .addOption(new Option('--format <form>', 'how to print').choices(['text', 'json']).default('text'))
    .action(async (name: string, options: { format: 'text' | 'json' }) => {
      const { explainCommand } = await import('./explain-command.ts');
      await explainCommand(name, options, terminal);
    });
}

function addSchema(project: Command, terminal: Terminal): void {
  project
    .command('schema')
    .description('write the JSON Schemas of project files, for editors and other tools')
    .option('--out <dir>', 'folder to write to', '.vscode')
    .action(async (options: { out: string }) => {
      const { schemaCommand } = await import('./schema-command.ts');
      await schemaCommand(options, terminal);
    });
}

/** Options of every command that checks a project before it does anything else. */
function checkingCommand(command: Command): Command {
  return command
    .option('--today <date>', 'the day that sunset dates are compared with, 2026-11-21', isoDate)
    .option(
      '--severity <code=level>',
      'error, warning, info or off for a code; may be repeated',
      collect,
      [],
    );
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('expected a whole number from 0');
  return Number(text);
}

function isoDate(text: string): string {
  const day = new Date(`${text}T00:00:00Z`);
  const exists = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(day.getTime());
  if (!exists || day.toISOString().slice(0, 10) !== text) {
    throw new InvalidArgumentError('expected a day of the calendar, as 2026-11-21');
  }
  return text;
}
