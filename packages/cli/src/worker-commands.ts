import { createRequire } from 'node:module';
import { isSea } from 'node:sea';
import {
  argument,
  type CommandRow,
  command,
  logLevel,
  option,
  portNumber,
  wholeNumber,
} from './command-row.ts';
import type { CompletionShell } from './commands/completion.ts';
import type { DescribeOptions } from './commands/describe.ts';
import type { GetOptions } from './commands/get.ts';
import type { HealthOptions } from './commands/health.ts';
import type { LoggerOptions, SetLoggerOptions } from './commands/logger.ts';
import type { NewPluginOptions } from './commands/new-plugin.ts';
import type { ReadTopicOptions, TailTopicOptions, TopicOptions } from './commands/topic.ts';
import type { CheckConfigOptions, DevWorkerOptions } from './commands/worker.ts';
import { CommandError, exitCodes } from './output/command-error.ts';
import { outputOptions, workerOptions } from './worker-options.ts';

/** The commands that run a worker, whose package is installed by those only who run one: it brings Kafka's client and a web server. */
async function workerModule(): Promise<typeof import('./commands/worker.ts')> {
  try {
    // The single executable is made of the Node and the worker that fit together.
    if (!isSea()) requireNode(process.versions.node);
    return await import('./commands/worker.ts');
  } catch (thrown) {
    const missing = /^(?:ERR_)?MODULE_NOT_FOUND$/.test((thrown as NodeJS.ErrnoException).code ?? '');
    if (!missing || !String(thrown).includes("'@levada/runtime-server")) throw thrown;
    throw new CommandError(
      exitCodes.usage,
      '"levada worker" needs the package @levada/runtime-server, which is not installed',
      'install it beside @levada/cli: npm install --save-dev @levada/runtime-server',
    );
  }
}

/** A worker may need a later Node than the other commands. */
function requireNode(present: string): void {
  const { engines } = createRequire(import.meta.url)('@levada/runtime-server/package.json');
  const needed = String(engines.node).replace('>=', '');
  if (present.localeCompare(needed, 'en', { numeric: true }) >= 0) return;
  throw new CommandError(
    exitCodes.usage,
    `"levada worker" needs Node ${needed} or newer, and this is Node ${present}`,
  );
}

const workers: CommandRow = {
  name: 'worker',
  description: 'start or check a connector worker',
  commands: [
    command<[file?: string], { readonly config?: string }>({
      name: 'start',
      description: 'start a worker from a configuration file, and CONNECT_* variables of the environment',
      arguments: [argument('[file]', "properties, YAML or JSON file with Kafka Connect's worker keys")],
      options: [option('-c, --config <file>', 'the same')],
      run: async ({ terminal }, [file], { config }) => {
        const { startWorkerCommand } = await workerModule();
        await startWorkerCommand(config ?? file, terminal);
      },
    }),
    command<[file?: string], DevWorkerOptions>({
      name: 'dev',
      description: 'start a worker on an embedded log, open to this machine only',
      arguments: [
        argument('[file]', 'worker file whose plugins, converters and providers count, but not its cluster'),
      ],
      options: [
        option('--folder <folder>', 'where the log is kept', '.levada'),
        option('--port <port>', 'port of the REST interface', 8083).argParser(portNumber),
      ],
      run: async ({ terminal }, [file], { folder, port }) => {
        const { devWorkerCommand } = await workerModule();
        await devWorkerCommand(file, { folder, port }, terminal);
      },
    }),
    command<[file: string], CheckConfigOptions>({
      name: 'check-config',
      description:
        'print every problem that keeps a worker from starting with a configuration, and every unknown key; uses no network without --group',
      arguments: [argument('<file>')],
      options: [
        option(
          '--group',
          'read the connectors of the group, and print those whose plugins this worker does not have',
        ),
      ],
      run: async ({ terminal }, [file], options) => {
        const { checkConfigCommand } = await workerModule();
        await checkConfigCommand(file, options, terminal);
      },
    }),
    command<[], HealthOptions>({
      name: 'health',
      description: 'end with 0 when a worker is ready, for health checks',
      options: [
        option('--wait <seconds>', 'longest wait until it is ready', 0).argParser(wholeNumber),
        ...workerOptions,
      ],
      run: async ({ terminal }, _, options) => {
        const { showHealth } = await import('./commands/health.ts');
        await showHealth(options, terminal);
      },
    }),
  ],
};

const resourceList = command<[resource: string], GetOptions>({
  name: 'get',
  description: 'list connectors, the workers that run them, plugins or loggers',
  arguments: [argument('<resource>', 'connectors, workers, plugins or loggers')],
  options: [...outputOptions, ...workerOptions],
  run: async ({ terminal }, [resource], options) => {
    const { get } = await import('./commands/get.ts');
    await get(resource, options, terminal);
  },
});

const description = command<[kind: string, name?: string], DescribeOptions>({
  name: 'describe',
  description: 'show everything about one thing',
  arguments: [argument('<kind>', 'connector, plugin or worker'), argument('[name]')],
  options: [
    ...outputOptions,
    ...workerOptions,
    option('--all', 'also causes and errors that never occurred'),
  ],
  run: async ({ terminal }, [kind, name], options) => {
    const { describe } = await import('./commands/describe.ts');
    await describe({ kind, name }, options, terminal);
  },
});

const folder = option('--folder <folder>', 'folder of the log', '.levada');
const topic = argument('<topic>');

const topics: CommandRow = {
  name: 'topic',
  description: 'look into the topics of an embedded log, also while a worker writes them',
  commands: [
    command<[], TopicOptions>({
      name: 'list',
      description: 'topics with partitions, records and bytes',
      options: [folder, ...outputOptions],
      run: async ({ terminal }, _, options) => {
        const { listTopics } = await import('./commands/topic.ts');
        await listTopics(options, terminal);
      },
    }),
    command<[topic: string], TailTopicOptions>({
      name: 'tail',
      description: 'the last records of a topic, then each new one as it is written',
      arguments: [topic],
      options: [
        option('-n, --records <count>', 'records to begin with', 10).argParser(wholeNumber),
        option('--no-follow', 'end after those'),
        folder,
        ...outputOptions,
      ],
      run: async ({ terminal }, [name], options) => {
        const { tailTopic } = await import('./commands/topic.ts');
        await tailTopic(name, options, terminal);
      },
    }),
    command<[topic: string], ReadTopicOptions>({
      name: 'read',
      description: 'records of a topic from an offset on, then end',
      arguments: [topic],
      options: [
        option('--from <offset>', 'first offset', 0).argParser(wholeNumber),
        option('-n, --records <count>', 'most records').argParser(wholeNumber),
        option('--partition <partition>', 'only this partition').argParser(wholeNumber),
        folder,
        ...outputOptions,
      ],
      run: async ({ terminal }, [name], options) => {
        const { readTopic } = await import('./commands/topic.ts');
        await readTopic(name, options, terminal);
      },
    }),
  ],
};

const loggers: CommandRow = {
  name: 'logger',
  description: 'show or set log levels of workers, as long as these run',
  commands: [
    command<[name?: string], LoggerOptions>({
      name: 'get',
      description: 'the level of a logger, or of all that have one of their own',
      arguments: [argument('[name]')],
      options: [...outputOptions, ...workerOptions],
      run: async ({ terminal }, [name], options) => {
        const { getLoggers } = await import('./commands/logger.ts');
        await getLoggers(name, options, terminal);
      },
    }),
    command<[name: string, level: string], SetLoggerOptions>({
      name: 'set',
      description: 'set the level of a logger and of those below it, on one worker',
      arguments: [
        argument('<name>', 'logger, such as levada.connector.prices, or root'),
        argument('<level>', 'TRACE, DEBUG, INFO, WARN, ERROR or OFF').argParser(logLevel),
      ],
      options: [option('--cluster', 'on every worker of the group'), ...outputOptions, ...workerOptions],
      run: async ({ terminal }, [name, level], options) => {
        const { setLogger } = await import('./commands/logger.ts');
        await setLogger({ name, level }, options, terminal);
      },
    }),
  ],
};

const plugins: CommandRow = {
  name: 'plugin',
  description: 'write plugins for workers',
  commands: [
    command<[folder: string], NewPluginOptions>({
      name: 'new',
      description: 'write a package with a source connector of your own, its tests included',
      arguments: [argument('<folder>', 'folder to write to; must be empty if it exists')],
      options: [
        option(
          '--class <name>',
          'class name of the connector, such as com.example.MySource (default: made from the folder)',
        ),
      ],
      run: async ({ terminal }, [path], options) => {
        const { newPlugin } = await import('./commands/new-plugin.ts');
        await newPlugin(path, options, terminal);
      },
    }),
  ],
};

/** Commands about workers and what they run. */
export const workerCommands: readonly CommandRow[] = [
  workers,
  resourceList,
  description,
  loggers,
  topics,
  plugins,
];

const shells: readonly CompletionShell[] = ['bash', 'zsh', 'fish'];

/** `levada completion`. */
export const completionCommand: CommandRow = command<[shell: CompletionShell], object>({
  name: 'completion',
  description: 'print a script that completes commands and options',
  arguments: [argument('<shell>', 'bash, zsh or fish').choices(shells)],
  run: async ({ terminal, program }, [shell]) => {
    const { printCompletion } = await import('./commands/completion.ts');
    printCompletion(shell, program, terminal);
  },
});

/** `levada complete-words`, for the scripts of `levada completion`. */
export const completeWordsCommand: CommandRow = command<[words: readonly string[]], object>({
  name: 'complete-words',
  description: 'print the words that the last one may become',
  hidden: true,
  arguments: [argument('[words...]')],
  run: async ({ terminal, program }, [words]) => {
    const { printWords } = await import('./commands/complete-words.ts');
    await printWords(words, program, terminal);
  },
});
