import type { MetricObjectName } from '@levada/connect-runtime-core/contract';
import { isWhollyAway, type PlatformHealth } from '@levada/connect-runtime-core/platform';
import { metricsRoute } from './metrics-route.ts';
import { connectorName, type Reply, type RestCall, type RestContext, type Route } from './route.ts';

/** The worker itself: identity, health, metrics. */
export const workerRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/',
    status: 200,
    doc: { id: 'getServerInfo', summary: 'Identify the worker and its cluster', answer: 'ServerInfo' },
    handle: async (_call, { serverInfo }) => {
      const { version, commit, clusterId } = await serverInfo();
      return { body: { version, commit, platform_cluster_id: clusterId, kafka_cluster_id: clusterId } };
    },
  },
  {
    method: 'GET',
    path: '/health',
    status: 200,
    doc: {
      id: 'getHealth',
      summary: 'Show whether the worker is ready',
      query: {
        expand: '`group`: also what keeps the workers of the group from working together, as a list.',
      },
      answer: 'Health',
      failure: [500, 503],
    },
    admin: true,
    timeoutMs: 10_000,
    handle: expandedHealth,
  },
  {
    method: 'GET',
    path: '/health/live',
    status: 200,
    doc: { id: 'getLiveness', summary: 'Show that the process answers', answer: 'Health' },
    admin: true,
    anonymous: true,
    // Its log may be away: a new process would have lost what is queued, and could not reach the log either.
    handle: () => ({ body: { status: 'healthy', message: 'The worker answers requests.' } }),
  },
  {
    method: 'GET',
    path: '/health/ready',
    status: 200,
    doc: {
      id: 'getReadiness',
      summary: 'Show whether the worker is ready, without reasons',
      answer: 'Health',
      failure: [500, 503],
    },
    admin: true,
    anonymous: true,
    timeoutMs: 10_000,
    handle: readiness,
  },
  {
    method: 'GET',
    path: '/workers',
    status: 200,
    doc: {
      id: 'listWorkers',
      summary: 'List the workers of the group by their ids',
      answer: 'Workers',
      errors: { 409: 'The group of workers rebalances: try again.' },
    },
    handle: async (_call, { herder }) => ({ body: { workers: await herder.workers() } }),
  },
  metricsRoute,
  {
    method: 'GET',
    path: '/admin/metrics',
    status: 200,
    doc: { id: 'getMetrics', summary: 'Show metrics of all connectors by attribute name', answer: 'Metrics' },
    admin: true,
    handle: async (_call, context) => {
      const objects = await Promise.all(
        (await context.herder.connectors()).map((name) => metricsOf(name, context)),
      );
      return { body: Object.assign(Object.create(null), ...objects) };
    },
  },
  {
    method: 'GET',
    path: '/connectors/{connector}/metrics',
    status: 200,
    doc: {
      id: 'getConnectorMetrics',
      summary: 'Show metrics of a connector by attribute name',
      answer: 'Metrics',
      errors: { 404: 'There is no such connector.' },
    },
    handle: connectorMetrics,
  },
];

async function connectorMetrics(call: RestCall, context: RestContext): Promise<Reply> {
  return { body: await metricsOf(connectorName(call), context) };
}

async function metricsOf(name: string, { herder }: RestContext): Promise<object> {
  const { objectName, group } = await herder.metrics(name);
  return Object.fromEntries([[metricObjectText(objectName), group.snapshot()]]);
}

function expandedHealth(call: RestCall, context: RestContext): Reply {
  const { body, ...reply } = health(call, context);
  if (!call.query.getAll('expand').includes('group')) return { ...reply, body };
  return {
    ...reply,
    body: { ...(body as object), group: context.groupFindings().map((text) => ({ text })) },
  };
}

/** Connect's shapes: not the error body. A log that is away makes a healthy herder unhealthy. */
function health(_call: RestCall, { herder, platformHealth, groupFindings }: RestContext): Reply {
  const worker = herder.health();
  const platform = platformHealth();
  const trouble = platform.status === 'ok' ? '' : ` ${logTrouble(platform)}`;
  if (worker.status === 'starting') {
    const message = `Worker is still starting up. ${stage(worker)}${trouble}`;
    return { status: 503, body: { status: 'starting', message } };
  }
  if (worker.status === 'unhealthy' || isWhollyAway(platform)) {
    const what = worker.status === 'unhealthy' ? ` ${stage(worker)}` : '';
    const message = `Worker was unable to handle this request and may be unable to handle other requests.${what}${trouble}`;
    return { status: 500, body: { status: 'unhealthy', message } };
  }
  const message = `Worker has completed startup and is ready to handle requests.${trouble}${groupTrouble(groupFindings())}`;
  return { body: { status: 'healthy', message } };
}

/** The worker itself is healthy: another process in its place would find the same. */
function groupTrouble(findings: readonly string[]): string {
  return findings.length === 0 ? '' : ` The workers of the group do not fit together: ${findings.join('; ')}`;
}

/** As {@link health}; reasons name hosts and topics, and anyone may ask. */
function readiness(call: RestCall, context: RestContext): Reply {
  const { status = 200, body } = health(call, context);
  const message = status === 200 ? 'The worker is ready.' : 'The worker is not ready: see /health.';
  return { status, body: { ...(body as object), message } };
}

/** Connect's words for what the worker is doing. */
export function stage(at: { readonly stage: string; readonly since: number }): string {
  return `The worker is currently ${at.stage}, which began at ${new Date(at.since).toISOString()}.`;
}

function logTrouble({ status, reason, since, isPartial }: Exclude<PlatformHealth, { status: 'ok' }>): string {
  const what = isPartial === true ? 'Part of the log' : 'The log';
  return `${what} is ${status} since ${new Date(since).toISOString()}: ${reason}`;
}

/**
 * An object name as JMX writes it: `<domain>:type=<type>,<key>=<value>,...`. As in Kafka, a value is quoted only when it
 * holds something else than letters, digits, `_`, `-`, `%`, `.`, blanks and tabs.
 */
export function metricObjectText(name: MetricObjectName): string {
  const keys = [['type', name.type], ...Object.entries(name.keys)] as const;
  return `${name.domain}:${keys.map(([key, value]) => `${key}=${quoted(value)}`).join(',')}`;
}

function quoted(value: string): string {
  if (/^[\w\-%. \t]*$/.test(value)) return value;
  const escaped = value.replace(/[\\"*?]/g, (char) => `\\${char}`).replaceAll('\n', '\\n');
  return `"${escaped}"`;
}
