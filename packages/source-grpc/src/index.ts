import { type SourceFactory, sourceFactory } from '@levada/connect-runtime-core';
import type { grpcConfig } from './config/config.ts';
import { grpcSourceConnector } from './connector.ts';

export type { GrpcConfig, GrpcOptions } from './config/config.ts';
export { grpcSourceConnector } from './connector.ts';

/** Streams a gRPC method in a service, without a worker: options in camel case, or `grpcSource.fromConfig` with the keys of REST. */
export const grpcSource: SourceFactory<typeof grpcConfig.keys> = sourceFactory(grpcSourceConnector);
