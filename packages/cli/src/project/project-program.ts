import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import type { CompileCommandOptions } from './compile-command.ts';
import type { DevOptions } from './dev-command.ts';
import type { ExplainOptions } from './explain-command.ts';
import type { FmtOptions } from './fmt-command.ts';
import { findingForms, lineageForms, listForms, templateNames } from './forms.ts';
import type { InitOptions } from './init-command.ts';
import type { LineageOptions } from './lineage-command.ts';
import type { LsOptions } from './ls-command.ts';
import type { SchemaOptions } from './schema-command.ts';
import type { ValidateCommandOptions } from './validate-command.ts';

/** `levada project` and its subcommands. Each loads what it needs when it runs. */
export function addProject(program: Command, terminal: Terminal): void {
  const project = program
    .command('project')
    .description('check and look into a stream project; nothing here needs a network');
  addInit(project, terminal);
  addValidate(project, terminal);
  addLs(project, terminal);
  addLineage(project, terminal);
  addCompile(project, terminal);
  addExplain(project, terminal);
  addSchema(project, terminal);
  addFmt(project, terminal);
  addDev(project, terminal);
}

function addInit(project: Command, terminal: Terminal): void {
  project
    .command('init')
    .description('write a new project, with schemas for editors and a workflow that checks it')
    .argument('[dir]', 'folder to write to; it may exist', '.')
    .option('--name <name>', 'name of the project (default: that of the folder)')
    .addOption(
      new Option('--template <name>', 'what to begin with').choices(templateNames).default('payments'),
    )
    .action(async (folder: string, options: InitOptions) => {
      const { initCommand } = await import('./init-command.ts');
      await initCommand(folder, options, terminal);
    });
}

function addValidate(project: Command, terminal: Terminal): void {
  selectingCommand(
    checkingCommand(
      project.command('validate').description('check a project and print every problem, each with its place'),
    ),
  )
    .argument('[dir]', "the project's folder", '.')
    .addOption(new Option('--format <form>', 'how to print').choices(findingForms).default('text'))
    .option('--max-warnings <count>', 'end with 1 when there are more warnings', wholeNumber)
    .action(async (folder: string, _: unknown, command: Command) => {
      const { validateCommand } = await import('./validate-command.ts');
      await validateCommand(folder, command.optsWithGlobals<ValidateCommandOptions>(), terminal);
    });
}

function addLs(project: Command, terminal: Terminal): void {
  selectingCommand(checkingCommand(project.command('ls').description('list sources, models and exposures')))
    .argument('[dir]', "the project's folder", '.')
    .addOption(new Option('-o, --output <form>', 'how to print').choices(listForms).default('table'))
    .addOption(new Option('--format <form>', 'as --output, which it overrides').choices(listForms))
    .action(async (folder: string, options: LsOptions) => {
      const { lsCommand } = await import('./ls-command.ts');
      await lsCommand(folder, options, terminal);
    });
}

function addLineage(project: Command, terminal: Terminal): void {
  checkingCommand(project.command('lineage').description('how data flows, from sources to exposures'))
    .argument('[words...]', "the project's folder, then selectors such as orders, tag:pii, 2+orders+1")
    .option('--dir <dir>', "the project's folder, instead of the first word")
    .addOption(new Option('--format <form>', 'how to print').choices(lineageForms).default('text'))
    .option('--exclude <selector>', 'what to leave out; may be repeated', collect, [])
    .option('--upstream', 'only what the selected ones read')
    .option('--downstream', 'only what reads the selected ones')
    .option('--columns', 'with columns, and what each is made of')
    .option('--column <node.column>', 'only where one column comes from and goes to, such as orders.amount')
    .action(async (words: readonly string[], options: LineageOptions) => {
      const { lineageCommand } = await import('./lineage-command.ts');
      await lineageCommand(words, options, terminal);
    });
}

function addCompile(project: Command, terminal: Terminal): void {
  checkingCommand(project.command('compile').description('write the manifest, topics and connectors'))
    .argument('[dir]', "the project's folder", '.')
    .option('--out <dir>', 'folder to write to', 'build')
    .option('--dry-run', 'write nothing')
    .option(
      '--connector-class <word=class>',
      'the class that a word such as jdbc-sink stands for; may be repeated',
      collect,
      [],
    )
    .addOption(
      new Option('--format <form>', 'json prints the manifest').choices(['text', 'json']).default('text'),
    )
    .action(async (folder: string, _: unknown, command: Command) => {
      const { compileCommand } = await import('./compile-command.ts');
      await compileCommand(folder, command.optsWithGlobals<CompileCommandOptions>(), terminal);
    });
}

function addExplain(project: Command, terminal: Terminal): void {
  project
    .command('explain')
    .description('why a model becomes what it becomes and where its values come from, or what a code means')
    .usage('[options] [dir] <model|code>')
    .argument('<name>', 'a model, or a code such as LV2003 or its name; the folder, if two words follow')
    .argument('[model]')
    .option('--dir <dir>', "the project's folder")
    .addOption(new Option('--format <form>', 'how to print').choices(['text', 'json']).default('text'))
    .action(async (first: string, second: string | undefined, options: ExplainOptions) => {
      const { explainCommand } = await import('./explain-command.ts');
      await explainCommand([first, second], options, terminal);
    });
}

function addSchema(project: Command, terminal: Terminal): void {
  project
    .command('schema')
    .description('write the JSON Schemas of project files, for editors and other tools')
    .option('--out <dir>', 'folder to write to', '.vscode')
    .option('--outputs', 'those of what commands print as JSON, instead')
    .action(async (options: SchemaOptions) => {
      const { schemaCommand } = await import('./schema-command.ts');
      await schemaCommand(options, terminal);
    });
}

function addDev(project: Command, terminal: Terminal): void {
  checkingCommand(project.command('dev').description('check a project again each time that it changes'))
    .argument('[dir]', "the project's folder", '.')
    .addOption(new Option('--format <form>', 'how to print').choices(['text', 'json']).default('text'))
    .action(async (folder: string, _: unknown, command: Command) => {
      const { devCommand } = await import('./dev-command.ts');
      await devCommand(folder, command.optsWithGlobals<DevOptions>(), terminal);
    });
}

function addFmt(project: Command, terminal: Terminal): void {
  project
    .command('fmt')
    .description('give YAML files one layout; what they say never changes')
    .argument('[files...]', 'files, or folders of projects; the working directory if there are none')
    .option('--check', 'write nothing, and end with 1 when a file would change')
    .option('--write', 'write what changes, which is done unless --check is given')
    .action(async (files: readonly string[], options: FmtOptions) => {
      const { fmtCommand } = await import('./fmt-command.ts');
      await fmtCommand(files, options, terminal);
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

/** Options of every command that is about a part of a project. */
function selectingCommand(command: Command): Command {
  return command
    .option(
      '--select <selector>',
      'a name, +name, tag:x, owner:x, path:x, kind:x; may be repeated',
      collect,
      [],
    )
    .option('--exclude <selector>', 'what to leave out; may be repeated', collect, []);
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
