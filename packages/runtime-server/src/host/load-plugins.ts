import { pathToFileURL } from 'node:url';
import type { Clock } from '@levada/connect-runtime-core';
import { checkedPlugin } from './checked-plugin.ts';
import {
  type BrokenPlugin,
  findPackages,
  type PluginKind,
  type PluginModule,
  pluginKinds,
  reasonOf,
} from './find-packages.ts';
import {
  candidatesOf,
  defectOf,
  namesOf,
  nounOf,
  type PluginCandidate,
  type Plugins,
} from './plugin-shapes.ts';

/** Longest that loading one module may take. */
const LOAD_TIMEOUT_MS = 10_000;

/** What loading needs. */
export interface LoadOptions {
  readonly clock: Clock;
  /** Plugins that the worker has already: others with one of their class names or aliases are refused. Default: none. */
  readonly builtIn?: Plugins | undefined;
  /** Aborted: what is still to be loaded is given up. */
  readonly signal?: AbortSignal | undefined;
}

/** The plugins of `plugin.path`, and what could not be loaded. */
export interface LoadedPlugins extends Plugins {
  readonly broken: readonly BrokenPlugin[];
}

/**
 * Imports every package with plugins below the folders of `plugin.path`. What is broken is listed, part by part, and does
 * not keep the rest from loading. Of two plugins of a kind with one class name the first counts. Never rejects.
 */
export async function loadPlugins(folders: readonly string[], options: LoadOptions): Promise<LoadedPlugins> {
  const loaded = new PluginCollection(options);
  for (const folder of folders) {
    const found = await findPackages(folder);
    loaded.broken.push(...found.broken);
    for (const part of found.modules) {
      try {
        const candidates = candidatesOf(part.kind, await importModule(part, options));
        if (candidates.length === 0) throw new Error(`exports no ${nounOf(part.kind)}`);
        for (const candidate of candidates) loaded.add(part, candidate);
      } catch (error) {
        loaded.broken.push({ place: part.folder, reason: reasonOf(error) });
      }
    }
  }
  return loaded.plugins();
}

/** What was loaded so far. */
class PluginCollection {
  readonly broken: BrokenPlugin[] = [];
  readonly #kept = new Map<PluginKind, PluginCandidate[]>(pluginKinds.map((kind) => [kind, []]));
  readonly #builtIn = new Set<string>();
  readonly #loaded = new Set<string>();
  readonly #clock: Clock;

  constructor({ builtIn, clock }: LoadOptions) {
    this.#clock = clock;
    for (const kind of pluginKinds) {
      for (const name of (builtIn?.[kind] ?? []).flatMap(namesOf)) this.#builtIn.add(keyOf(kind, name));
    }
  }

  /** Keeps the candidate, or says why not. */
  add({ kind, folder }: PluginModule, candidate: PluginCandidate): void {
    const reason = defectOf(kind, candidate) ?? this.#clash(kind, candidate);
    if (reason !== undefined) this.broken.push({ place: folder, reason });
    else {
      for (const name of namesOf(candidate)) this.#loaded.add(keyOf(kind, name));
      this.#kept.get(kind)?.push(checkedPlugin(kind, candidate, this.#clock));
    }
  }

  plugins(): LoadedPlugins {
    // Each candidate was found sound for its kind.
    const kept = Object.fromEntries(this.#kept) as unknown as Plugins;
    return { ...kept, broken: this.broken };
  }

  #clash(kind: PluginKind, candidate: PluginCandidate): string | undefined {
    const names = namesOf(candidate);
    const builtIn = names.find((name) => this.#builtIn.has(keyOf(kind, name)));
    const noun = nounOf(kind);
    if (builtIn !== undefined)
      return `${noun} ${candidate.className} cannot be called ${builtIn}: that is a built-in ${noun}`;
    const loaded = names.find((name) => this.#loaded.has(keyOf(kind, name)));
    return loaded === undefined ? undefined : `${loaded} was already loaded from elsewhere`;
  }
}

function keyOf(kind: PluginKind, name: string): string {
  return `${kind} ${name}`;
}

async function importModule(part: PluginModule, { clock, signal }: LoadOptions): Promise<object> {
  const late = Promise.withResolvers<never>();
  const giveUp = (reason: string): void => late.reject(new Error(reason));
  const timer = clock.after(LOAD_TIMEOUT_MS, () => giveUp(`loading took longer than ${LOAD_TIMEOUT_MS} ms`));
  const onAbort = (): void => giveUp('the worker was asked to end');
  signal?.addEventListener('abort', onAbort);
  try {
    if (signal?.aborted === true) onAbort();
    return (await Promise.race([import(pathToFileURL(part.module).href), late.promise])) as object;
  } finally {
    timer.cancel();
    signal?.removeEventListener('abort', onAbort);
  }
}
