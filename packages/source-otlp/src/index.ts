export type { OtlpConfig } from './config/config.ts';
export type { OtlpOptions } from './config/gen/options.ts';
export { otlpSourceConnector } from './connector.ts';
export type { OtlpSource, OtlpSourceFactory } from './otlp-source.ts';
export { otlpSource } from './otlp-source.ts';
