import { offsetsBody, taskInfoBody, taskStatusBody, tasksConfigBody } from './bodies.ts';
import { signatureOf } from './call-worker.ts';
import { readConfigs, readOffsetChanges } from './message/read-body.ts';
import { frameworkMessage, RestError } from './message/rest-error.ts';
import { connectorName, pathValue, type RestCall, type Route, shownVersion } from './route.ts';

/** What hangs below a connector: tasks, offsets, active topics. */
export const taskRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/connectors/{connector}/tasks',
    status: 200,
    doc: {
      id: 'listTasks',
      summary: 'List tasks with their configurations',
      answer: 'Tasks',
      errors: { 404: 'There is no such connector.' },
    },
    handle: async (call, { herder }) => ({
      body: (await herder.tasks(connectorName(call))).map(taskInfoBody),
    }),
  },
  {
    method: 'POST',
    path: '/connectors/{connector}/tasks',
    status: 204,
    doc: {
      id: 'putTasks',
      summary: 'Store task configurations; for other workers, which sign it',
      body: 'TaskConfigs',
      errors: {
        404: 'There is no such connector.',
        409: 'The group of workers rebalances, or the connector is being changed: try again.',
      },
    },
    internal: true,
    handle: async (call, { herder }) => {
      await herder.putTasks(connectorName(call), call.body, readConfigs, signatureOf(call.headers));
      return {};
    },
  },
  {
    method: 'PUT',
    path: '/connectors/{connector}/fence',
    status: 204,
    doc: {
      id: 'fenceTasks',
      summary: 'Fence producers of earlier tasks; for other workers, which sign it',
      errors: {
        404: 'There is no such connector.',
        409: 'The group of workers rebalances, or the connector is being changed: try again.',
      },
    },
    internal: true,
    handle: async (call, { herder }) => {
      await herder.fence(connectorName(call), call.body, signatureOf(call.headers));
      return {};
    },
  },
  {
    method: 'GET',
    path: '/connectors/{connector}/tasks-config',
    status: 200,
    doc: {
      id: 'getTaskConfigs',
      summary: 'Show task configurations by task',
      answer: 'TaskConfigsByName',
      errors: { 404: 'There is no such connector.' },
    },
    handle: async (call, { herder }) => ({ body: tasksConfigBody(await herder.tasks(connectorName(call))) }),
  },
  {
    method: 'GET',
    path: '/connectors/{connector}/tasks/{task}/status',
    status: 200,
    doc: {
      id: 'getTaskStatus',
      summary: 'Show the state of a task',
      answer: 'TaskStatus',
      errors: { 404: 'There is no such task, or no status of it yet.' },
    },
    handle: async (call, context) => {
      const status = await context.herder.taskStatus(connectorName(call), taskOf(call));
      return { body: taskStatusBody(status, await shownVersion(connectorName(call), context)) };
    },
  },
  {
    method: 'POST',
    path: '/connectors/{connector}/tasks/{task}/restart',
    status: 204,
    doc: {
      id: 'restartTask',
      summary: 'Restart a task',
      errors: {
        404: 'There is no such task.',
        409: 'The group of workers rebalances, or the connector is being changed: try again.',
      },
    },
    role: 'operate',
    handle: async (call, { herder }) => {
      await herder.restartTask(connectorName(call), taskOf(call));
      return {};
    },
  },
  {
    method: 'GET',
    path: '/connectors/{connector}/offsets',
    status: 200,
    doc: {
      id: 'getOffsets',
      summary: 'Show committed offsets',
      answer: 'Offsets',
      errors: { 404: 'There is no such connector.' },
    },
    handle: async (call, { herder }) => ({ body: offsetsBody(await herder.offsets(connectorName(call))) }),
  },
  {
    method: 'PATCH',
    path: '/connectors/{connector}/offsets',
    status: 200,
    doc: {
      id: 'alterOffsets',
      summary: 'Change offsets of a stopped connector',
      body: 'Offsets',
      answer: 'Message',
      errors: {
        404: 'There is no such connector.',
        409: 'The group of workers rebalances, or the connector is being changed: try again.',
      },
    },
    handle: async (call, { herder }) => {
      const changes = readOffsetChanges(call.body);
      if (changes.length === 0) {
        throw new RestError(400, 'Partitions / offsets need to be provided for an alter offsets request');
      }
      return { body: { message: await herder.alterOffsets(connectorName(call), changes) } };
    },
  },
  {
    method: 'DELETE',
    path: '/connectors/{connector}/offsets',
    status: 200,
    doc: {
      id: 'resetOffsets',
      summary: 'Remove the offsets of a stopped connector',
      answer: 'Message',
      errors: {
        400: 'It is not stopped.',
        404: 'There is no such connector.',
        409: 'The group of workers rebalances, or the connector is being changed: try again.',
      },
    },
    handle: async (call, { herder }) => ({
      body: { message: await herder.resetOffsets(connectorName(call)) },
    }),
  },
  {
    method: 'GET',
    path: '/connectors/{connector}/topics',
    status: 200,
    doc: { id: 'getActiveTopics', summary: 'List the topics that a connector wrote to', answer: 'Topics' },
    handle: async (call, { herder }) => {
      const name = connectorName(call);
      return { body: Object.fromEntries([[name, { topics: await herder.activeTopics(name) }]]) };
    },
  },
  {
    method: 'PUT',
    path: '/connectors/{connector}/topics/reset',
    status: 202,
    doc: { id: 'resetActiveTopics', summary: 'Forget the topics that a connector wrote to' },
    handle: async (call, { herder }) => {
      await herder.resetActiveTopics(connectorName(call));
      return {};
    },
  },
];

/** A task id is a Java int, sign and leading zeros included; any other text names nothing. */
function taskOf(call: RestCall): number {
  const text = pathValue(call, 'task');
  const id = /^[+-]?\d{1,100}$/.test(text) ? Number(text) : Number.NaN;
  if (id >= -2147483648 && id <= 2147483647) return id;
  throw new RestError(404, frameworkMessage(404));
}
