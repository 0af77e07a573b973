export type { GrpcConfig } from './config/config.ts';
export type { GrpcOptions } from './config/gen/options.ts';
export { grpcSourceConnector } from './connector.ts';
export type {
  GrpcMethodOptions,
  GrpcSource,
  GrpcSourceFactory,
  GrpcTransportOptions,
} from './grpc-source.ts';
export { grpcSource } from './grpc-source.ts';
export type { GrpcTransport } from './transport/transport.ts';
