import { type HoldUpLimits, holdUpLimits } from '@levada/connect-runtime-core/source-kit';
import { type Endpoint, parseEndpoint } from '../model/endpoints.ts';
import type { GrpcConfig } from './config.ts';

/** When a full queue holds the server up. Reading stops with the message that fills it, which may be of any size. */
export function queueLimits(config: GrpcConfig): HoldUpLimits {
  return holdUpLimits('grpc', config, {
    capacity: 0,
    capacityBytes: config['grpc.max.inbound.message.size'],
  });
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
