import { contentTypes, type TextFormat } from '../telemetry/prometheus-text.ts';
import type { Shard } from '../telemetry/shown-connectors.ts';
import { mediaWeight } from './message/content-type.ts';
import { RestError } from './message/rest-error.ts';
import type { Reply, RestCall, RestContext, Route } from './route.ts';

/** `GET /metrics` in the formats of Prometheus and OpenMetrics; `?connector=`, `?family=` and `?shard=` select; the first two may be repeated. */
export const metricsRoute: Route = {
  method: 'GET',
  path: '/metrics',
  status: 200,
  doc: {
    id: 'getPrometheusMetrics',
    summary: 'Show metrics as Prometheus text or OpenMetrics',
    answer: 'Message',
    query: {
      connector: 'A connector to show; may be repeated. Default: all, and the worker.',
      family: 'A series to show, or its beginning followed by `*`; may be repeated. Default: all.',
      shard: 'One part of the connectors, such as `1/4` to `4/4`. The first has the worker, too.',
    },
    errors: { 400: '`shard` is not two whole numbers such as `1/4`, the first from 1 to the second.' },
  },
  admin: true,
  produces: ['text/plain', 'application/openmetrics-text'],
  handle: metrics,
};

function metrics({ query, headers }: RestCall, { exposition }: RestContext): Reply {
  const format = wantedFormat(headers.get('accept'));
  return {
    contentType: contentTypes[format],
    stream: exposition({
      format,
      connectors: new Set(query.getAll('connector')),
      families: query.getAll('family'),
      shard: shardOf(query.get('shard')),
    }),
  };
}

const MAX_SHARDS = 1000;

function shardOf(text: string | null): Shard | undefined {
  if (text === null) return undefined;
  const [, at, of] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const shard = { at: Number(at), of: Number(of) };
  if (shard.at >= 1 && shard.at <= shard.of && shard.of <= MAX_SHARDS) return shard;
  throw new RestError(
    400,
    `shard is not a number of a text and how many there are, such as 1/4, at most ${MAX_SHARDS}`,
  );
}

/** OpenMetrics for those who name it, unless they like the other one better. */
function wantedFormat(accept: string | undefined): TextFormat {
  const openMetrics = mediaWeight(accept, 'application/openmetrics-text') ?? 0;
  const plain = mediaWeight(accept, 'text/plain') ?? 0;
  return openMetrics > 0 && openMetrics >= plain ? 'openmetrics' : 'prometheus';
}
