import type { Channel, ChannelOptions } from './channel.ts';
import { openChannel } from './open-channel.ts';

/** What makes the calls of a source: `grpcJs()` of `@levada/source-grpc/grpc-js` gives one. */
export interface GrpcTransport {
  /** The library that makes them. */
  readonly name: string;
}

/** How connections to a server are made and called. */
export interface Transport extends GrpcTransport {
  /**
   * Connects. Resolves when calls can be made. Rejects with a `connection_failed` ConnectorError that says what was tried and
   * what came of it, and with an `aborted` one when the signal ends the attempt; nothing is left open then.
   */
  readonly open: (options: ChannelOptions) => Promise<Channel>;
}

/** Over `node:http2`. */
export const http2Transport: Transport = { name: 'node:http2', open: openChannel };

/** Whether a value given as transport is one. */
export function isTransport(value: GrpcTransport): value is Transport {
  return typeof value === 'object' && value !== null && 'open' in value && typeof value.open === 'function';
}
