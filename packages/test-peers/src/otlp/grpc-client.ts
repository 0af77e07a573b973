import { BinaryReader } from '@bufbuild/protobuf/wire';
import {
  type CallOptions,
  type ChannelCredentials,
  type ChannelOptions,
  Client,
  credentials,
  Metadata,
  type ServiceError,
} from '@grpc/grpc-js';
import { onTestFinished } from 'vitest';

const services = {
  traces: 'trace.v1.TraceService',
  metrics: 'metrics.v1.MetricsService',
  logs: 'logs.v1.LogsService',
  profiles: 'profiles.v1development.ProfilesService',
} as const;

/** How a call ended. */
export interface CallResult {
  readonly code: number;
  readonly details: string;
  readonly trailers: Metadata;
  /** The answer; undefined when there was none. */
  readonly answer: Buffer | undefined;
}

/** A client that sends prebuilt bytes, as the official JavaScript one does. */
export interface GrpcClient {
  readonly raw: Client;
  export(
    signal: keyof typeof services,
    body: Uint8Array,
    options?: CallOptions & { metadata?: Metadata },
  ): Promise<CallResult>;
  unary(path: string, body: Uint8Array, options?: CallOptions & { metadata?: Metadata }): Promise<CallResult>;
}

const bytes = (value: Uint8Array): Buffer => Buffer.from(value);

/** Connects to a port of this machine; the client is closed when the test is over. */
export function grpcClient(
  port: number,
  {
    channel = {},
    tls = credentials.createInsecure(),
  }: { channel?: ChannelOptions; tls?: ChannelCredentials } = {},
): GrpcClient {
  const raw = new Client(`127.0.0.1:${port}`, tls, {
    'grpc.enable_http_proxy': 0,
    'grpc.use_local_subchannel_pool': 1,
    'grpc.enable_retries': 0,
    ...channel,
  });
  onTestFinished(() => raw.close());
  const unary: GrpcClient['unary'] = (path, body, { metadata = new Metadata(), ...options } = {}) =>
    new Promise((resolve) => {
      let trailers = new Metadata();
      const done = (error: ServiceError | null, answer?: Buffer): void =>
        resolve({
          code: error?.code ?? 0,
          details: error?.details ?? '',
          trailers: error?.metadata ?? trailers,
          answer,
        });
      const call = raw.makeUnaryRequest(path, bytes, bytes, body, metadata, options, done);
      call.on('status', (status) => {
        trailers = status.metadata;
      });
    });
  return {
    raw,
    unary,
    export: (signal, body, options) =>
      unary(`/opentelemetry.proto.collector.${services[signal]}/Export`, body, options),
  };
}

/** Seconds of google.rpc.RetryInfo in a google.rpc.Status; throws unless that is the one detail of it. */
export function retryDelay(status: Uint8Array): number {
  const any = bytesOf(status, 3);
  const type = Buffer.from(bytesOf(any, 1)).toString();
  if (type !== 'type.googleapis.com/google.rpc.RetryInfo') throw new Error(`detail of type "${type}"`);
  const duration = new BinaryReader(bytesOf(bytesOf(any, 2), 1));
  let seconds = 0;
  while (duration.pos < duration.len) {
    const [number] = duration.tag();
    seconds += number === 1 ? Number(duration.int64()) : duration.int32() / 1e9;
  }
  return seconds;
}

function bytesOf(message: Uint8Array, wanted: number): Uint8Array {
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [number, type] = reader.tag();
    if (number === wanted) return reader.bytes();
    reader.skip(type, number);
  }
  throw new Error(`field ${wanted} is missing`);
}
