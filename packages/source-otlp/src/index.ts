export type { OtlpConfig } from './config/config.ts';
export type {
  OtlpAuthOptions,
  OtlpCorsOptions,
  OtlpGrpcTlsOptions,
  OtlpHttpTlsOptions,
  OtlpOptions,
  OtlpPathsOptions,
  OtlpSpoolOptions,
  OtlpTlsOptions,
  OtlpTopicsOptions,
} from './config/gen/options.ts';
export { otlpSourceConnector } from './connector.ts';
export type { OtlpSource, OtlpSourceFactory } from './otlp-source.ts';
export { otlpSource } from './otlp-source.ts';
