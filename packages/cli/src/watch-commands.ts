import { argument, type CommandRow, choice, command, option, wholeNumber } from './command-row.ts';
import type { DoctorOptions } from './watch/doctor.ts';
import type { LogsOptions } from './watch/logs.ts';
import type { TapOptions } from './watch/tap.ts';
import type { TopOptions } from './watch/top.ts';
import { outputOptions, workerOptions } from './worker-options.ts';

const top = command<[], TopOptions>({
  name: 'top',
  description: 'a live table of connectors; in a pipe one snapshot',
  options: [
    option('-c, --connectors <pattern>', 'only connectors whose name matches; * is any text'),
    option('--interval <seconds>', 'between two looks', 2).argParser(wholeNumber),
    option('--once', 'one snapshot, also on a terminal'),
    ...outputOptions,
    ...workerOptions,
  ],
  run: async ({ terminal }, _, options) => {
    const { showTop } = await import('./watch/top.ts');
    await showTop(options, terminal);
  },
});

const logs = command<[connector?: string], LogsOptions>({
  name: 'logs',
  description: 'the last log lines of a worker, or those about one connector',
  arguments: [argument('[connector]')],
  options: [
    option('-f, --follow', 'continue with each new line'),
    option('-n, --lines <count>', 'lines to begin with', 50).argParser(wholeNumber),
    choice('--level <level>', 'lowest level', {
      words: ['debug', 'info', 'warn', 'error'],
      defaultValue: 'debug',
    }),
    ...outputOptions,
    ...workerOptions,
  ],
  run: async ({ terminal }, [connector], options) => {
    const { printLogs } = await import('./watch/logs.ts');
    await printLogs(connector, options, terminal);
  },
});

const tap = command<[connector: string], TapOptions>({
  name: 'tap',
  description: 'the records that a connector writes, as they are produced',
  arguments: [argument('<connector>')],
  options: [
    option('-n, --records <count>', 'records of each topic to begin with', 10).argParser(wholeNumber),
    option('--no-follow', 'end after those'),
    option('--folder <folder>', 'read the folder of an embedded log instead of asking the worker'),
    ...outputOptions,
    ...workerOptions,
  ],
  run: async ({ terminal }, [connector], options) => {
    const { tapConnector } = await import('./watch/tap.ts');
    await tapConnector(connector, options, terminal);
  },
});

const doctor = command<[], DoctorOptions>({
  name: 'doctor',
  description: 'look for what commonly goes wrong, and what to do about it',
  options: [...outputOptions, ...workerOptions],
  run: async ({ terminal }, _, options) => {
    const { examine } = await import('./watch/doctor.ts');
    await examine(options, terminal);
  },
});

/** Commands that watch workers and what they run. */
export const watchCommands: readonly CommandRow[] = [top, logs, tap, doctor];
