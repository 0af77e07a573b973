import { isConnectorError } from '@levada/connect-runtime-core';
import {
  checkWorkerConfig,
  checkWorkerGroup,
  devConfig,
  issueText,
  runWorker,
  thisProcess,
  type WorkerConfig,
  type WorkerConfigCheck,
  type WorkerProcessOptions,
} from '@levada/runtime-server';
import { CommandError, exitCodes } from '../output/command-error.ts';
import type { Terminal } from '../output/terminal.ts';

/** `levada worker start [file]`: runs until a signal ends it. */
export async function startWorkerCommand(file: string | undefined, terminal: Terminal): Promise<void> {
  await serve({ file }, terminal);
}

/** Options of `levada worker dev`. */
export interface DevWorkerOptions {
  /** Where the log is kept. */
  readonly folder: string;
  readonly port: number;
}

/** `levada worker dev [file]`: an embedded log, and REST for this machine only, whatever the file says. */
export async function devWorkerCommand(
  file: string | undefined,
  options: DevWorkerOptions,
  terminal: Terminal,
): Promise<void> {
  await serve({ file, overrides: devConfig(options) }, terminal);
}

/**
 * `levada worker check-config <file>`: the checks of `levada worker start`, every problem in one line. An unknown key is a
 * problem here, while a worker starts with it and logs a warning.
 */
export async function checkConfigCommand(
  file: string,
  { group }: CheckConfigOptions,
  terminal: Terminal,
): Promise<void> {
  const { config, problems, unknownKeys, warnings, meaninglessKeys } = await checked(file, terminal);
  for (const note of meaninglessKeys) terminal.err(`  ${issueText(note)} (no effect here)\n`);
  for (const warning of warnings) terminal.err(`  ${issueText(warning)} (warning)\n`);
  const lines = [...problems, ...unknownKeys].map(issueText);
  if (lines.length > 0 || config === undefined) throw invalid(file, lines);
  terminal.out(`${file} is valid: ${config.storage} storage, group ${config.groupId}\n`);
  if (group === true) await checkItsGroup(config, terminal);
  else terminal.err(`  not checked: ${notChecked[config.storage]}\n`);
}

/** Options of `levada worker check-config`. */
export interface CheckConfigOptions {
  /** Whether to look at the connectors of the group, too, which needs the brokers. */
  readonly group?: boolean;
}

async function checkItsGroup(config: WorkerConfig, terminal: Terminal): Promise<void> {
  const { groupId } = config;
  try {
    const { connectors, findings } = await checkWorkerGroup(config, terminal.env);
    if (findings.length > 0) {
      const lines = [`the group ${groupId} has connectors that cannot run here`, ...findings];
      throw new CommandError(exitCodes.problems, lines.join('\n  '));
    }
    const what =
      connectors === undefined
        ? 'does not exist yet'
        : `has ${connectors} ${connectors === 1 ? 'connector, which' : 'connectors, which all'} can run here`;
    terminal.out(`the group ${groupId} ${what}\n`);
  } catch (thrown) {
    if (!isConnectorError(thrown)) throw thrown;
    throw new CommandError(exitCodes.problems, `cannot read the group ${groupId}: ${thrown.message}`);
  }
}

const always = 'whether the ports are free, and the packages in plugin.path';
const notChecked = {
  kafka: `whether the brokers answer and accept the login, ${always}`,
  embedded: `whether another process uses the folder of the log, ${always}`,
} as const;

async function checked(file: string, terminal: Terminal): Promise<WorkerConfigCheck> {
  try {
    return await checkWorkerConfig({ file, environment: terminal.env });
  } catch (thrown) {
    if (isConnectorError(thrown)) throw invalid(file, [thrown.message]);
    throw thrown;
  }
}

function invalid(file: string, lines: readonly string[]): CommandError {
  const count = lines.length === 1 ? '1 problem' : `${lines.length} problems`;
  return new CommandError(
    exitCodes.problems,
    [`${count} in ${file}`, ...lines.map((line) => `  ${line}`)].join('\n'),
  );
}

async function serve(
  what: Pick<WorkerProcessOptions, 'file' | 'overrides'>,
  terminal: Terminal,
): Promise<void> {
  const code = await runWorker({ ...thisProcess(), environment: terminal.env, ...what });
  // A worker has its own exit codes, those of Kafka Connect. Sockets of clients must not keep the process alive.
  process.exit(code);
}
