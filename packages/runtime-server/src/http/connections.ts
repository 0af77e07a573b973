import type { Server } from 'node:http';
import type { Socket } from 'node:net';

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
  #open = 0;
  #heldBytes = 0;

  constructor(server: Server, limits: ConnectionLimits) {
    this.#limits = limits;
    server.on('connection', (socket) => this.#opened(socket));
  }

  /** Part of a body was received, and more of it is to come. */
  hold(socket: Socket, bytes: number): void {
    this.#heldBytes += bytes;
    this.#waiting.set(socket, (this.#waiting.get(socket) ?? 0) + bytes);
    for (const [other, held] of this.#waiting) {
      if (this.#heldBytes <= this.#limits.bodyBytes) return;
      if (held > 0) this.#end(other);
    }
  }

  /** A request is complete: now the client waits. */
  busy(socket: Socket): void {
    this.#forget(socket);
  }

  /** Whatever comes next is up to the client. */
  waits(socket: Socket): void {
    if (!socket.destroyed) this.#waiting.set(socket, this.#waiting.get(socket) ?? 0);
  }

  #opened(socket: Socket): void {
    this.#open += 1;
    socket.once('close', () => {
      this.#open -= 1;
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
