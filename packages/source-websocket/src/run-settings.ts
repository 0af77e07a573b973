import type { BoundedQueueOptions, ReconnectPolicy } from '@levada/connect-runtime-core/source-kit';
import type { WebSocketConfig } from './config.ts';

/**
 * With the `block` policy: what the connection has already read when it is told to pause. At most one chunk of 64 KiB, in
 * which a message takes two bytes or more.
 */
const CHUNK_BYTES = 64 * 1024;
const CHUNK_MESSAGES = CHUNK_BYTES / 2;

/** Bounds of the queue. Under `block` it takes what was on its way when reading was paused, beyond what was configured. */
export function queueBounds(config: WebSocketConfig): BoundedQueueOptions {
  const capacity = config['websocket.message.queue.size'];
  const capacityBytes = config['websocket.message.queue.bytes'];
  if (config['websocket.queue.full.policy'] === 'drop_newest') return { capacity, capacityBytes };
  const chunk = config['websocket.max.message.size'] + CHUNK_BYTES;
  return { capacity: capacity + CHUNK_MESSAGES, capacityBytes: capacityBytes + chunk };
}

/** When and how often to connect again. */
export function reconnectPolicy(config: WebSocketConfig): ReconnectPolicy {
  return {
    enabled: config['websocket.reconnect.enabled'],
    intervalMs: config['websocket.reconnect.interval.ms'],
    maxMs: config['websocket.reconnect.backoff.max.ms'],
    maxAttempts: config['websocket.reconnect.max.attempts'],
  };
}

/** The values that may have been changed since the task was started. */
export function liveValues(config: WebSocketConfig) {
  return {
    'platform.topic': config['platform.topic'],
    'websocket.reconnect.interval.ms': config['websocket.reconnect.interval.ms'],
    'websocket.reconnect.max.attempts': config['websocket.reconnect.max.attempts'],
    'websocket.reconnect.backoff.max.ms': config['websocket.reconnect.backoff.max.ms'],
  };
}
