import { type Endpoint, parseEndpoint } from '../model/endpoints.ts';
import type { GrpcConfig } from './config.ts';

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

/** The servers in the order in which they are tried. */
export function endpointsOf(config: GrpcConfig): readonly Endpoint[] {
  const first = {
    host: config['grpc.server.host'].replace(/^\[|\]$/g, ''),
    port: config['grpc.server.port'],
  };
  const further = config['grpc.server.endpoints'].map(parseEndpoint).filter((one) => one !== undefined);
  return [first, ...further];
}
