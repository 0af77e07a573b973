import { Argument, Command, type CommanderError, InvalidArgumentError, Option } from 'commander';
import type { CompletionShell } from './commands/completion.ts';
import { type OutputForm, outputForms } from './output/output-form.ts';
import { addProject } from './project/project-program.ts';
import { exitCodes } from './terminal/exit-codes.ts';
import { packageVersion } from './terminal/package-version.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Where a worker is expected when nothing else is said. */
const DEFAULT_URL = 'http://127.0.0.1:8083';

interface ReadOptions {
  readonly url: string;
  readonly output: OutputForm;
}

/** The command and its subcommands. Each loads what it needs when it runs, so that `--help` answers at once. */
export function createProgram(terminal: Terminal): Command {
  const program = new Command('levada')
    .description('Runs and inspects source connectors, and checks stream projects.')
    .version(packageVersion())
    .option('--no-color', 'no colors; also NO_COLOR')
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .showHelpAfterError('(levada --help lists the commands)');
  addWorker(program, terminal);
  addGet(program, terminal);
  addDescribe(program, terminal);
  addTopic(program, terminal);
  addProject(program, terminal);
  addCompletion(program, terminal);
  return program;
}

/** Commander's own refusals as exit codes: help and version are no failure, everything else is wrong usage. */
export function usageExitCode(error: CommanderError): number {
  return error.exitCode === 0 ? exitCodes.success : exitCodes.usage;
}

function addWorker(program: Command, terminal: Terminal): void {
  const worker = program.command('worker').description('start or check a connector worker');
  worker
    .command('start')
    .description('start a worker from a configuration file, and CONNECT_* variables of the environment')
    .argument('[file]', "properties, YAML or JSON file with Kafka Connect's worker keys")
    .option('-c, --config <file>', 'the same')
    .action(async (file: string | undefined, options: { config?: string }) => {
      const { startWorkerCommand } = await import('./commands/worker.ts');
      await startWorkerCommand(options.config ?? file, terminal);
    });
  worker
    .command('dev')
    .description('start a worker on an embedded log, open to this machine only')
    .option('--folder <folder>', 'where the log is kept', '.levada')
    .option('--port <port>', 'port of the REST interface', portNumber, 8083)
    .action(async (options: { folder: string; port: number }) => {
      const { devWorkerCommand } = await import('./commands/worker.ts');
      await devWorkerCommand(options, terminal);
    });
  worker
    .command('check-config')
    .description(
      'print every problem that keeps a worker from starting with a configuration, and every unknown key; uses no network',
    )
    .argument('<file>')
    .action(async (file: string) => {
      const { checkConfigCommand } = await import('./commands/worker.ts');
      await checkConfigCommand(file, terminal);
    });
}

function addGet(program: Command, terminal: Terminal): void {
  readCommand(program.command('get').description('list connectors, plugins or loggers'), terminal)
    .argument('<resource>', 'connectors, plugins or loggers')
    .action(async (resource: string, options: ReadOptions) => {
      const { get } = await import('./commands/get.ts');
      await get(resource, options, terminal);
    });
}

function addDescribe(program: Command, terminal: Terminal): void {
  readCommand(program.command('describe').description('show everything about one thing'), terminal)
    .argument('<kind>', 'connector, plugin or worker')
    .argument('[name]')
    .option('--all', 'also causes and errors that never occurred')
    .action(async (kind: string, name: string | undefined, options: ReadOptions & { all?: boolean }) => {
      const { describe } = await import('./commands/describe.ts');
      await describe({ kind, name }, options, terminal);
    });
}

function addTopic(program: Command, terminal: Terminal): void {
  const topic = program
    .command('topic')
    .description('look into the topics of an embedded log, also while a worker writes them');
  const folder = () => new Option('--folder <folder>', 'folder of the log').default('.levada');
  const output = () =>
    new Option('-o, --output <form>', 'how to print').choices(outputForms).default('table');
  topic
    .command('list')
    .description('topics with partitions, records and bytes')
    .addOption(folder())
    .addOption(output())
    .action(async (options: { folder: string; output: OutputForm }) => {
      const { listTopics } = await import('./commands/topic.ts');
      await listTopics(options, terminal);
    });
  topic
    .command('tail')
    .description('the last records of a topic, then each new one as it is written')
    .argument('<topic>')
    .option('-n, --records <count>', 'records to begin with', wholeNumber, 10)
    .option('--no-follow', 'end after those')
    .addOption(folder())
    .addOption(output())
    .action(
      async (
        name: string,
        options: { folder: string; records: number; follow: boolean; output: OutputForm },
      ) => {
        const { tailTopic } = await import('./commands/topic.ts');
        await tailTopic(name, options, terminal);
      },
    );
  topic
    .command('read')
    .description('records of a topic from an offset on, then end')
    .argument('<topic>')
    .option('--from <offset>', 'first offset', wholeNumber, 0)
    .option('-n, --records <count>', 'most records', wholeNumber)
    .option('--partition <partition>', 'only this partition', wholeNumber)
    .addOption(folder())
    .addOption(output())
    .action(
      async (
        name: string,
        options: { folder: string; from: number; records?: number; partition?: number; output: OutputForm },
      ) => {
        const { readTopic } = await import('./commands/topic.ts');
        await readTopic(name, options, terminal);
      },
    );
}

function addCompletion(program: Command, terminal: Terminal): void {
  program
    .command('completion')
    .description('print a script that completes commands and options')
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: CompletionShell) => {
      const { printCompletion } = await import('./commands/completion.ts');
      printCompletion(shell, program, terminal);
    });
}

function readCommand(command: Command, terminal: Terminal): Command {
  return command
    .addOption(new Option('-o, --output <form>', 'how to print').choices(outputForms).default('table'))
    .option(
      '--url <url>',
      'base URL of the worker; also LEVADA_URL',
      terminal.env['LEVADA_URL'] ?? DEFAULT_URL,
    );
}

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('expected a whole number from 0');
  return Number(text);
}

function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port > 65535) throw new InvalidArgumentError('expected a port from 0 to 65535');
  return port;
}
