import type { ChannelCredentials, ChannelOptions, Interceptor } from '@grpc/grpc-js';
import { ConnectorError } from '@levada/connect-runtime-core';
import type { GrpcTransport, Transport } from '../transport/transport.ts';
import { openGrpcJsChannel } from './grpc-js-channel.ts';
import { invalidTransport } from './invalid-transport.ts';

export type { GrpcTransport } from '../transport/transport.ts';

/** Options of a channel of grpc-js, such as `grpc.service_config`. They win over what follows from the source's options. */
export type GrpcJsOptions = ChannelOptions;

/** What a channel of grpc-js takes beside its options. */
export interface GrpcJsSettings {
  /**
   * What grpc-js resolves instead of the source's host and port, such as `xds:///prices` (with `@grpc/grpc-js-xds`) or
   * `dns:feed.example:443`. The option `proxy` has no effect then.
   */
  readonly target?: string | undefined;
  /** Credentials in place of those that follow from the option `tls`. */
  readonly credentials?: ChannelCredentials | undefined;
  /** Called for each call, that of reflection included, in this order. Messages are bytes there. */
  readonly interceptors?: readonly Interceptor[] | undefined;
}

/**
 * Makes calls with `@grpc/grpc-js` instead of `node:http2`: for its load balancing, service configuration, interceptors and xDS.
 * Throws `config_invalid` when `grpc.service_config` is no JSON text; what else grpc-js does not take ends the source with it.
 *
 * @example
 * ```ts
 * import { grpcJs } from "@levada/source-grpc/grpc-js";
 *
 * const serviceConfig = JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] });
 * grpcSource({ ...options, transport: grpcJs({ 'grpc.service_config': serviceConfig }) });
 * ```
 */
export function grpcJs(options: GrpcJsOptions = {}, settings: GrpcJsSettings = {}): GrpcTransport {
  checkServiceConfig(options['grpc.service_config']);
  const transport: Transport = {
    name: 'grpc-js',
    open: (channel) => openGrpcJsChannel(channel, options, settings),
  };
  return transport;
}

function checkServiceConfig(text: string | undefined): void {
  if (text === undefined) return;
  try {
    JSON.parse(text);
  } catch (thrown) {
    const { message } = ConnectorError.from(thrown);
    throw invalidTransport(new Error(`grpc.service_config must be JSON text: ${message}`, { cause: thrown }));
  }
}
