import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import type { Timer } from '@levada/connect-runtime-core';
import { NodeConnection } from '../../http2/guard/node-connection.ts';
import {
  type ConnectionHandler,
  type Http2Connection,
  ServerConnection,
} from '../../http2/guard/server-connection.ts';
import { ageOfOne } from '../admission/connection-age.ts';
import { wireProtocol } from '../admission/connection-failure.ts';
import { refuse } from '../admission/export-outcome.ts';
import type { Http2Server, Receiver } from '../admission/receiver.ts';
import { wrongPortMessage } from '../admission/wrong-port.ts';
import { answerStatus } from './answer.ts';
import { callHead } from './call-head.ts';
import type { GrpcListener } from './grpc-listener.ts';
import type { ReceiverParts } from './receiver-parts.ts';
import { startCall } from './start-call.ts';
import { SWEEP_MS } from './time-limits.ts';

const connections = { levada: ServerConnection, node: NodeConnection } as const satisfies Record<
  Http2Server,
  unknown
>;

/** The connections of what listens, from their acceptance to their end. */
export class GrpcReceiver implements Receiver {
  readonly #parts: ReceiverParts;
  readonly #handler: ConnectionHandler;
  readonly #sockets = new Set<Socket>();
  /** Sockets within their TLS handshake, by address and port of the client. */
  readonly #handshakes = new Map<string, Socket>();
  readonly #connections = new Set<Http2Connection>();
  #listener: GrpcListener | undefined;
  #sweeper: Timer | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: ReceiverParts) {
    this.#parts = parts;
    this.#handler = grpcHandler(parts);
  }

  /** From here on the listener is closed by {@link close}. */
  attach(listener: GrpcListener): void {
    this.#listener = listener;
  }

  get address(): string {
    return this.#listener?.bound.address ?? '';
  }

  get port(): number {
    return this.#listener?.bound.port ?? 0;
  }

  get connections(): number {
    return this.#sockets.size;
  }

  setTls(context: SecureContextOptions): void {
    this.#listener?.setTls(context);
  }

  accept(socket: Socket): void {
    const key = peerKey(socket);
    this.#sockets.add(socket);
    this.#handshakes.set(key, socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      this.#handshakes.delete(key);
    });
  }

  serve(socket: Socket): void {
    this.#handshakes.delete(peerKey(socket));
    if (this.#closing !== undefined || socket.destroyed) {
      socket.destroy();
      return;
    }
    const { target, clock, resets, limits } = this.#parts;
    const Connection = connections[target.http2];
    const connection = new Connection(socket, {
      handler: this.#handler,
      limits,
      resets,
      clock,
      maxAgeMs: ageOfOne(target.connectionAge),
      graceMs: target.connectionAge?.graceMs ?? 0,
    });
    this.#connections.add(connection);
    socket.once('close', () => this.#connections.delete(connection));
    this.#sweeper ??= this.#sweepLater();
  }

  close({ graceMs, signal }: { readonly graceMs: number; readonly signal?: AbortSignal }): Promise<void> {
    this.#closing ??= this.#drain();
    const cut = (): void => this.#cut();
    if (graceMs <= 0 || signal?.aborted === true) cut();
    const timer = this.#parts.clock.after(graceMs, cut);
    signal?.addEventListener('abort', cut);
    return this.#closing.finally(() => {
      timer.cancel();
      signal?.removeEventListener('abort', cut);
    });
  }

  async #drain(): Promise<void> {
    const closed = new Promise((resolve) => this.#listener?.server.close(resolve));
    for (const socket of this.#handshakes.values()) socket.destroy();
    for (const connection of this.#connections) connection.drain();
    await closed;
    // The server counts a socket out before that one says that it is closed.
    await Promise.all(Array.from(this.#sockets, (socket) => once(socket, 'close')));
    this.#sweeper?.cancel();
  }

  #cut(): void {
    for (const connection of this.#connections) connection.destroy();
    for (const socket of this.#sockets) socket.destroy();
  }

  #sweepLater(): Timer {
    return this.#parts.clock.after(SWEEP_MS, () => {
      const now = this.#parts.clock.monotonic();
      for (const connection of this.#connections) connection.sweep(now);
      this.#parts.resets.sweep(now);
      this.#sweeper = this.#connections.size > 0 ? this.#sweepLater() : undefined;
    });
  }
}

function peerKey({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/** Serves the calls of all connections of a receiver, and directs HTTP/1 clients to the right port. */
function grpcHandler(parts: ReceiverParts): ConnectionHandler {
  const { onConnectionFailure, elsewhere, answerHttp1 } = parts.target;
  return {
    onForeign: (bytes, { peer }) => {
      const found = wireProtocol(bytes);
      onConnectionFailure({ kind: 'wrong_protocol', peer, found });
      if (found !== 'HTTP/1') return undefined;
      return answerHttp1(refuse('invalid', wrongPortMessage('grpc', elsewhere())));
    },
    onRequest: (stream, headers, connection) => {
      const head = callHead(headers, parts.methods);
      if (head.kind === 'foreign') stream.answerHead(head.head);
      else if (head.kind === 'refused') answerStatus(stream, head.status);
      else stream.listener = startCall(parts, { ...head, stream, headers, connection });
    },
  };
}
