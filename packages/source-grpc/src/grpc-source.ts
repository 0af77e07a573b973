import type { DescMessage, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import {
  ConnectorError,
  type OnInvalid,
  type RawConfig,
  type SourceFactory,
  type SourceHandle,
  type SourceOptions,
  sourceFactory,
} from '@levada/connect-runtime-core';
import type { GrpcOptions } from './config/gen/options.ts';
import { grpcSourceConnector } from './connector.ts';
import { type GeneratedMethod, messageDecoder, methodOptions } from './generated-method.ts';
import type { grpcMetrics } from './model/metrics.ts';

/** Options that follow from a method of generated code, or have no meaning with one. */
const followingOptions = ['service', 'descriptor', 'reflection', 'format', 'deadLetterTopic'] as const;

/**
 * Options of a gRPC source whose method is one of generated code (`protoc-gen-es`), which says what the service is called, what
 * its messages look like, and which types they have.
 */
export interface GrpcMethodOptions<I extends DescMessage, O extends DescMessage>
  extends Omit<GrpcOptions, (typeof followingOptions)[number] | 'method' | 'request'> {
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

/** A gRPC source. `V` is the type of its values; `status()` has the attributes of gRPC sources. */
export type GrpcSource<V = unknown> = SourceHandle<V, typeof grpcMetrics>;

/** See {@link grpcSource}. */
export interface GrpcSourceFactory {
  /**
   * A source of messages as JSON text, or as bytes. Throws one `config_invalid` ConnectorError that lists every problem, unknown
   * options with the nearest known one.
   */
  (options: GrpcOptions & SourceOptions): GrpcSource;
  /** A source of decoded messages, typed by a method of generated code. */
  <I extends DescMessage, O extends DescMessage>(
    options: GrpcMethodOptions<I, O> & SourceOptions,
  ): GrpcSource<MessageShape<O>>;
  /** A source from the configuration that REST takes. Throws the same error. */
  fromConfig(rawConfig: RawConfig, options?: SourceOptions): GrpcSource;
}

const factory: SourceFactory<GrpcOptions, typeof grpcMetrics> = sourceFactory(grpcSourceConnector);

/**
 * Streams a gRPC method in a service, without a worker: `for await (const record of grpcSource({ host, port, ... }))`.
 * With a method of generated code, `method: PriceService.method.watch`, values are decoded messages; with names and a descriptor
 * they are JSON text. `grpcSource.fromConfig` takes the keys of REST. Nothing is opened before it is iterated.
 */
export const grpcSource: GrpcSourceFactory = Object.assign(
  (options: (GrpcOptions | GrpcMethodOptions<DescMessage, DescMessage>) & SourceOptions) =>
    isTyped(options) ? typedSource(options) : factory(options),
  { fromConfig: (rawConfig: RawConfig, options?: SourceOptions) => factory.fromConfig(rawConfig, options) },
);

type Typed = GrpcMethodOptions<DescMessage, DescMessage> & SourceOptions;

function isTyped(options: (GrpcOptions & SourceOptions) | Typed): options is Typed {
  // Callers without types may leave the options out.
  return typeof options?.method === 'object' && options.method !== null;
}

// biome-ignore lint/suspicious/noExplicitAny: the overloads of the factory say what the values are
function typedSource(options: Typed): GrpcSource<any> {
  const { method, request, onInvalid, ...others } = options;
  const doubled = followingOptions.filter((name) => Object.hasOwn(others, name));
  if (doubled.length > 0) throw followsFromMethod(doubled);
  const source = factory({ ...others, ...methodOptions(method, request) });
  return { ...source, ...source.decode(messageDecoder(method.output), { onInvalid }) };
}

function followsFromMethod(names: readonly string[]): ConnectorError {
  const issues = names.map((key) => ({
    key,
    message: `${key} is not an option together with a method of generated code`,
  }));
  return new ConnectorError('config_invalid', issues.map(({ message }) => message).join('\n'), { issues });
}
