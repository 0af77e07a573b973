export type { GrpcConfig, GrpcOptions } from './config/config.ts';
export { grpcSourceConnector } from './connector.ts';
export { grpcSource } from './grpc-source.ts';
