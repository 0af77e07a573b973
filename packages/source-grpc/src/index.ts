export type { GrpcConfig } from './config/config.ts';
export type { GrpcOptions } from './config/gen/options.ts';
export { grpcSourceConnector } from './connector.ts';
export type { GrpcMethodOptions, GrpcSource, GrpcSourceFactory } from './grpc-source.ts';
export { grpcSource } from './grpc-source.ts';
