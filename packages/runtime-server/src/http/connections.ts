import type { Server, Socket } from 'node:net';

/** How much a listener holds at once. */
export interface ConnectionLimits {
  readonly connections: number;
  /** Bytes of bodies that have not come to their end, over all connections. */
  readonly bodyBytes: number;
}

/**
 * Keeps a server within its limits by ending the connection that has waited longest for its client: to ask, to send the
 * rest of a body, to read an answer. So however many slow clients there are, a new one is served.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  /** Those that wait for their client, longest first, each with the bytes of a body that are held for it. */
  readonly #waiting = new Map<Socket, number>();
  /** All connections by the peer's address. One that TLS encrypts carries another, and requests know only the latter. */
  readonly #carriers = new Map<string, Socket>();
  readonly #carrierOf = new WeakMap<Socket, Socket>();
  #open = 0;
  #heldBytes = 0;

  constructor(server: Server, limits: ConnectionLimits) {
    this.#limits = limits;
    server.on('connection', (socket: Socket) => this.#opened(socket));
    server.on('secureConnection', (socket: Socket) => {
      const carrier = this.#carriers.get(peerOf(socket));
      if (carrier !== undefined) this.#carrierOf.set(socket, carrier);
    });
  }

  /** Part of a body was received, and more of it is to come. */
  hold(from: Socket, bytes: number): void {
    const socket = this.#carried(from);
    this.#heldBytes += bytes;
    this.#waiting.set(socket, (this.#waiting.get(socket) ?? 0) + bytes);
    for (const [other, held] of this.#waiting) {
      if (this.#heldBytes <= this.#limits.bodyBytes) return;
      if (held > 0) this.#end(other);
    }
  }

  /** The body was refused, and what was received of it is not held any more. */
  release(from: Socket): void {
    const socket = this.#carried(from);
    this.#heldBytes -= this.#waiting.get(socket) ?? 0;
    if (this.#waiting.has(socket)) this.#waiting.set(socket, 0);
  }

  /** Ends all of them, also those that TLS has not finished to open, which the server does not know. */
  endAll(): void {
    for (const socket of this.#carriers.values()) socket.destroy();
  }

  /** A request is complete: now the client waits. */
  busy(socket: Socket): void {
    this.#forget(this.#carried(socket));
  }

  /** Whatever comes next is up to the client. */
  waits(from: Socket): void {
    const socket = this.#carried(from);
    if (!socket.destroyed) this.#waiting.set(socket, this.#waiting.get(socket) ?? 0);
  }

  #carried(socket: Socket): Socket {
    return this.#carrierOf.get(socket) ?? socket;
  }

  #opened(socket: Socket): void {
    this.#open += 1;
    const peer = peerOf(socket);
    this.#carriers.set(peer, socket);
    socket.once('close', () => {
      this.#open -= 1;
      if (this.#carriers.get(peer) === socket) this.#carriers.delete(peer);
      this.#forget(socket);
    });
    this.#waiting.set(socket, 0);
    const [longest] = this.#waiting.keys();
    if (this.#open > this.#limits.connections && longest !== undefined) this.#end(longest);
  }

  #end(socket: Socket): void {
    this.#forget(socket);
    socket.destroy();
  }

  #forget(socket: Socket): void {
    this.#heldBytes -= this.#waiting.get(socket) ?? 0;
    this.#waiting.delete(socket);
  }
}

function peerOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
