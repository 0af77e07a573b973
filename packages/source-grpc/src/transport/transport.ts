import type { Channel, ChannelOptions } from './channel.ts';
import { openChannel } from './open-channel.ts';

/** How connections to a server are made and called: over `node:http2` by default, or by another library. */
export interface GrpcTransport {
  /**
   * Connects. Resolves when calls can be made. Rejects with a `connection_failed` ConnectorError that says what was tried and
   * what came of it, and with an `aborted` one when the signal ends the attempt; nothing is left open then.
   */
  readonly open: (options: ChannelOptions) => Promise<Channel>;
}

/** Over `node:http2`. */
export const http2Transport: GrpcTransport = { open: openChannel };
