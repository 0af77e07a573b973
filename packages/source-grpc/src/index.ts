export type { GrpcConfig, GrpcOptions } from './config.ts';
export { grpcSourceConnector } from './connector.ts';
export { grpcSource } from './grpc-source.ts';
