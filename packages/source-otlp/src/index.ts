export type { OtlpConfig, OtlpOptions } from './config/config.ts';
export { otlpSourceConnector } from './connector.ts';
export type { OtlpSourceFactory } from './otlp-source.ts';
export { otlpSource } from './otlp-source.ts';
