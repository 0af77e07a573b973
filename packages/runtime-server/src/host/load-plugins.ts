import { pathToFileURL } from 'node:url';
import type { AnySourceConnector, Clock } from '@levada/connect-runtime-core';
import { type BrokenPlugin, findPackages, type PluginPackage, reasonOf } from './find-packages.ts';

/** Longest that loading one module may take. */
const LOAD_TIMEOUT_MS = 10_000;

/** What loading needs. */
export interface LoadOptions {
  readonly clock: Clock;
  /** Aborted: what is still to be loaded is given up. */
  readonly signal?: AbortSignal | undefined;
}

/** The connectors of `plugin.path`, and what could not be loaded. */
export interface LoadedPlugins {
  readonly connectors: readonly AnySourceConnector[];
  readonly broken: readonly BrokenPlugin[];
}

/**
 * Imports every connector package below the folders of `plugin.path`. A broken package is listed and does not keep the
 * others from loading. Of two connectors with one class name the first counts. Never rejects.
 */
export async function loadPlugins(folders: readonly string[], options: LoadOptions): Promise<LoadedPlugins> {
  const connectors = new Map<string, AnySourceConnector>();
  const broken: BrokenPlugin[] = [];
  for (const folder of folders) {
    const found = await findPackages(folder);
    broken.push(...found.broken);
    for (const plugin of found.packages) {
      try {
        for (const connector of await loadPackage(plugin, options)) {
          if (!connectors.has(connector.className)) connectors.set(connector.className, connector);
          else
            broken.push({
              place: plugin.folder,
              reason: `${connector.className} was already loaded from elsewhere`,
            });
        }
      } catch (error) {
        broken.push({ place: plugin.folder, reason: reasonOf(error) });
      }
    }
  }
  return { connectors: [...connectors.values()], broken };
}

async function loadPackage(
  plugin: PluginPackage,
  { clock, signal }: LoadOptions,
): Promise<readonly AnySourceConnector[]> {
  const late = Promise.withResolvers<never>();
  const giveUp = (reason: string): void => late.reject(new Error(reason));
  const timer = clock.after(LOAD_TIMEOUT_MS, () => giveUp(`loading took longer than ${LOAD_TIMEOUT_MS} ms`));
  const onAbort = (): void => giveUp('the worker was asked to end');
  signal?.addEventListener('abort', onAbort);
  try {
    if (signal?.aborted === true) onAbort();
    const module: object = await Promise.race([import(pathToFileURL(plugin.module).href), late.promise]);
    const candidates = Object.values(module).filter(isNamed);
    if (candidates.length === 0) throw new Error('exports no connector');
    return candidates.map(asConnector);
  } finally {
    timer.cancel();
    signal?.removeEventListener('abort', onAbort);
  }
}

/** What means to be a connector; by shape, because a plugin may bring its own copy of the core. */
function isNamed(value: unknown): value is { readonly className: string } {
  if (typeof value !== 'object' || value === null) return false;
  const { className, createTask } = value as Partial<AnySourceConnector>;
  return typeof className === 'string' && typeof createTask === 'function';
}

/** Members of a plugin that the runtime relies on, with their types. */
const parts = {
  version: 'string',
  config: 'object',
  metrics: 'object',
  events: 'object',
  objectName: 'function',
  taskConfigs: 'function',
} as const satisfies Partial<Record<keyof AnySourceConnector, string>>;

/** Throws for what would break later, with the part that is missing. */
function asConnector(candidate: { readonly className: string }): AnySourceConnector {
  const connector = candidate as AnySourceConnector;
  for (const [name, type] of Object.entries(parts)) {
    const value: unknown = connector[name as keyof typeof parts];
    if (typeof value !== type || value === null)
      throw new Error(`connector ${candidate.className} has no ${name}`);
  }
  if (!Array.isArray(connector.config.keys))
    throw new Error(`connector ${candidate.className} has a config without keys`);
  return connector;
}
