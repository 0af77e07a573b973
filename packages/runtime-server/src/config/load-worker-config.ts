import { readFile } from 'node:fs/promises';
import { ConnectorError, type RawConfig } from '@levada/connect-runtime-core';
import {
  builtInConfigProviders,
  createConfigProviders,
  transformConfig,
} from '@levada/connect-runtime-core/runtime';
import { environmentConfig } from './environment-config.ts';
import { parseConfigFile } from './parse-config-file.ts';
import { readWorkerConfig, type WorkerConfig } from './worker-config.ts';

/** Where a worker configuration comes from; later ones win. */
export interface ConfigSources {
  /** Values that hold unless something else is said. */
  readonly defaults?: RawConfig;
  /** Properties, YAML or JSON file. */
  readonly file?: string | undefined;
  /** `CONNECT_*` variables count. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** From the command line. */
  readonly overrides?: RawConfig;
}

/**
 * Reads, merges, resolves references through the worker's own config providers, and checks. Throws `file_unreadable` or
 * one `config_invalid` error that lists every problem.
 */
export async function loadWorkerConfig(sources: ConfigSources): Promise<WorkerConfig> {
  const environment = sources.environment ?? {};
  const file =
    sources.file === undefined ? {} : await parseConfigFile(sources.file, await readText(sources.file));
  const raw = {
    ...sources.defaults,
    ...file,
    ...environmentConfig(environment),
    ...sources.overrides,
  };
  const { config } = await transformConfig(
    raw,
    createConfigProviders(raw, builtInConfigProviders(environment)),
  );
  return readWorkerConfig(config);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    throw new ConnectorError('file_unreadable', `cannot read the worker configuration ${path}: ${reason}`, {
      cause,
    });
  }
}
