import {
  argument,
  type CommandRow,
  choice,
  command,
  engineVersion,
  isoDate,
  option,
  repeatable,
  wholeNumber,
} from './command-row.ts';
import { findingForms, lineageForms, listForms, templateNames } from './output/forms.ts';
import type { CompileCommandOptions } from './project/compile-command.ts';
import type { DevOptions } from './project/dev/dev-command.ts';
import type { ExplainOptions } from './project/explain-command.ts';
import type { ExplainErrorOptions } from './project/explain-error-command.ts';
import type { FmtOptions } from './project/fmt-command.ts';
import type { InitOptions } from './project/init-command.ts';
import type { LineageOptions } from './project/lineage-command.ts';
import type { LsOptions } from './project/ls-command.ts';
import type { SchemaOptions } from './project/schema-command.ts';
import type { ValidateCommandOptions } from './project/validate-command.ts';

const projectFolder = argument('[dir]', "the project's folder", '.');
const textOrJson = choice('--format <form>', 'how to print', {
  words: ['text', 'json'],
  defaultValue: 'text',
});
const excluding = repeatable('--exclude <selector>', 'what to leave out; may be repeated');

/** Options of every command that checks a project before it does anything else. */
const checking = [
  option('--today <date>', 'the day that sunset dates are compared with, 2026-11-21').argParser(isoDate),
  repeatable('--severity <code=level>', 'error, warning, info or off for a code; may be repeated'),
];

const allowIncomplete = option(
  '--allow-incomplete',
  'do not end with 6 when a model or a test has no job that can be written',
);

/** Options of every command that is about a part of a project. */
const selecting = [
  repeatable('--select <selector>', 'a name, +name, tag:x, owner:x, path:x, kind:x; may be repeated'),
  excluding,
];

const init = command<[folder: string], InitOptions>({
  name: 'init',
  description: 'write a new project, with schemas for editors and a workflow that checks it',
  arguments: [argument('[dir]', 'folder to write to; it may exist', '.')],
  options: [
    option('--name <name>', 'name of the project (default: that of the folder)'),
    choice('--template <name>', 'what to begin with', { words: templateNames, defaultValue: 'payments' }),
  ],
  run: async ({ terminal }, [folder], options) => {
    const { initCommand } = await import('./project/init-command.ts');
    await initCommand(folder, options, terminal);
  },
});

const validate = command<[folder: string], ValidateCommandOptions>({
  name: 'validate',
  description: 'check a project and print every problem, each with its place',
  arguments: [projectFolder],
  options: [
    ...checking,
    ...selecting,
    choice('--format <form>', 'how to print', { words: findingForms, defaultValue: 'text' }),
    allowIncomplete,
    option('--max-warnings <count>', 'end with 1 when there are more warnings').argParser(wholeNumber),
  ],
  run: async ({ terminal }, [folder], options) => {
    const { validateCommand } = await import('./project/validate-command.ts');
    await validateCommand(folder, options, terminal);
  },
});

const ls = command<[folder: string], LsOptions>({
  name: 'ls',
  description: 'list sources, models and exposures',
  arguments: [projectFolder],
  options: [
    ...checking,
    ...selecting,
    choice('-o, --output <form>', 'how to print', { words: listForms, defaultValue: 'table' }),
    choice('--format <form>', 'as --output, which it overrides', { words: listForms }),
  ],
  run: async ({ terminal }, [folder], options) => {
    const { lsCommand } = await import('./project/ls-command.ts');
    await lsCommand(folder, options, terminal);
  },
});

const lineage = command<[words: readonly string[]], LineageOptions>({
  name: 'lineage',
  description: 'how data flows, from sources to exposures',
  arguments: [
    argument('[words...]', "the project's folder, then selectors such as orders, tag:pii, 2+orders+1"),
  ],
  options: [
    ...checking,
    option('--dir <dir>', "the project's folder, instead of the first word"),
    choice('--format <form>', 'how to print', { words: lineageForms, defaultValue: 'text' }),
    excluding,
    option('--upstream', 'only what the selected ones read'),
    option('--downstream', 'only what reads the selected ones'),
    option('--columns', 'with columns, and what each is made of'),
    option('--column <node.column>', 'only where one column comes from and goes to, such as orders.amount'),
  ],
  run: async ({ terminal }, [words], options) => {
    const { lineageCommand } = await import('./project/lineage-command.ts');
    await lineageCommand(words, options, terminal);
  },
});

const compile = command<[folder: string], CompileCommandOptions>({
  name: 'compile',
  description: 'write the manifest, topics, jobs and connectors',
  arguments: [projectFolder],
  options: [
    ...checking,
    option('--out <dir>', 'folder to write to', 'build'),
    ...selecting,
    option('--engine-version <version>', 'version of the engine, such as 2.1, for all jobs').argParser(
      engineVersion,
    ),
    option('--diff', 'write nothing, show what would change, and end with 3 when something would'),
    option('--dry-run', 'write nothing'),
    allowIncomplete,
    repeatable(
      '--connector-class <word=class>',
      'the class that a word such as jdbc-sink stands for; may be repeated',
    ),
    choice('--format <form>', 'json prints the manifest', { words: ['text', 'json'], defaultValue: 'text' }),
  ],
  run: async ({ terminal }, [folder], options) => {
    const { compileAgain } = await import('./project/compile-cache.ts');
    await compileAgain(folder, options, terminal);
  },
});

const explain = command<[first: string, second?: string], ExplainOptions>({
  name: 'explain',
  description: 'why a model becomes what it becomes and where its values come from, or what a code means',
  usage: '[options] [dir] <model|code>',
  arguments: [
    argument('<name>', 'a model, or a code such as LV2003 or its name; the folder, if two words follow'),
    argument('[model]'),
  ],
  options: [option('--dir <dir>', "the project's folder"), textOrJson],
  run: async ({ terminal }, [first, second], options) => {
    const { explainCommand } = await import('./project/explain-command.ts');
    await explainCommand([first, second], options, terminal);
  },
});

const explainError = command<[job: string], ExplainErrorOptions>({
  name: 'explain-error',
  description: 'where the project says what the engine refuses: reads its message from standard input',
  arguments: [argument('<job>', 'file of the job, such as build/jobs/orders.json')],
  options: [
    option('--dir <dir>', "the project's folder", '.'),
    option(
      '--statement <number>',
      'which statement, from 1 (default: the last, which has the query)',
    ).argParser(wholeNumber),
    option('--line <number>', 'line within the statement, from 1').argParser(wholeNumber),
    option('--column <number>', 'column, from 1').argParser(wholeNumber),
    option('--message <text>', 'what the engine said'),
    textOrJson,
  ],
  run: async ({ terminal }, [job], options) => {
    const { explainErrorCommand } = await import('./project/explain-error-command.ts');
    await explainErrorCommand(job, options, terminal);
  },
});

const schema = command<[], SchemaOptions>({
  name: 'schema',
  description: 'write the JSON Schemas of project files, for editors and other tools',
  options: [
    option('--out <dir>', 'folder to write to', '.vscode'),
    option('--outputs', 'those of what commands print as JSON, instead'),
  ],
  run: async ({ terminal }, _, options) => {
    const { schemaCommand } = await import('./project/schema-command.ts');
    await schemaCommand(options, terminal);
  },
});

const fmt = command<[files: readonly string[]], FmtOptions>({
  name: 'fmt',
  description: 'give YAML files one layout; what they say never changes',
  arguments: [
    argument('[files...]', 'files, or folders of projects; the working directory if there are none'),
  ],
  options: [
    option('--check', 'write nothing, and end with 1 when a file would change'),
    option('--write', 'write what changes, which is done unless --check is given'),
  ],
  run: async ({ terminal }, [files], options) => {
    const { fmtCommand } = await import('./project/fmt-command.ts');
    await fmtCommand(files, options, terminal);
  },
});

const dev = command<[folder: string], DevOptions>({
  name: 'dev',
  description: 'check and compile a project again each time that it changes',
  arguments: [projectFolder],
  options: [
    ...checking,
    option('--out <dir>', 'folder to write to what compile writes (default: nothing is written)'),
    textOrJson,
  ],
  run: async ({ terminal }, [folder], options) => {
    const { devCommand } = await import('./project/dev/dev-command.ts');
    await devCommand(folder, options, terminal);
  },
});

/** `levada project` and its subcommands. */
export const projectCommands: CommandRow = {
  name: 'project',
  description: 'check, compile and look into a stream project; nothing here needs a network',
  commands: [init, validate, ls, lineage, compile, explain, explainError, schema, fmt, dev],
};
