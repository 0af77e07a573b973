import type { BoundedQueueOptions, ReconnectPolicy } from '@levada/connect-runtime-core';
import type { GrpcConfig } from './config.ts';
import { parseEndpoint } from './endpoints.ts';
import type { Endpoint } from './transport/channel.ts';

/**
 * With the `block` policy: what was already read when reading is paused. At most one chunk, in which a message takes five
 * bytes of framing or more.
 */
const CHUNK_BYTES = 64 * 1024;
const CHUNK_MESSAGES = Math.ceil(CHUNK_BYTES / 5);

/** Messages, and bytes of them, from which on the queue counts as full. */
export function queueLimits(config: GrpcConfig): Required<BoundedQueueOptions> {
  return {
    capacity: config['grpc.message.queue.size'],
    capacityBytes: config['grpc.message.queue.bytes'],
  };
}

/** Bounds of the queue. Under `block` it takes what was on its way when reading was paused, beyond what was configured. */
export function queueBounds(config: GrpcConfig): Required<BoundedQueueOptions> {
  const { capacity, capacityBytes } = queueLimits(config);
  if (config['grpc.queue.full.policy'] === 'drop_newest') return { capacity, capacityBytes };
  return {
    capacity: capacity + CHUNK_MESSAGES,
    capacityBytes: capacityBytes + config['grpc.max.inbound.message.size'] + CHUNK_BYTES,
  };
}

/** When and how often to connect again. */
export function reconnectPolicy(config: GrpcConfig): ReconnectPolicy {
  return {
    enabled: config['grpc.reconnect.enabled'],
    intervalMs: config['grpc.reconnect.interval.ms'],
    maxMs: config['grpc.reconnect.backoff.max.ms'],
    maxAttempts: config['grpc.reconnect.max.attempts'],
  };
}

/** The values that may have been changed since the task was started. */
export function liveValues(config: GrpcConfig) {
  return {
    'platform.topic': config['platform.topic'],
    'grpc.reconnect.interval.ms': config['grpc.reconnect.interval.ms'],
    'grpc.reconnect.max.attempts': config['grpc.reconnect.max.attempts'],
    'grpc.message.queue.size': config['grpc.message.queue.size'],
  };
}

/** The servers in the order in which they are tried. */
export function endpointsOf(config: GrpcConfig): readonly Endpoint[] {
  const first = {
    host: config['grpc.server.host'].replace(/^\[|\]$/g, ''),
    port: config['grpc.server.port'],
  };
  const further = config['grpc.server.endpoints'].map(parseEndpoint).filter((one) => one !== undefined);
  return [first, ...further];
}
