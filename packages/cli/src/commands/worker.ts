import { isConnectorError } from '@levada/connect-runtime-core';
import {
  devConfig,
  loadWorkerConfig,
  runWorker,
  thisProcess,
  type WorkerProcessOptions,
} from '@levada/runtime-server';
import { CommandError } from '../command-error.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

/** `levada worker start [file]`: runs until a signal ends it. */
export async function startWorkerCommand(file: string | undefined, terminal: Terminal): Promise<void> {
  await serve({ file }, terminal);
}

/** `levada worker dev`: an embedded log, and REST for this machine only. */
export async function devWorkerCommand(
  options: { readonly folder: string; readonly port: number },
  terminal: Terminal,
): Promise<void> {
  await serve({ overrides: devConfig(options) }, terminal);
}

/** `levada worker check-config <file>`: every problem of the configuration, or that there is none. Unknown keys are problems here. */
export async function checkConfigCommand(file: string, terminal: Terminal): Promise<void> {
  try {
    const config = await loadWorkerConfig({ file, environment: terminal.env });
    for (const { key, reason } of config.meaninglessKeys)
      terminal.err(`  ${key} means nothing here: ${reason}\n`);
    if (config.unknownKeys.length > 0) {
      const lines = config.unknownKeys.map(({ key, suggestion }) =>
        suggestion === undefined
          ? `${key} is not a worker key`
          : `${key} is not a worker key, did you mean ${suggestion}?`,
      );
      throw problems(file, lines);
    }
    terminal.out(`${file} is valid: ${config.storage} storage, group ${config.groupId}\n`);
  } catch (thrown) {
    if (!isConnectorError(thrown)) throw thrown;
    throw problems(
      file,
      thrown.issues.length > 0 ? thrown.issues.map((issue) => issue.message) : [thrown.message],
    );
  }
}

function problems(file: string, lines: readonly string[]): CommandError {
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
