import { type SourceConnector, type SourceFactory, sourceFactory } from '@levada/connect-runtime-core';
import { webSocketConfig } from './config/config.ts';
import { checkedValues } from './config/config-checks.ts';
import type { WebSocketOptions } from './config/gen/options.ts';
import { webSocketEvents } from './connection/events.ts';
import { webSocketMetrics, webSocketObjectName } from './connection/metrics.ts';
import { WebSocketTask } from './task.ts';

/** Reads one WebSocket endpoint into one topic, at most once and never twice. One task; no offsets, because servers keep no history. */
export const webSocketSourceConnector: SourceConnector<typeof webSocketConfig.keys, typeof webSocketMetrics> =
  {
    className: 'io.vendor.connect.websocket.WebSocketSourceConnector',
    aliases: ['io.conduktor.connect.websocket.WebSocketSourceConnector'],
    version: '0.1.0',
    config: webSocketConfig,
    metrics: webSocketMetrics,
    events: webSocketEvents,
    maxTasks: 1,
    objectName: (name, raw) => webSocketObjectName(name, raw['websocket.url'] ?? ''),
    validate: checkedValues,
    // Whether a server sends text, binary messages or both is not known.
    produces: (config) => ({
      key: [],
      value: [config['websocket.binary.mode'] === 'bytes' ? 'bytes' : 'string'],
      header: [],
    }),
    exactlyOnceSupport: () => ({
      unsupported: 'the server of a WebSocket cannot be asked for messages again that were sent before',
    }),
    taskConfigs: (raw) => [raw],
    createTask: () => new WebSocketTask(),
  };

/**
 * A WebSocket source for a service: `for await (const record of websocketSource({ url, topic }))`.
 * `websocketSource.fromConfig` takes the keys of REST. Nothing is opened before it is iterated.
 */
export const websocketSource: SourceFactory<WebSocketOptions, typeof webSocketMetrics> =
  sourceFactory(webSocketSourceConnector);
