import { ConnectorError, type RawConfig } from '@levada/connect-runtime-core';
import type { AnySourceConnector } from '@levada/connect-runtime-core/contract';
import type { ResolveConfig, ResolvedConfig } from '../config/config-resolver.ts';
import { effectOf, keyChanges } from '../port/config-update.ts';
import { sameConfig } from '../port/raw-config.ts';
import type { StoredConnector } from '../stores/config-state.ts';
import type { TaskConfigTexts } from '../thread/task-messages.ts';
import type { TaskSettings, TaskSettingsFactory } from './task-settings.ts';

/** What a task is made from: its connector's configuration and its own, as they are stored. */
export type StoredConfigs = TaskConfigTexts;

/** Secrets of this many resolutions are kept in mind: those of the start, and of reconnects shortly before a failure. */
const REMEMBERED = 4;

/** The configurations of one running task. Knows the secrets that it resolved, also those that were replaced since. */
export class TaskConfigs {
  readonly #resolve: ResolveConfig;
  #stored: StoredConfigs;
  #scrubbers: readonly ResolvedConfig['scrub'][] = [];

  constructor(resolve: ResolveConfig, stored: StoredConfigs) {
    this.#resolve = resolve;
    this.#stored = stored;
  }

  get stored(): StoredConfigs {
    return this.#stored;
  }

  /** From now on these hold. */
  replace(stored: StoredConfigs): void {
    this.#stored = stored;
  }

  /** Whether these are the same. */
  equal(stored: StoredConfigs): boolean {
    return sameConfig(this.#stored.connector, stored.connector) && sameConfig(this.#stored.task, stored.task);
  }

  /** The task's configuration with its references resolved again. Rejects with `config_invalid` when a provider fails. */
  resolveTask(): Promise<RawConfig> {
    return this.resolve(this.#stored.task);
  }

  /** A configuration of the task with its references resolved. Rejects with `config_invalid` when a provider fails. */
  async resolve(raw: RawConfig): Promise<RawConfig> {
    const { config, issues, scrub } = await this.#resolve(raw);
    this.#scrubbers = [...this.#scrubbers, scrub].slice(-REMEMBERED);
    if (issues.length === 0) return config;
    const messages = new Set(issues.map(({ message }) => message));
    throw new ConnectorError('config_invalid', [...messages].join('\n'), { issues });
  }

  /** What a task of these runs with, references resolved. */
  async settings(connector: AnySourceConnector, make: TaskSettingsFactory): Promise<TaskSettings> {
    return make(connector, {
      connector: await this.resolve(this.#stored.connector),
      task: await this.resolveTask(),
    });
  }

  /** Takes the secrets out of a text. */
  scrub(text: string): string {
    return this.#scrubbers.reduce((clean, scrub) => scrub(clean), text);
  }
}

/** What a task of a stored connector is made from; undefined when there is no such task. */
export function storedConfigs({ config, tasks }: StoredConnector, taskId: number): StoredConfigs | undefined {
  const task = tasks?.[taskId];
  return task === undefined ? undefined : { connector: config, task };
}

/** True when nothing changed but keys of the connector that need no new task. */
export function isLiveChange(
  { config }: AnySourceConnector,
  before: StoredConfigs,
  after: StoredConfigs,
): boolean {
  const changes = [
    ...keyChanges(config, before.connector, after.connector),
    ...keyChanges(config, before.task, after.task),
  ];
  return effectOf(changes) !== 'restart';
}
