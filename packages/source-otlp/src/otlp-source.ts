import {
  type RawConfig,
  type SourceFactory,
  type SourceHandle,
  sourceFactory,
} from '@levada/connect-runtime-core';
import type { SourceOptions } from '@levada/connect-runtime-core/library';
import type { OtlpOptions } from './config/gen/options.ts';
import { otlpSourceConnector } from './connector.ts';
import type { otlpMetrics } from './model/metrics.ts';

/** An OTLP receiver; `status()` has its attributes, and it emits `dropped`. */
export type OtlpSource = SourceHandle<unknown, typeof otlpMetrics, 'dropped'>;

/** See {@link otlpSource}. */
export interface OtlpSourceFactory {
  /** A source from typed options. A port of 0 is chosen by the operating system; `status().GrpcPort` and `.HttpPort` contain it. */
  (options?: OtlpOptions & SourceOptions): OtlpSource;
  /** A source from the configuration that REST takes. */
  fromConfig(rawConfig: RawConfig, options?: SourceOptions): OtlpSource;
}

const factory: SourceFactory<OtlpOptions, typeof otlpMetrics, 'dropped'> = sourceFactory(otlpSourceConnector);

/**
 * Receives OTLP in a service, without a worker: options in camel case, or `otlpSource.fromConfig` with the keys of REST. Listens on
 * localhost unless an address is given; a worker listens on all interfaces. Throws one `config_invalid` ConnectorError that lists every problem.
 */
export const otlpSource: OtlpSourceFactory = Object.assign(
  (options: OtlpOptions & SourceOptions = {}) => factory(withAnyPorts(options)),
  { fromConfig: (rawConfig: RawConfig, options?: SourceOptions) => factory.fromConfig(rawConfig, options) },
);

/** REST takes no port 0; it has a key for what that means. */
function withAnyPorts(options: OtlpOptions & SourceOptions): OtlpOptions & SourceOptions {
  // Refused by the factory, in one place.
  if (typeof options !== 'object' || options === null) return options;
  const { grpcPort, httpPort, ...rest } = options;
  const anyPort: ('grpc' | 'http')[] = [
    ...(grpcPort === 0 ? (['grpc'] as const) : []),
    ...(httpPort === 0 ? (['http'] as const) : []),
  ];
  return {
    ...rest,
    ...(grpcPort === undefined || grpcPort === 0 ? {} : { grpcPort }),
    ...(httpPort === undefined || httpPort === 0 ? {} : { httpPort }),
    ...(anyPort.length === 0 ? {} : { anyPort }),
  };
}
