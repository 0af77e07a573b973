import type { Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { createInflater } from '@levada/grpc-wire';
import type { SignalName } from '../../model/signals.ts';
import { bindServer } from '../admission/bind-server.ts';
import type { Receiver } from '../admission/receiver.ts';
import { createClientErrorHandler } from './client-error.ts';
import { closeHttpServer } from './close-http-server.ts';
import { createHttpConnections } from './http-connection.ts';
import type { HttpContext } from './http-context.ts';
import type { HttpReceiverOptions } from './http-receiver-options.ts';
import { createHttpServer, secureContext } from './http-server.ts';
import { createOriginPolicy } from './origin-policy.ts';
import { createRequestHandler } from './request-handler.ts';

/**
 * Opens an OTLP/HTTP receiver (OTLP specification 1.x, "OTLP/HTTP"; HTTP/1.1 alone). Resolves when it listens. Rejects with the
 * system's error when the address cannot be bound, or with that of TLS when the files do not fit; nothing is left open then.
 */
export async function openHttpReceiver(options: HttpReceiverOptions): Promise<Receiver> {
  const { intake, clock, onError } = options;
  const context: HttpContext = {
    intake,
    inflater: createInflater(),
    limits: options,
    clock,
    onError,
    closing: false,
    strangers: new Set(),
  };
  const server = serverFor(options, context);
  const sockets = trackSockets(server);
  const { address, port } = await bindServer(server, options);
  server.on('error', onError);
  let closed: Promise<void> | undefined;

  return {
    address,
    port,
    get connections() {
      return sockets.size;
    },
    setTls(files) {
      if (options.tls !== undefined) (server as TlsServer).setSecureContext(secureContext(files));
    },
    close({ graceMs, signal }) {
      context.closing = true;
      for (const socket of context.strangers) socket.destroy();
      closed ??= closeHttpServer({ server, sockets, clock, graceMs, signal });
      return closed;
    },
  };
}

function serverFor(options: HttpReceiverOptions, context: HttpContext): Server {
  const { cors, timeouts, tls, includedHeaders } = options;
  const connections = createHttpConnections(options);
  const handle = createRequestHandler({
    context,
    paths: selectOfferedPaths(options),
    origins: createOriginPolicy(cors),
    secure: tls !== undefined,
    includedHeaders,
  });
  const clientError = createClientErrorHandler({ ...options, context, connections, timeouts });
  return createHttpServer(options, { connections, handle, clientError });
}

function selectOfferedPaths({ paths, signals }: HttpReceiverOptions): ReadonlyMap<string, SignalName> {
  return new Map([...paths].filter(([, signal]) => signals.has(signal)));
}

function trackSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}
