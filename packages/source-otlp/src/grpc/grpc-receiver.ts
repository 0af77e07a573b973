import type { AddressInfo, Server, Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import type { Receiver } from '../receiver/receiver.ts';
import { GrpcConnection } from './grpc-connection.ts';
import type { ReceiverParts } from './receiver-parts.ts';

/** A server of gRPC. */
export class GrpcReceiver implements Receiver {
  readonly address: string;
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #open = new Set<GrpcConnection>();

  constructor(server: Server, parts: ReceiverParts) {
    const { address, port } = server.address() as AddressInfo;
    this.address = address;
    this.port = port;
    this.#server = server;
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => this.#sockets.delete(socket));
      const connection = new GrpcConnection(socket, parts);
      this.#open.add(connection);
      socket.once('close', () => this.#open.delete(connection));
    });
  }

  get connections(): number {
    return this.#sockets.size;
  }

  setTls(_context: SecureContextOptions): void {}

  async close(_options: { readonly graceMs: number; readonly signal?: AbortSignal }): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const connection of this.#open) connection.drain();
    await closed;
  }
}
