import type { RawConfig } from '@levada/connect-runtime-core';
import { PluginRegistry } from '../config/plugin-registry.ts';
import { aliasesOf } from '../config/stage-keys.ts';
import type { ConnectRuntimeOptions } from '../port/connect-runtime.ts';
import { textOf } from '../port/raw-config.ts';
import { ConfigStore } from '../stores/config-store.ts';

/** The connectors of a group, as the config topic has them. */
export type ConfiguredConnectors = Pick<ConfigStore, 'names' | 'get'>;

/** What {@link checkGroup} found. */
export interface GroupReport {
  /** Connectors of the group; undefined when it has no config topic yet. */
  readonly connectors: number | undefined;
  /** Classes that they name and this worker does not have, as sentences without a full stop. */
  readonly findings: readonly string[];
}

/** Connectors that one sentence names. */
const MOST_NAMED = 5;

/** What a worker with these options would say of the connectors of its group if it joined. Reads the config topic, and joins nothing. */
export async function checkGroup(
  options: Pick<ConnectRuntimeOptions, 'platform' | 'configTopic' | 'groupId' | 'connectors' | 'converters'> &
    Partial<Pick<ConnectRuntimeOptions, 'transformations' | 'predicates'>>,
  signal: AbortSignal,
): Promise<GroupReport> {
  const { platform, configTopic, groupId, connectors, converters } = options;
  // Opening a topic would create it.
  const topics = await platform.describeTopics([configTopic.name]);
  if (topics.length === 0) return { connectors: undefined, findings: [] };
  const store = new ConfigStore({ clientId: `${groupId}-check`, onSkipped: () => undefined });
  try {
    signal.throwIfAborted();
    await store.open(platform, configTopic, signal);
    const findings = findOwnLacking(store, new PluginRegistry(connectors, converters, options));
    return { connectors: store.names().length, findings };
  } finally {
    await store.close();
  }
}

/** What the worker itself lacks, as sentences without a full stop. */
export function findOwnLacking(
  configs: ConfiguredConnectors,
  registry: Pick<PluginRegistry, 'fullName'>,
): readonly string[] {
  const has = (name: string): boolean => registry.fullName(name) !== undefined;
  return describeLacking(
    'this worker',
    findLackingClasses(configs, { names: configs.names(), has, all: true }),
  );
}

/** Classes that these connectors name and a worker does not have, each with its connectors. `all`: those of converters and of stages, too. */
export function findLackingClasses(
  configs: ConfiguredConnectors,
  {
    names,
    has,
    all,
  }: { readonly names: readonly string[]; readonly has: (name: string) => boolean; readonly all: boolean },
): ReadonlyMap<string, readonly string[]> {
  const lacking = new Map<string, string[]>();
  for (const connector of names) {
    const config = configs.get(connector)?.config;
    for (const name of all ? classesOf(config) : [connectorClass(config)]) {
      if (name === undefined || has(name)) continue;
      const known = lacking.get(name);
      if (known === undefined) lacking.set(name, [connector]);
      else known.push(connector);
    }
  }
  return lacking;
}

/** For people, without a full stop. */
export function describeLacking(
  who: string,
  lacking: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  return [...lacking].map(([name, connectors]) => {
    const named = connectors.slice(0, MOST_NAMED).map((one) => `"${one}"`);
    const more = connectors.length > MOST_NAMED ? ` and ${connectors.length - MOST_NAMED} more` : '';
    return `${who} does not have the class ${name} of ${named.join(', ')}${more}`;
  });
}

/** The class of a connector; undefined if a reference stands for it. */
export function connectorClass(config: RawConfig | undefined): string | undefined {
  return config === undefined ? undefined : literalName(textOf(config, 'connector.class'));
}

/** A reference to a secret is resolved where the connector runs. */
function literalName(text: string | undefined): string | undefined {
  const name = text?.trim();
  return name === undefined || name === '' || name.includes('${') ? undefined : name;
}

/** Every class that a connector's configuration names. */
function classesOf(config: RawConfig | undefined): readonly (string | undefined)[] {
  if (config === undefined) return [];
  const stages = (['transforms', 'predicates'] as const).flatMap((kind) =>
    aliasesOf(config, kind).map((alias) => `${kind}.${alias}.type`),
  );
  const keys = ['connector.class', 'key.converter', 'value.converter', 'header.converter', ...stages];
  return [...new Set(keys.map((key) => literalName(textOf(config, key))))];
}
