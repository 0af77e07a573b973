export type { GrpcConfig, GrpcOptions } from './config.ts';
