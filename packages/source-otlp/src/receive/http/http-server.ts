import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import type { ReceiverTls } from '../admission/receiver.ts';
import { watchHandshakes } from '../admission/watch-handshakes.ts';
import type { HttpConnections } from './http-connection.ts';
import type { HttpReceiverOptions, HttpTimeouts } from './http-receiver-options.ts';
import type { IncomingCall } from './request-handler.ts';

const MAX_HEADER_BYTES = 16 * 1024;
const LONGEST_CHECK_MS = 1000;
/** HTTP/2 is last, and offered only to answer its clients that this is the wrong port. */
const ALPN = ['http/1.1', 'h2'];

/** What a server calls. */
export interface ServerHandlers {
  readonly connections: HttpConnections;
  readonly handle: (incoming: IncomingCall) => void;
  readonly clientError: (error: Error, socket: Socket) => void;
}

/** A server that does not listen yet, over TLS when that is asked for. Throws when the TLS files do not fit. */
export function createHttpServer(options: HttpReceiverOptions, handlers: ServerHandlers): Server {
  const { tls, timeouts, maxConnections } = options;
  const server = tls === undefined ? createServer(serverOptions(timeouts)) : tlsServer(tls, options);
  server.maxConnections = maxConnections;
  // No limit on their number: Node would silently drop the headers above it. Their bytes are limited.
  server.maxHeadersCount = 0;
  server.on('clientError', (error, socket) => handlers.clientError(error, socket as Socket));
  server.setTimeout(timeouts.requestMs, (socket) => endSilent(socket, handlers.connections));
  answerRequests(server, handlers);
  return server;
}

function tlsServer(
  { context, clientCertificate }: ReceiverTls,
  { timeouts, onConnectionFailure }: HttpReceiverOptions,
): Server {
  const server = createTlsServer({
    ...serverOptions(timeouts),
    ...secureContext(context),
    requestCert: clientCertificate,
    rejectUnauthorized: clientCertificate,
    handshakeTimeout: timeouts.headersMs,
    ALPNProtocols: ALPN,
  });
  watchHandshakes(server, onConnectionFailure);
  return server;
}

/** Whatever the files say, at least TLS 1.2. */
export function secureContext(files: SecureContextOptions): SecureContextOptions {
  return { ...files, minVersion: files.minVersion === 'TLSv1.3' ? 'TLSv1.3' : 'TLSv1.2' };
}

function serverOptions({ headersMs, requestMs, keepAliveMs }: HttpTimeouts): ServerOptions {
  return {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: Math.min(headersMs, requestMs),
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: Math.min(LONGEST_CHECK_MS, headersMs, requestMs),
    insecureHTTPParser: false,
    // A missing Host header is answered like every other problem.
    requireHostHeader: false,
    keepAlive: true,
  };
}

function answerRequests(server: Server, { connections, handle }: ServerHandlers): void {
  const handler =
    (waits: boolean) =>
    (request: IncomingMessage, response: ServerResponse): void =>
      handle({ connection: connections.of(request.socket), request, response, waits });
  server.on('request', handler(false));
  server.on('checkContinue', handler(true));
  server.on('checkExpectation', handler(false));
}

/**
 * Called when nothing was received or sent for a while: ends the connection of a client that does not read its answers, or sends
 * no further request. A client that waits for its answer may wait, and one that is slow to send a request is answered with an
 * error when its time is over.
 */
function endSilent(socket: Socket, connections: HttpConnections): void {
  const connection = connections.known(socket);
  const expected =
    connection === undefined || connection.latest === undefined || connection.underway.length > 0;
  if (!expected || socket.writableLength > 0) socket.destroy();
}
