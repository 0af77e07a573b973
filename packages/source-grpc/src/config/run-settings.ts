import type { ConfigKey, ReconnectPolicy } from '@levada/connect-runtime-core';
import { type Endpoint, parseEndpoint } from '../model/endpoints.ts';
import { type GrpcConfig, grpcConfig } from './config.ts';

/** Messages of a queue, and bytes of them together. */
export interface QueueBounds {
  readonly capacity: number;
  readonly capacityBytes: number;
}

/** Messages, and bytes of them, from which on the queue counts as full. */
export function queueLimits(config: GrpcConfig): QueueBounds {
  return {
    capacity: config['grpc.message.queue.size'],
    capacityBytes: config['grpc.message.queue.bytes'],
  };
}

/** Bounds of the queue. Under `block` the message that fills it may be of any size. */
export function queueBounds(config: GrpcConfig): QueueBounds {
  const { capacity, capacityBytes } = queueLimits(config);
  const blocks = config['grpc.queue.full.policy'] === 'block';
  const excess = blocks ? config['grpc.max.inbound.message.size'] : 0;
  return { capacity, capacityBytes: capacityBytes + excess };
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

/** The values that may have been changed since the task was started: those of keys whose change needs no new task. */
export function liveValues(config: GrpcConfig): Partial<GrpcConfig> {
  const rows: readonly ConfigKey[] = grpcConfig.keys;
  const names = rows.filter(({ update = 'restart' }) => update !== 'restart').map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, config[name as keyof GrpcConfig]]));
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
