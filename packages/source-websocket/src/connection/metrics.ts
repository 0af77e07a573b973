import type { MetricTable, TaskContext } from '@levada/connect-runtime-core';
import type { MetricObjectName } from '@levada/connect-runtime-core/contract';
import { connectionMetrics, holdUpMetrics, sourceMetrics } from '@levada/connect-runtime-core/source-kit';
import { endpointName } from '../config/redact-url.ts';
import { sessionMetrics } from '../session/session-events.ts';

/** Attributes of a WebSocket connector. */
export const webSocketMetrics = {
  ...sourceMetrics,
  ...connectionMetrics,
  ...holdUpMetrics,
  ...sessionMetrics,
} as const satisfies MetricTable;

export type WebSocketContext = TaskContext<typeof webSocketMetrics>;

/** Longest endpoint in an object name. */
const MAX_LENGTH = 50;

/** The object that carries the attributes: connector name and endpoint, without scheme, user info and query. */
export function webSocketObjectName(name: string, url: string): MetricObjectName {
  const endpoint = endpointName(url)
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .slice(0, MAX_LENGTH);
  return { domain: 'io.vendor.connect.websocket', type: 'WebSocketConnector', keys: { name, url: endpoint } };
}
