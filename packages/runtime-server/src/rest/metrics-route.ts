import { contentTypes, type TextFormat } from '../telemetry/prometheus-text.ts';
import { mediaWeight } from './message/content-type.ts';
import type { Reply, RestCall, RestContext, Route } from './route.ts';

/** `GET /metrics` in the formats of Prometheus and OpenMetrics; `?connector=` and `?family=` select, and may be repeated. */
export const metricsRoute: Route = {
  method: 'GET',
  path: '/metrics',
  status: 200,
  doc: {
    id: 'getPrometheusMetrics',
    summary: 'Show metrics as Prometheus text or OpenMetrics',
    answer: 'Message',
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
    }),
  };
}

/** OpenMetrics for those who name it, unless they like the other one better. */
function wantedFormat(accept: string | undefined): TextFormat {
  const openMetrics = mediaWeight(accept, 'application/openmetrics-text') ?? 0;
  const plain = mediaWeight(accept, 'text/plain') ?? 0;
  return openMetrics > 0 && openMetrics >= plain ? 'openmetrics' : 'prometheus';
}
