export type { GrpcConfig } from './config/config.ts';
export type {
  GrpcJsonOptions,
  GrpcKeepaliveOptions,
  GrpcOauth2Options,
  GrpcOptions,
  GrpcProxyOptions,
  GrpcReconnectOptions,
  GrpcResumeOptions,
  GrpcTlsOptions,
} from './config/gen/options.ts';
export { grpcSourceConnector } from './connector.ts';
export type { GeneratedMethod } from './generated-method.ts';
export type {
  GrpcMethodOptions,
  GrpcSource,
  GrpcSourceFactory,
  GrpcTransportOptions,
} from './grpc-source.ts';
export { grpcSource } from './grpc-source.ts';
export type { GrpcTransport } from './transport/transport.ts';
