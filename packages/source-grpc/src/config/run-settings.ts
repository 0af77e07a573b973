import type { HoldUpLimits } from '@levada/connect-runtime-core/source-kit';
import { type Endpoint, parseEndpoint } from '../model/endpoints.ts';
import type { GrpcConfig } from './config.ts';

/** When a full queue holds the server up. Reading stops with the message that fills it, which may be of any size. */
export function holdUpLimits(config: GrpcConfig): HoldUpLimits {
  const blocks = config['grpc.queue.full.policy'] === 'block';
  return {
    full: {
      capacity: config['grpc.message.queue.size'],
      capacityBytes: config['grpc.message.queue.bytes'],
    },
    excess: { capacity: 0, capacityBytes: config['grpc.max.inbound.message.size'] },
    graceMs: blocks ? Number.POSITIVE_INFINITY : config['grpc.queue.full.grace.ms'],
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
