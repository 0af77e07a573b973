import { ConnectorError, type RawConfig } from '@levada/connect-runtime-core';
import type { AnySourceConnector } from '@levada/connect-runtime-core/contract';
import { sameConfig, textOf } from '../port/raw-config.ts';
import { simpleName } from './plugin-registry.ts';

/**
 * The task configurations that a connector makes of its own. References stay unresolved in them: each task resolves its own
 * when it starts. Throws a `config_invalid` ConnectorError when there are more than allowed, and what the connector throws.
 */
export function makeTaskConfigs(
  connector: AnySourceConnector,
  { name, config }: { readonly name: string; readonly config: RawConfig },
): readonly RawConfig[] {
  const max = Number(textOf(config, 'tasks.max')?.trim() ?? 1);
  const taskClass = connector.className.replace(/Connector$/, 'Task');
  const configs = connector.taskConfigs(connector.config.canonical(config), max);
  const enforced = textOf(config, 'tasks.max.enforce')?.trim().toLowerCase() !== 'false';
  if (enforced && configs.length > max) {
    throw new ConnectorError(
      'config_invalid',
      `The connector ${name} has generated ${configs.length} tasks, which is greater than ${max}, the maximum number of tasks it is configured to create; set tasks.max.enforce=false to let ${simpleName(connector.className)} exceed it`,
    );
  }
  return configs.map((raw) => ({ ...raw, 'task.class': taskClass }));
}

/** Whether the task configurations that were made are those that are stored. */
export function sameTasks(made: readonly RawConfig[], stored: readonly RawConfig[] | undefined): boolean {
  if (stored?.length !== made.length) return false;
  return made.every((config, i) => sameConfig(config, stored[i] ?? {}));
}
