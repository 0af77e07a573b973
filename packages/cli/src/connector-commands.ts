import {
  argument,
  type CommandRow,
  choice,
  command,
  option,
  repeatable,
  wholeNumber,
} from './command-row.ts';
import type { ApplyOptions, CreateOptions } from './connectors/apply.ts';
import type { ControlOptions, DeleteOptions, RestartOptions } from './connectors/control.ts';
import type { DiffOptions } from './connectors/diff.ts';
import type { ExportOptions } from './connectors/export.ts';
import type { AlterOptions, OffsetOptions } from './connectors/offsets.ts';
import type { SetOptions } from './connectors/set.ts';
import type { ValidateOptions } from './connectors/validate.ts';
import { outputOptions, waitOptions, workerOptions } from './worker-options.ts';

const names = argument('<names...>', 'connectors; * in a name is any text');
const connector = argument('<name>', 'connector');
const files = repeatable(
  '-f, --file <path>',
  'JSON, YAML or properties file, a folder of these, or - for standard input; may be repeated',
);
const initialState = choice('--state <state>', 'state in which connectors are created', {
  words: ['running', 'paused', 'stopped'],
});
const prune = option(
  '--prune [pattern]',
  'delete connectors that no file defines; only those whose name matches',
);

const create = command<[], CreateOptions>({
  name: 'create',
  description: 'create connectors, none of which may exist, and wait until they run',
  options: [files, initialState, ...waitOptions, ...outputOptions, ...workerOptions],
  run: async ({ terminal }, _, options) => {
    const { createConnectors } = await import('./connectors/apply.ts');
    await createConnectors(options, terminal);
  },
});

const apply = command<[], ApplyOptions>({
  name: 'apply',
  description: 'create connectors that are missing, change those that differ, and wait until they run',
  options: [
    files,
    prune,
    option('--dry-run', 'change nothing, let the worker check what would be changed'),
    initialState,
    ...waitOptions,
    ...outputOptions,
    ...workerOptions,
  ],
  run: async ({ terminal }, _, options) => {
    const { applyConnectors } = await import('./connectors/apply.ts');
    await applyConnectors(options, terminal);
  },
});

const diff = command<[], DiffOptions>({
  name: 'diff',
  description: 'what apply would change, key by key; ends with 3 when that is anything',
  options: [
    files,
    prune,
    option('--exit-zero', 'end with 0 also when something differs'),
    ...outputOptions,
    ...workerOptions,
  ],
  run: async ({ terminal }, _, options) => {
    const { diffConnectors } = await import('./connectors/diff.ts');
    await diffConnectors(options, terminal);
  },
});

const set = command<[name: string, words: readonly string[]], SetOptions>({
  name: 'set',
  description: 'change keys of a connector and leave the others',
  arguments: [connector, argument('[key=value...]', 'keys with their new values')],
  options: [
    repeatable('--unset <key>', 'remove a key; may be repeated'),
    ...waitOptions,
    ...outputOptions,
    ...workerOptions,
  ],
  run: async ({ terminal }, words, options) => {
    const { setKeys } = await import('./connectors/set.ts');
    await setKeys(words, options, terminal);
  },
});

const validate = command<[], ValidateOptions>({
  name: 'validate',
  description: 'let the worker check configurations; changes nothing',
  options: [files, ...outputOptions, ...workerOptions],
  run: async ({ terminal }, _, options) => {
    const { validateConnectors } = await import('./connectors/validate.ts');
    await validateConnectors(options, terminal);
  },
});

const exportRow = command<[names: readonly string[]], ExportOptions>({
  name: 'export',
  description: 'write connectors to files that apply takes, one for each',
  arguments: [argument('[names...]', 'connectors; * in a name is any text; without any, all')],
  options: [
    option(
      '--folder <folder>',
      'where files are written; those of the same names are replaced',
      'connectors',
    ),
    ...outputOptions,
    ...workerOptions,
  ],
  run: async ({ terminal }, [words], options) => {
    const { exportConnectors } = await import('./connectors/export.ts');
    await exportConnectors(words, options, terminal);
  },
});

const restart = command<[names: readonly string[]], RestartOptions>({
  name: 'restart',
  description: 'restart what failed of connectors and their tasks',
  arguments: [names],
  options: [
    option('--all', 'connector and all tasks, also those that did not fail'),
    option('--task <number>', 'only this task').argParser(wholeNumber),
    ...waitOptions,
    ...outputOptions,
    ...workerOptions,
  ],
  run: async ({ terminal }, [words], options) => {
    const { restartConnectors } = await import('./connectors/control.ts');
    await restartConnectors(words, options, terminal);
  },
});

const remove = command<[names: readonly string[]], DeleteOptions>({
  name: 'delete',
  description: 'delete connectors; their records and offsets stay',
  arguments: [names],
  options: [
    option('--yes', 'delete what a pattern matches'),
    option('--ignore-missing', 'a connector that does not exist is no error'),
    ...outputOptions,
    ...workerOptions,
  ],
  run: async ({ terminal }, [words], options) => {
    const { deleteConnectors } = await import('./connectors/control.ts');
    await deleteConnectors(words, options, terminal);
  },
});

const offsets: CommandRow = {
  name: 'offsets',
  description: 'where connectors continue after a restart',
  commands: [
    command<[name: string], OffsetOptions>({
      name: 'get',
      description: 'show the offsets of a connector',
      arguments: [connector],
      options: [...outputOptions, ...workerOptions],
      run: async ({ terminal }, [name], options) => {
        const { getOffsets } = await import('./connectors/offsets.ts');
        await getOffsets(name, options, terminal);
      },
    }),
    command<[name: string], AlterOptions>({
      name: 'alter',
      description: 'change offsets of a stopped connector',
      arguments: [connector],
      options: [
        option('-f, --file <file>', 'JSON as "offsets get --json" prints it, or - for standard input'),
        option('--partition <json>', 'one partition'),
        option('--offset <json>', 'its offset; null forgets it'),
        ...outputOptions,
        ...workerOptions,
      ],
      run: async ({ terminal }, [name], options) => {
        const module = await import('./connectors/offsets.ts');
        await module.alterOffsets(name, options, terminal);
      },
    }),
    command<[name: string], OffsetOptions>({
      name: 'reset',
      description: 'forget all offsets of a stopped connector',
      arguments: [connector],
      options: [...outputOptions, ...workerOptions],
      run: async ({ terminal }, [name], options) => {
        const module = await import('./connectors/offsets.ts');
        await module.resetOffsets(name, options, terminal);
      },
    }),
  ],
};

function control(verb: 'pause' | 'resume' | 'stop', description: string): CommandRow {
  return command<[names: readonly string[]], ControlOptions>({
    name: verb,
    description,
    arguments: [names],
    options: [...waitOptions, ...outputOptions, ...workerOptions],
    run: async ({ terminal }, [words], options) => {
      const { controlConnectors } = await import('./connectors/control.ts');
      await controlConnectors([verb, words], options, terminal);
    },
  });
}

/** `levada connector` and its subcommands. */
export const connectorCommands: CommandRow = {
  name: 'connector',
  description: 'create, change and control connectors',
  commands: [
    create,
    apply,
    diff,
    set,
    validate,
    exportRow,
    restart,
    control('pause', 'pause connectors: nothing is read until they are resumed'),
    control('resume', 'let paused or stopped connectors run again'),
    control('stop', 'stop connectors and release their tasks; offsets can then be changed'),
    remove,
    offsets,
  ],
};
