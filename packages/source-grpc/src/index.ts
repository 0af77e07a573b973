import { type SourceFactory, sourceFactory } from '@levada/connect-runtime-core';
import type { GrpcOptions } from './config/gen/options.ts';
import { grpcSourceConnector } from './connector.ts';

export type { GrpcConfig } from './config/config.ts';
export type { GrpcOptions } from './config/gen/options.ts';
export { grpcSourceConnector } from './connector.ts';

/**
 * Streams a gRPC method in a service, without a worker: `for await (const record of grpcSource({ host, port, ... }))`.
 * `grpcSource.fromConfig` takes the keys of REST. Nothing is opened before it is iterated.
 */
export const grpcSource: SourceFactory<GrpcOptions> = sourceFactory(grpcSourceConnector);
