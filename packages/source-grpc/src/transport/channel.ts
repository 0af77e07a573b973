import type { SecureContextOptions } from 'node:tls';
import type { Clock } from '@levada/connect-runtime-core';
import type { HttpProxy } from '@levada/connect-runtime-core/source-kit';
import type { Endpoint } from '../model/endpoints.ts';
import type { GrpcStatus } from '../model/grpc-status.ts';

/** One metadata entry: lower-case name, and a text, or bytes for a name that ends in `-bin`. */
export type MetadataEntry = readonly [name: string, value: string | Uint8Array];

/** How a channel is made. */
export interface ChannelOptions {
  readonly endpoint: Endpoint;
  /**
   * `:authority` of the calls; with TLS its host is the name that the certificate must have, and SNI unless it is an address.
   * Default: that of the endpoint.
   */
  readonly authority?: string | undefined;
  /** Undefined: plaintext with prior knowledge (h2c). */
  readonly tls?: (SecureContextOptions & { readonly rejectUnauthorized: boolean }) | undefined;
  /** Connects through it: the name of the server is then looked up by the proxy. */
  readonly proxy?: HttpProxy | undefined;
  /** Longest time until the transport is ready: name lookup, TCP, TLS, HTTP/2 settings that allow calls. 0: no limit. */
  readonly connectTimeoutMs: number;
  /** Time without bytes read after which a ping is sent, with or without calls; late by a tenth, or 50 ms, at most. 0: none are sent. */
  readonly keepaliveTimeMs: number;
  /** A connection on which nothing arrives for this long after a ping is cut; its calls end as `UNAVAILABLE`. */
  readonly keepaliveTimeoutMs: number;
  /** What calls will ask for at most, where that must be known when connecting. */
  readonly calls?: Pick<CallOptions, 'maxMessageBytes' | 'compression'> | undefined;
  readonly clock: Clock;
  /** Ends whatever is open at once. */
  readonly signal: AbortSignal;
}

/** How a call is made. */
export interface CallOptions {
  /** `/package.Service/Method`. */
  readonly path: string;
  /** Sent with the request. Names that belong to gRPC or HTTP/2 (`grpc-*`, `te`, `content-type`, `user-agent`, ...) are left out. */
  readonly metadata: readonly MetadataEntry[];
  /**
   * Longest message after decompression. An announced length above 16 times this, and above 64 MiB, is no length: it ends the
   * call as `RESOURCE_EXHAUSTED`.
   */
  readonly maxMessageBytes: number;
  /** How the requests are compressed; answers may come in gzip, deflate or identity whatever this says. */
  readonly compression: 'identity' | 'gzip';
  /**
   * Called for each message, in order, synchronously while bytes are read; must not throw. The bytes stay valid, but may be
   * a view of a larger chunk.
   */
  readonly onMessage: (message: Uint8Array) => void;
  /**
   * Called for each message above the limit, in its place; its bytes are read and thrown away, and the call continues. `bytes` is
   * its length; of a compressed message that grows above the limit it is the limit and one, as it is not read further.
   */
  readonly onOversized: (bytes: number) => void;
  /**
   * The call has ended with this status, and bytes that arrived before wait for {@link Call.resume}. Called once, if at all, before
   * {@link Call.ended} resolves; grpc-js does not know of such an end. Default: nothing.
   */
  readonly onEndedUnread?: (status: GrpcStatus) => void;
}

/** One call on a channel. */
export interface Call {
  /**
   * Resolves, and never rejects, when the call is over and nothing more will be delivered. While the call is paused and holds
   * bytes that arrived, it is not over, even if the connection is lost: not before {@link resume}, {@link cancel} or the
   * end of the channel.
   */
  readonly ended: Promise<GrpcStatus>;
  /** Sends one more request message. Nothing holds the caller up: for few messages only. */
  send(message: Uint8Array): void;
  /** No more request messages follow. */
  half(): void;
  /**
   * Delivers nothing more, nor anything after the current message, until {@link resume}. Flow control holds the server
   * up; what it may have sent until then, 4 MiB at most, is kept and delivered after `resume`, even if the connection is lost.
   */
  pause(): void;
  /** Reads on. May be called out of `onMessage`. */
  resume(): void;
  /** Ends the call with `CANCELLED`. Idempotent. */
  cancel(): void;
}

/** One HTTP/2 connection to one gRPC server, ready for calls. */
export interface Channel {
  /** Address and port that it is connected to, for logs. */
  readonly peer: string;
  /** Starts a call. Never throws: one that cannot be made has ended already. */
  call(options: CallOptions): Call;
  /**
   * Ends all calls as `CANCELLED`, notifies the server, and resolves when the socket is closed; it is cut when the server does not
   * close its side within 250 ms. Idempotent.
   */
  close(): Promise<void>;
}
