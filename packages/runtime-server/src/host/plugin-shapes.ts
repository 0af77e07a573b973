import type { ConfigProviderPlugin } from '@levada/connect-runtime-core/config';
import type {
  AnySourceConnector,
  PredicatePlugin,
  TransformationPlugin,
} from '@levada/connect-runtime-core/contract';
import type { ConverterPlugin } from '@levada/connect-runtime-core/converter';
import type { ConnectorPlugin } from '@levada/connect-worker';
import type { PluginKind } from './find-packages.ts';

/** The type of each kind of plugin. */
export interface PluginTypes {
  readonly connectors: ConnectorPlugin;
  readonly transformations: TransformationPlugin;
  readonly predicates: PredicatePlugin;
  readonly converters: ConverterPlugin;
  readonly configProviders: ConfigProviderPlugin;
}

/** Plugins by kind. */
export type Plugins = { readonly [K in PluginKind]: readonly PluginTypes[K][] };

/** What means to be a plugin, of whatever kind. */
export type PluginCandidate = { readonly className: string } & Readonly<Record<string, unknown>>;

interface Shape {
  /** One of them, for messages. */
  readonly noun: string;
  /** The function that only this kind, or this family of kinds, has. */
  readonly maker: 'createTask' | 'create';
  /** Members that the runtime relies on, with their types. */
  readonly parts: Readonly<Record<string, 'string' | 'object' | 'function'>>;
  readonly config: 'required' | 'optional' | 'none';
}

const stage = { maker: 'create', parts: { config: 'object' }, config: 'required' } as const;

/** By shape, because a plugin may bring its own copy of the core. */
const shapes: Readonly<Record<PluginKind, Shape>> = {
  connectors: {
    noun: 'connector',
    maker: 'createTask',
    parts: {
      version: 'string',
      config: 'object',
      metrics: 'object',
      events: 'object',
      objectName: 'function',
      taskConfigs: 'function',
    } satisfies Partial<Record<keyof AnySourceConnector, 'string' | 'object' | 'function'>>,
    config: 'required',
  },
  transformations: { noun: 'transformation', ...stage },
  predicates: { noun: 'predicate', ...stage },
  converters: { noun: 'converter', maker: 'create', parts: {}, config: 'optional' },
  configProviders: { noun: 'configuration provider', maker: 'create', parts: {}, config: 'none' },
};

/** The exported values of a module that mean to be plugins of a kind. */
export function candidatesOf(kind: PluginKind, module: object): readonly PluginCandidate[] {
  const { maker } = shapes[kind];
  return Object.values(module).filter((value: unknown): value is PluginCandidate => {
    if (typeof value !== 'object' || value === null) return false;
    const members = value as Readonly<Record<string, unknown>>;
    return typeof members['className'] === 'string' && typeof members[maker] === 'function';
  });
}

/** What would break later, with the part that is missing; undefined for a sound plugin. */
export function defectOf(kind: PluginKind, candidate: PluginCandidate): string | undefined {
  const { parts, config, noun } = shapes[kind];
  const name = `${noun} ${candidate.className}`;
  if (candidate.className.trim() === '') return `a ${noun} has an empty className`;
  for (const [part, type] of Object.entries(parts)) {
    const value = candidate[part];
    if (typeof value !== type || value === null) return `${name} has no ${part}`;
  }
  const { aliases = [], config: table, version = '' } = candidate;
  if (typeof version !== 'string') return `${name} has a version that is not text`;
  if (!Array.isArray(aliases) || aliases.some((alias) => typeof alias !== 'string'))
    return `${name} has aliases that are not a list of names`;
  if (config === 'none' || (config === 'optional' && table === undefined)) return undefined;
  const { keys } = (table ?? {}) as { readonly keys?: unknown };
  return Array.isArray(keys) ? undefined : `${name} has a config without keys`;
}

/** One plugin of a kind, for messages. */
export function nounOf(kind: PluginKind): string {
  return shapes[kind].noun;
}

/** Every full name that a plugin goes by. */
export function namesOf(plugin: {
  readonly className: string;
  readonly aliases?: unknown;
}): readonly string[] {
  return [plugin.className, ...((plugin.aliases as readonly string[] | undefined) ?? [])];
}
