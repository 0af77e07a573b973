import type { OffsetChange } from '@levada/connect-runtime-core';
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
} from '@levada/connect-runtime-core/runtime';

// Wire shapes of Kafka Connect 3.9, in its field order and without any other field: strict clients refuse unknown ones.

/** ConnectorInfo. */
export function connectorInfoBody(info: ConnectorInfo): object {
  const tasks = info.tasks.map(({ connector, task }) => ({ connector, task }));
  return { name: info.name, config: info.config, tasks, type: info.type };
}

/** The status object, without connection. */
export function statusBody(status: ConnectorStatus): object {
  return {
    name: status.name,
    connector: stateBody(status.connector),
    tasks: status.tasks.map(taskStatusBody),
    type: status.type,
  };
}

/** Status of one task. */
export function taskStatusBody(status: TaskStatus): object {
  return { id: status.id, ...stateBody(status) };
}

function stateBody({ state, workerId, trace }: Status): object {
  return { state, worker_id: workerId, ...(trace === undefined ? {} : { trace }) };
}

/** `expand=connection`: one object per task that keeps a connection. Not part of Connect, so it is beside Connect's fields. */
export function connectionsBody(connections: readonly TaskConnection[]): object[] {
  return connections.map(({ task, connection }) => ({
    task,
    state: connection.state,
    last_message_age_ms: connection.lastMessageAgeMs ?? null,
    last_error: connection.lastError ?? null,
    attempt: connection.attempt ?? null,
    next_try_in_ms: connection.nextTryInMs ?? null,
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
export function validationBody(validation: ConfigValidation): object {
  return {
    name: validation.name,
    error_count: validation.errorCount,
    groups: validation.groups,
    // A key's description already has Connect's names.
    configs: validation.configs.map(({ definition, value }) => ({
      definition,
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
