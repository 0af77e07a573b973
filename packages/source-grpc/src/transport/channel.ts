import type { SecureContextOptions } from 'node:tls';
import type { Clock } from '@levada/connect-runtime-core';
import type { GrpcStatus } from './grpc-status.ts';

/** One metadata entry: lower-case name, and a text, or bytes for a name that ends in `-bin`. */
export type MetadataEntry = readonly [name: string, value: string | Uint8Array];

/** Where a server is. */
export interface Endpoint {
  /** DNS name or IP literal, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** How a channel is made. */
export interface ChannelOptions {
  readonly endpoint: Endpoint;
  /** `:authority` of the calls, and SNI with TLS. Default: that of the endpoint. */
  readonly authority?: string | undefined;
  /** Undefined: plaintext with prior knowledge (h2c). */
  readonly tls?: (SecureContextOptions & { readonly rejectUnauthorized: boolean }) | undefined;
  /** Longest time until the transport is ready: name lookup, TCP, TLS, HTTP/2 settings of the server. 0: no limit. */
  readonly connectTimeoutMs: number;
  /** Time between pings; 0: none are sent. */
  readonly keepaliveTimeMs: number;
  readonly keepaliveTimeoutMs: number;
  readonly clock: Clock;
  /** Ends whatever is open at once. */
  readonly signal: AbortSignal;
}

/** How a call is made. */
export interface CallOptions {
  /** `/package.Service/Method`. */
  readonly path: string;
  readonly metadata: readonly MetadataEntry[];
  /** Longest message after decompression. */
  readonly maxMessageBytes: number;
  /** How the requests are compressed; answers may come in gzip, deflate or identity whatever this says. */
  readonly compression: 'identity' | 'gzip';
  /**
   * Called for each message, in order, synchronously while bytes are read; must not throw. The bytes stay valid, but may be
   * a view of a larger chunk.
   */
  readonly onMessage: (message: Uint8Array) => void;
  /** Called for each message above the limit, in its place; its bytes are read and thrown away, and the call goes on. */
  readonly onOversized: (bytes: number) => void;
}

/** One call on a channel. */
export interface Call {
  /** Resolves, and never rejects, when the call is over and nothing more will be delivered. */
  readonly ended: Promise<GrpcStatus>;
  /** Sends one more request message. */
  send(message: Uint8Array): void;
  /** No more request messages follow. */
  half(): void;
  /** Stops reading: HTTP/2 flow control holds the server up. What was read already is still delivered. */
  pause(): void;
  resume(): void;
  /** Ends the call with `CANCELLED`. Idempotent. */
  cancel(): void;
}

/** One HTTP/2 connection to one gRPC server, ready for calls. */
export interface Channel {
  /** Address and port that it is connected to, for logs. */
  readonly peer: string;
  call(options: CallOptions): Call;
  /** Ends all calls and the connection; resolves when the socket is closed. Idempotent. */
  close(): Promise<void>;
}
