import type { ConfigKeyInfo } from '@levada/connect-runtime-core/config';
import type { OffsetChange } from '@levada/connect-runtime-core/contract';
import type {
  CommittedOffset,
  ConfigUpdate,
  ConfigValidation,
  ConnectorInfo,
  ConnectorStatus,
  PluginInfo,
  Status,
  TaskConnection,
  TaskInfo,
  TaskStatus,
} from '@levada/connect-worker';

// Wire shapes of Kafka Connect 3.9, in its field order and without any other field: strict clients refuse unknown ones.

/** ConnectorInfo. */
export function connectorInfoBody(info: ConnectorInfo): object {
  const tasks = info.tasks.map(({ connector, task }) => ({ connector, task }));
  return { name: info.name, config: info.config, tasks, type: info.type };
}

/** Version of the plugin, in answers that have it: null when it is not known. */
type Version = string | null | undefined;

/** The status object, without connection. */
export function statusBody(status: ConnectorStatus, version?: Version): object {
  return {
    name: status.name,
    connector: stateBody(status.connector, version),
    tasks: status.tasks.map((task) => taskStatusBody(task, version)),
    type: status.type,
  };
}

/** Status of one task. */
export function taskStatusBody(status: TaskStatus, version?: Version): object {
  return { id: status.id, ...stateBody(status, version) };
}

function stateBody({ state, workerId, trace }: Status, version: Version): object {
  return {
    state,
    worker_id: workerId,
    ...(version === undefined ? {} : { version }),
    ...(trace === undefined ? {} : { trace }),
  };
}

/** The description of a key. 4.x calls its order by another name, and puts it elsewhere. */
export function keyBody(key: ConfigKeyInfo, dialect: '3.9' | '4.x'): object {
  if (dialect === '3.9') return key;
  const { width, display_name, dependents, order, ...before } = key;
  return { ...before, order_in_group: order, width, display_name, dependents };
}

/** `expand=connection`: one object per task that keeps a connection. Not part of Connect, so it is beside Connect's fields. */
export function connectionsBody(connections: readonly TaskConnection[]): object[] {
  return connections.map(({ task, connection, log }) => ({
    task,
    state: connection.state,
    last_message_age_ms: connection.lastMessageAgeMs ?? null,
    held_up_ms: connection.heldUpMs ?? null,
    last_error: connection.lastError ?? null,
    attempt: connection.attempt ?? null,
    next_try_in_ms: connection.nextTryInMs ?? null,
    log,
  }));
}

/** One entry of `GET /connectors/{c}/tasks`. */
export function taskInfoBody(task: TaskInfo): object {
  return { id: { connector: task.id.connector, task: task.id.task }, config: task.config };
}

/** `GET /connectors/{c}/tasks-config`. */
export function tasksConfigBody(tasks: readonly TaskInfo[]): object {
  return Object.fromEntries(tasks.map((task) => [`${task.id.connector}-${task.id.task}`, task.config]));
}

/** `GET /connectors/{c}/offsets`. */
export function offsetsBody(offsets: readonly CommittedOffset[] | readonly OffsetChange[]): object {
  return { offsets: offsets.map(({ partition, offset }) => ({ partition, offset })) };
}

/** One entry of `GET /connector-plugins`. */
export function pluginBody(plugin: PluginInfo): object {
  const version = plugin.version === '' || plugin.version === 'undefined' ? {} : { version: plugin.version };
  return { class: plugin.className, type: plugin.type, ...version };
}

/** ConfigInfos, the answer of `validate`. */
export function validationBody(validation: ConfigValidation, dialect: '3.9' | '4.x'): object {
  return {
    name: validation.name,
    error_count: validation.errorCount,
    groups: validation.groups,
    // A key's description already has Connect's names.
    configs: validation.configs.map(({ definition, value }) => ({
      definition: definition === null ? null : keyBody(definition, dialect),
      value: {
        name: value.name,
        value: value.value,
        recommended_values: value.recommendedValues,
        errors: value.errors,
        visible: value.visible,
      },
    })),
  };
}

/** `expand=update`: what storing the configuration would do. Not part of Connect, so it is beside Connect's fields. */
export function updateBody({ effect, changed }: ConfigUpdate): object {
  return { effect, changed: changed.map(({ name, update }) => ({ name, update })) };
}
