import type { RawConfig } from '@levada/connect-runtime-core';
import type { ConnectorStatus } from '@levada/connect-worker';
import { connectionsBody, connectorInfoBody, statusBody } from './bodies.ts';
import { isHerderError } from './message/error-response.ts';
import { readConfig, readCreateRequest } from './message/read-body.ts';
import { isMissing } from './message/read-json.ts';
import { RestError } from './message/rest-error.ts';
import {
  connectorName,
  queryFlag,
  type Reply,
  type RestCall,
  type RestContext,
  type Route,
  shownVersion,
} from './route.ts';

/** Longest connector name, in bytes of UTF-8. */
const MAX_NAME_BYTES = 255;

/** Connectors as a whole: list, create, read, configure, control, delete. */
export const connectorRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/connectors',
    status: 200,
    doc: {
      id: 'listConnectors',
      summary: 'List connectors',
      query: {
        expand: '`info`, `status` or `connection`, also several times: an object by name, with these parts.',
      },
      answer: 'Connectors',
    },
    handle: list,
  },
  {
    method: 'POST',
    path: '/connectors',
    status: 201,
    doc: {
      id: 'createConnector',
      summary: 'Create a connector',
      body: 'CreateRequest',
      answer: 'Connector',
      errors: { 409: 'There is such a connector, or the group of workers rebalances.' },
    },
    handle: create,
  },
  {
    method: 'GET',
    path: '/connectors/{connector}',
    status: 200,
    doc: {
      id: 'getConnector',
      summary: 'Show configuration and tasks of a connector',
      answer: 'Connector',
      errors: { 404: 'There is no such connector.' },
    },
    handle: async (call, { herder }) => ({
      body: connectorInfoBody(await herder.connector(connectorName(call))),
    }),
  },
  {
    method: 'DELETE',
    path: '/connectors/{connector}',
    status: 204,
    doc: {
      id: 'deleteConnector',
      summary: 'Delete a connector; its offsets stay',
      errors: {
        404: 'There is no such connector.',
        409: 'The group of workers rebalances, or the connector is being changed: try again.',
      },
    },
    handle: (call, { herder }) => done(herder.delete(connectorName(call))),
  },
  {
    method: 'GET',
    path: '/connectors/{connector}/config',
    status: 200,
    doc: {
      id: 'getConnectorConfig',
      summary: 'Show the configuration of a connector',
      answer: 'Config',
      errors: { 404: 'There is no such connector.' },
    },
    handle: async (call, { herder }) => ({ body: await herder.config(connectorName(call)) }),
  },
  {
    method: 'PUT',
    path: '/connectors/{connector}/config',
    status: 200,
    doc: {
      id: 'putConnectorConfig',
      summary: 'Create a connector, or replace its configuration',
      body: 'ConfigChange',
      answer: 'Connector',
      also: { 201: 'It was created.' },
      errors: { 409: 'The group of workers rebalances, or the connector is being changed: try again.' },
    },
    handle: putConfig,
  },
  {
    method: 'PATCH',
    path: '/connectors/{connector}/config',
    status: 200,
    doc: {
      id: 'patchConnectorConfig',
      summary: 'Change some keys of a configuration',
      body: 'ConfigChange',
      answer: 'Connector',
      errors: {
        404: 'There is no such connector.',
        409: 'The group of workers rebalances, or the connector is being changed: try again.',
      },
    },
    handle: async (call, { herder }) => {
      const name = connectorName(call);
      // As in Kafka Connect, where a missing body is noticed late.
      if (isMissing(call.body)) await herder.config(name);
      const info = await herder.patchConfig(name, readConfig(call.body));
      return { body: connectorInfoBody(info) };
    },
  },
  {
    method: 'GET',
    path: '/connectors/{connector}/status',
    status: 200,
    doc: {
      id: 'getConnectorStatus',
      summary: 'Show the state of a connector and its tasks',
      query: { expand: '`connection`: what each task says of its connection.' },
      answer: 'Status',
      errors: { 404: 'There is no such connector, or no status of it yet.' },
    },
    handle: status,
  },
  {
    method: 'POST',
    path: '/connectors/{connector}/restart',
    status: 204,
    doc: {
      id: 'restartConnector',
      summary: 'Restart a connector, and its tasks on request',
      query: { includeTasks: '`true`: its tasks too.', onlyFailed: '`true`: only what failed.' },
      answer: 'Status',
      also: { 202: 'With a parameter that is true: what is planned.' },
      empty: [204],
      errors: {
        404: 'There is no such connector.',
        409: 'The group of workers rebalances, or the connector is being changed: try again.',
      },
    },
    role: 'operate',
    handle: restart,
  },
  {
    method: 'PUT',
    path: '/connectors/{connector}/pause',
    status: 202,
    doc: {
      id: 'pauseConnector',
      summary: 'Pause a connector and its tasks',
      errors: {
        404: 'There is no such connector.',
        409: 'The group of workers rebalances, or the connector is being changed: try again.',
      },
    },
    role: 'operate',
    handle: (call, { herder }) => done(herder.setTargetState(connectorName(call), 'PAUSED')),
  },
  {
    method: 'PUT',
    path: '/connectors/{connector}/resume',
    status: 202,
    doc: {
      id: 'resumeConnector',
      summary: 'Run a connector that is paused or stopped',
      errors: {
        404: 'There is no such connector.',
        409: 'The group of workers rebalances, or the connector is being changed: try again.',
      },
    },
    role: 'operate',
    handle: (call, { herder }) => done(herder.setTargetState(connectorName(call), 'STARTED')),
  },
  {
    method: 'PUT',
    path: '/connectors/{connector}/stop',
    status: 204,
    doc: {
      id: 'stopConnector',
      summary: 'Stop a connector, and release its tasks',
      errors: {
        404: 'There is no such connector.',
        409: 'The group of workers rebalances, or the connector is being changed: try again.',
      },
    },
    role: 'operate',
    handle: (call, { herder }) => done(herder.setTargetState(connectorName(call), 'STOPPED')),
  },
];

async function done(work: Promise<unknown>): Promise<Reply> {
  await work;
  return {};
}

async function list(call: RestCall, context: RestContext): Promise<Reply> {
  const names = await context.herder.connectors();
  const expand = new Set(call.query.getAll('expand'));
  if (expand.size === 0) return { body: names };
  const wanted = {
    status: expand.has('status'),
    info: expand.has('info'),
    connection: expand.has('connection'),
  };
  const entries = await Promise.all(
    names.map(async (name) => [name, await expanded(name, wanted, context)] as const),
  );
  return { body: Object.fromEntries(entries.filter(([, value]) => value !== undefined)) };
}

interface Wanted {
  readonly status: boolean;
  readonly info: boolean;
  readonly connection: boolean;
}

/** Undefined when part of it is not known: deleted meanwhile, or without a status yet. Connect leaves those out too. */
async function expanded(name: string, wanted: Wanted, context: RestContext): Promise<object | undefined> {
  const { herder } = context;
  try {
    return {
      ...(wanted.info ? { info: connectorInfoBody(await herder.connector(name)) } : {}),
      ...(wanted.status ? { status: await shownStatus(await herder.status(name), context) } : {}),
      ...(wanted.connection ? { connection: connectionsBody(await herder.connections(name)) } : {}),
    };
  } catch (error) {
    if (isHerderError(error) && error.kind === 'not_found') return undefined;
    throw error;
  }
}

async function create(call: RestCall, { herder }: RestContext): Promise<Reply> {
  const { name, config, initialState } = readCreateRequest(call.body);
  const info = await herder.create(name, named(name, config), initialState);
  return { body: connectorInfoBody(info), location: info.name };
}

async function putConfig(call: RestCall, { herder }: RestContext): Promise<Reply> {
  const name = connectorName(call);
  const { created, info } = await herder.putConfig(name, named(name, readConfig(call.body)));
  const body = connectorInfoBody(info);
  return created ? { body, status: 201, location: info.name } : { body };
}

/** The configuration with the connector's name in it. */
function named(name: string, config: RawConfig): RawConfig {
  if (new TextEncoder().encode(name).length > MAX_NAME_BYTES) {
    throw new RestError(400, `Connector name is longer than ${MAX_NAME_BYTES} bytes`);
  }
  const own = Object.hasOwn(config, 'name') ? config['name'] : null;
  if (own === null || own === undefined) return { ...config, name };
  if (own === name) return config;
  throw new RestError(
    400,
    `Connector name configuration (${own}) doesn't match connector name in the URL (${name})`,
  );
}

async function status(call: RestCall, context: RestContext): Promise<Reply> {
  const { herder, statusConnection } = context;
  const name = connectorName(call);
  const body = await shownStatus(await herder.status(name), context);
  if (!statusConnection && !call.query.getAll('expand').includes('connection')) return { body };
  return { body: { ...body, connection: connectionsBody(await herder.connections(name)) } };
}

async function restart(call: RestCall, context: RestContext): Promise<Reply> {
  const request = {
    includeTasks: queryFlag(call, 'includeTasks'),
    onlyFailed: queryFlag(call, 'onlyFailed'),
  };
  const planned = await context.herder.restart(connectorName(call), request);
  return planned === undefined ? {} : { status: 202, body: await shownStatus(planned, context) };
}

async function shownStatus(found: ConnectorStatus, context: RestContext): Promise<object> {
  return statusBody(found, await shownVersion(found.name, context));
}
