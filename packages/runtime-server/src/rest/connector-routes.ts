import type { RawConfig } from '@levada/connect-runtime-core';
import type { Herder } from '@levada/connect-runtime-core/runtime';
import { connectionsBody, connectorInfoBody, statusBody } from './bodies.ts';
import { isHerderError } from './error-response.ts';
import { readConfig, readCreateRequest } from './read-body.ts';
import { RestError } from './rest-error.ts';
import {
  connectorName,
  queryFlag,
  type Reply,
  type RestCall,
  type RestContext,
  type Route,
} from './route.ts';

/** Longest connector name, in bytes of UTF-8. */
const MAX_NAME_BYTES = 255;

/** Connectors as a whole: list, create, read, configure, control, delete. */
export const connectorRoutes: readonly Route[] = [
  { method: 'GET', path: '/connectors', status: 200, handle: list },
  { method: 'POST', path: '/connectors', status: 201, handle: create },
  {
    method: 'GET',
    path: '/connectors/{connector}',
    status: 200,
    handle: async (call, { herder }) => ({
      body: connectorInfoBody(await herder.connector(connectorName(call))),
    }),
  },
  {
    method: 'DELETE',
    path: '/connectors/{connector}',
    status: 204,
    handle: (call, { herder }) => done(herder.delete(connectorName(call))),
  },
  {
    method: 'GET',
    path: '/connectors/{connector}/config',
    status: 200,
    handle: async (call, { herder }) => ({ body: await herder.config(connectorName(call)) }),
  },
  { method: 'PUT', path: '/connectors/{connector}/config', status: 200, handle: putConfig },
  {
    method: 'PATCH',
    path: '/connectors/{connector}/config',
    status: 200,
    handle: async (call, { herder }) => {
      const info = await herder.patchConfig(connectorName(call), readConfig(call.body));
      return { body: connectorInfoBody(info) };
    },
  },
  { method: 'GET', path: '/connectors/{connector}/status', status: 200, handle: status },
  {
    method: 'POST',
    path: '/connectors/{connector}/restart',
    status: 204,
    role: 'operate',
    handle: restart,
  },
  {
    method: 'PUT',
    path: '/connectors/{connector}/pause',
    status: 202,
    role: 'operate',
    handle: (call, { herder }) => done(herder.setTargetState(connectorName(call), 'PAUSED')),
  },
  {
    method: 'PUT',
    path: '/connectors/{connector}/resume',
    status: 202,
    role: 'operate',
    handle: (call, { herder }) => done(herder.setTargetState(connectorName(call), 'STARTED')),
  },
  {
    method: 'PUT',
    path: '/connectors/{connector}/stop',
    status: 204,
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
    names.map(async (name) => [name, await expanded(name, wanted, context.herder)] as const),
  );
  return { body: Object.fromEntries(entries.filter(([, value]) => value !== undefined)) };
}

interface Wanted {
  readonly status: boolean;
  readonly info: boolean;
  readonly connection: boolean;
}

/** Undefined when part of it is not known: deleted meanwhile, or without a status yet. Connect leaves those out too. */
async function expanded(name: string, wanted: Wanted, herder: Herder): Promise<object | undefined> {
  try {
    return {
      ...(wanted.info ? { info: connectorInfoBody(await herder.connector(name)) } : {}),
      ...(wanted.status ? { status: statusBody(await herder.status(name)) } : {}),
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

async function status(call: RestCall, { herder, statusConnection }: RestContext): Promise<Reply> {
  const name = connectorName(call);
  const body = statusBody(await herder.status(name));
  if (!statusConnection && !call.query.getAll('expand').includes('connection')) return { body };
  return { body: { ...body, connection: connectionsBody(await herder.connections(name)) } };
}

async function restart(call: RestCall, { herder }: RestContext): Promise<Reply> {
  const request = {
    includeTasks: queryFlag(call, 'includeTasks'),
    onlyFailed: queryFlag(call, 'onlyFailed'),
  };
  const planned = await herder.restart(connectorName(call), request);
  return planned === undefined ? {} : { status: 202, body: statusBody(planned) };
}
