import { configDef, type ParsedConfig } from '@levada/connect-runtime-core';
import { proxyKeys, reconnectKeys } from '@levada/connect-runtime-core/source-kit';
import { authenticationKeys } from './authentication-keys.ts';
import { connectionKeys, endKeys } from './connection-keys.ts';
import { endpointKeys } from './endpoint-keys.ts';
import { outputKeys } from './output-keys.ts';
import { queueKeys } from './queue-keys.ts';
import { requestKeys, resumeKeys } from './request-keys.ts';
import { tlsKeys } from './tls-keys.ts';

/** The keys of a gRPC connector, in the order of documentation. */
export const grpcConfig = configDef([
  ...endpointKeys,
  ...requestKeys,
  ...tlsKeys,
  ...authenticationKeys,
  ...reconnectKeys('grpc', { backoffMaxUpdate: 'restart' }),
  ...endKeys,
  ...queueKeys,
  ...connectionKeys,
  ...outputKeys,
  ...resumeKeys,
  ...proxyKeys('grpc'),
]);

type Rows = typeof grpcConfig.keys;

/** Parsed configuration of a gRPC connector. */
export type GrpcConfig = ParsedConfig<Rows>;
