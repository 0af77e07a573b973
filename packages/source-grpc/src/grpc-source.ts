import type { DescMessage, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import {
  ConnectorError,
  type RawConfig,
  type SourceFactory,
  type SourceHandle,
  sourceFactory,
} from '@levada/connect-runtime-core';
import type { OnInvalid, SourceOptions } from '@levada/connect-runtime-core/library';
import type { GrpcOptions } from './config/gen/options.ts';
import { grpcSourceConnector } from './connector.ts';
import { type GeneratedMethod, messageDecoder, methodOptions } from './generated-method.ts';
import type { grpcMetrics } from './model/metrics.ts';
import { GrpcTask } from './task.ts';
import { type GrpcTransport, isTransport } from './transport/transport.ts';

/** Options that follow from a method of generated code, or have no meaning with one. */
type FollowingOption = 'service' | 'descriptor' | 'reflection' | 'format' | 'deadLetterTopic';

const followingOptions: readonly FollowingOption[] = [
  'service',
  'descriptor',
  'reflection',
  'format',
  'deadLetterTopic',
];

/**
 * Options of a gRPC source whose method is one of generated code (`protoc-gen-es`), which says what the service is called, what
 * its messages look like, and which types they have.
 */
export interface GrpcMethodOptions<I extends DescMessage, O extends DescMessage>
  extends Omit<GrpcOptions, FollowingOption | 'method' | 'request'> {
  /**
   * The method, which must be server streaming.
   *
   * @example
   * ```ts
   * { method: PriceService.method.watch }
   * ```
   */
  readonly method: GeneratedMethod<I, O>;
  /**
   * The request, typed by the method: an object of the fields that are set, or a message.
   *
   * Default: a request without fields.
   *
   * @example
   * ```ts
   * { request: { symbols: ['ABC'] } }
   * ```
   */
  readonly request?: MessageInitShape<I> | undefined;
  /**
   * What happens to a message that is not one of the method's type: `throw` it out of the loop, `skip` it (it is counted, with an event),
   * or a function.
   *
   * @defaultValue `'throw'`
   * @example
   * ```ts
   * { onInvalid: 'skip' }
   * ```
   */
  readonly onInvalid?: OnInvalid | undefined;
}

/** What a gRPC source takes beside the options of its configuration. */
export interface GrpcTransportOptions {
  /**
   * How the server is called, when not over `node:http2`: with `grpcJs()` of `@levada/source-grpc/grpc-js` for the load balancing,
   * service configuration, interceptors or xDS of `@grpc/grpc-js`.
   *
   * Default: `node:http2`.
   *
   * @example
   * ```ts
   * { transport: grpcJs({ 'grpc.service_config': serviceConfig }) }
   * ```
   */
  readonly transport?: GrpcTransport | undefined;
}

/** Options of every source, and how the server is called. */
type GrpcSourceOptions = SourceOptions & GrpcTransportOptions;

/** A gRPC source. `V` is the type of its values; `status()` has the attributes of gRPC sources. */
export type GrpcSource<V = unknown> = SourceHandle<V, typeof grpcMetrics>;

/** See {@link grpcSource}. */
export interface GrpcSourceFactory {
  /**
   * A source of messages as JSON text, or as bytes. Throws one `config_invalid` ConnectorError that lists every problem, unknown
   * options with the nearest known one.
   */
  (options: GrpcOptions & GrpcSourceOptions): GrpcSource;
  /** A source of decoded messages, typed by a method of generated code. */
  <I extends DescMessage, O extends DescMessage>(
    options: GrpcMethodOptions<I, O> & GrpcSourceOptions,
  ): GrpcSource<MessageShape<O>>;
  /** A source from the configuration that REST takes. Throws the same error. */
  fromConfig(rawConfig: RawConfig, options?: GrpcSourceOptions): GrpcSource;
}

type Factory = SourceFactory<GrpcOptions, typeof grpcMetrics>;

/** Makes sources whose server is called so. */
function factoryOver(transport: GrpcTransport | undefined): Factory {
  if (transport === undefined) return sourceFactory(grpcSourceConnector);
  if (!isTransport(transport)) {
    const message = 'transport must be one of grpcJs() of @levada/source-grpc/grpc-js';
    throw new ConnectorError('config_invalid', message, { issues: [{ key: 'transport', message }] });
  }
  return sourceFactory({ ...grpcSourceConnector, createTask: () => new GrpcTask(transport) });
}

/**
 * Streams a gRPC method in a service, without a worker: `for await (const record of grpcSource({ host, port, ... }))`.
 * With a method of generated code, `method: PriceService.method.watch`, values are decoded messages; with names and a descriptor
 * they are JSON text. `grpcSource.fromConfig` takes the keys of REST. Nothing is opened before it is iterated.
 */
export const grpcSource: GrpcSourceFactory = Object.assign(
  (all: (GrpcOptions | GrpcMethodOptions<DescMessage, DescMessage>) & GrpcSourceOptions) => {
    // Refused by the factory, in one place.
    if (typeof all !== 'object' || all === null) return factoryOver(undefined)(all);
    const { transport, ...options } = all;
    const factory = factoryOver(transport);
    return isTyped(options) ? typedSource(options, factory) : factory(options);
  },
  {
    fromConfig: (rawConfig: RawConfig, { transport, ...options }: GrpcSourceOptions = {}) =>
      factoryOver(transport).fromConfig(rawConfig, options),
  },
);

type Typed = GrpcMethodOptions<DescMessage, DescMessage> & SourceOptions;

function isTyped(options: (GrpcOptions & SourceOptions) | Typed): options is Typed {
  const { method } = options;
  return typeof method === 'object' && method !== null && method.kind === 'rpc';
}

// biome-ignore lint/suspicious/noExplicitAny: the overloads of the factory say what the values are
function typedSource(options: Typed, factory: Factory): GrpcSource<any> {
  const { method, request, onInvalid, ...others } = options;
  const doubled = followingOptions.filter((name) => isGiven(others, name));
  if (doubled.length > 0) throw followsFromMethod(doubled);
  const source = factory({ ...others, ...methodOptions(method, request) });
  return source.decode(messageDecoder(method.output), { onInvalid });
}

/** `undefined` is as good as left out, as with all options. */
function isGiven(options: object, name: FollowingOption): boolean {
  return Object.entries(options).some(([key, value]) => key === name && value !== undefined);
}

function followsFromMethod(names: readonly string[]): ConnectorError {
  const issues = names.map((key) => ({
    key,
    message: `${key} is not an option together with a method of generated code`,
  }));
  return new ConnectorError('config_invalid', issues.map(({ message }) => message).join('\n'), { issues });
}
