import type { Socket } from 'node:net';
import type { ChannelCredentials } from '@grpc/grpc-js';

type SecureConnector = ReturnType<ChannelCredentials['_createSecureConnector']>;

/** What identifies a TCP connection of this machine. */
export type ConnectionEnds = Pick<Socket, 'localAddress' | 'localPort' | 'remoteAddress' | 'remotePort'>;

/**
 * The sockets of a channel. grpc-js does not say when they are closed, and leaves one open whose server never answered
 * (https://github.com/grpc/grpc-node, `Http2SubchannelConnector.shutdown`), so that more of them would stay with each attempt.
 */
export class TrackedSockets {
  readonly #open = new Set<Socket>();
  #destroyed = false;

  /** Credentials that do what the given ones do, and let the sockets be known that they secure. */
  knownTo(credentials: ChannelCredentials): ChannelCredentials {
    const known: ChannelCredentials = Object.create(credentials);
    known._createSecureConnector = (...made): SecureConnector => {
      const connector = credentials._createSecureConnector(...made);
      return {
        connect: (socket) => {
          this.#add(socket);
          return connector.connect(socket);
        },
        waitForReady: () => connector.waitForReady(),
        getCallCredentials: () => connector.getCallCredentials(),
        destroy: () => connector.destroy(),
      };
    };
    return known;
  }

  /** Resolves when none is open. */
  async closed(): Promise<void> {
    await Promise.all(
      [...this.#open].map((socket) => new Promise((resolve) => socket.once('close', resolve))),
    );
  }

  /** Whether one of them is this connection: a socket that TLS or HTTP/2 wraps has the same addresses and ports. */
  hasConnection(ends: ConnectionEnds | undefined): boolean {
    return ends?.localPort !== undefined && [...this.#open].some((socket) => isSameConnection(socket, ends));
  }

  /** Cuts all of them, and those that come later. */
  destroy(): void {
    this.#destroyed = true;
    for (const socket of this.#open) socket.destroy();
  }

  #add(socket: Socket): void {
    if (this.#destroyed) {
      socket.destroy();
      return;
    }
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
  }
}

function isSameConnection(one: ConnectionEnds, other: ConnectionEnds): boolean {
  return (
    one.localPort === other.localPort &&
    one.remotePort === other.remotePort &&
    one.localAddress === other.localAddress &&
    one.remoteAddress === other.remoteAddress
  );
}
