import { type ConfigIssue, configDef, type RawConfig } from '@levada/connect-runtime-core';
import { oneOf } from '@levada/connect-runtime-core/config';
import { textOf } from '../port/raw-config.ts';

/** Name of the key that says where the tasks of a connector run; the worker has one of the same name, for all connectors. */
export const taskIsolationKey = 'task.isolation';

/** A key that every connector has beside those of Kafka Connect. It is apart from them, so that answers without it are those of Kafka Connect. */
export const taskIsolationConfig = configDef([
  {
    name: taskIsolationKey,
    type: 'string',
    default: null,
    importance: 'low',
    documentation:
      "Where tasks run: 'none' in the worker's own thread, 'thread' each in a thread of its own, with a link of its own to the brokers, so that it can use another core and a crash ends no other task. Needs a worker on a Kafka cluster. Default: the worker's.",
    validator: oneOf('none', 'thread'),
    group: 'Common',
    order: 12,
    width: 'short',
    displayName: 'Task isolation',
  },
]);

/** Whether the tasks of a connector run in threads, once its configuration has no errors. */
export function runsInThreads(config: RawConfig, byDefault: boolean): boolean {
  const text = textOf(config, taskIsolationKey)?.trim();
  return text === undefined ? byDefault : text === 'thread';
}

/** Threads are asked for and not to be had. */
export function taskIsolationIssues(config: RawConfig, hasThreads: boolean): readonly ConfigIssue[] {
  if (hasThreads || !runsInThreads(config, false)) return [];
  const problem =
    'tasks in threads need a worker on a Kafka cluster (bootstrap.servers), the embedded log has one writer, the thread of the worker';
  return [
    {
      key: taskIsolationKey,
      message: `Invalid value thread for configuration ${taskIsolationKey}: ${problem}`,
    },
  ];
}
