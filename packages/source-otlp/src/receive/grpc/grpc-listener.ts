import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type SecureContextOptions } from 'node:tls';
import { type BoundAddress, bindServer } from '../admission/bind-server.ts';
import type { ReceiverOptions, ReceiverTls } from '../admission/receiver.ts';
import { watchHandshakes } from '../admission/watch-handshakes.ts';
import { HANDSHAKE_MS } from './time-limits.ts';

/** Notifications about connections. */
export interface ListenerEvents {
  /** It was accepted. */
  readonly onSocket: (socket: Socket) => void;
  /** HTTP/2 may begin: with TLS on another socket than was accepted. */
  readonly onReady: (socket: Socket) => void;
  /** An error that is reported to no client. */
  readonly onError: (error: Error) => void;
}

/** What listens, with or without TLS. */
export interface GrpcListener {
  readonly server: Server;
  readonly bound: BoundAddress;
  setTls(context: SecureContextOptions): void;
}

type UnboundListener = Omit<GrpcListener, 'bound'>;

/** HTTP/1.1 is offered only to answer its clients that this is the wrong port. */
const ALPN = ['h2', 'http/1.1'];

/** Binds. Rejects with the system's error, or what is wrong with the certificate, and leaves nothing open then. */
export async function listen(options: ReceiverOptions, events: ListenerEvents): Promise<GrpcListener> {
  const listener =
    options.tls === undefined ? plainListener(events) : tlsListener(options.tls, options, events);
  const { server } = listener;
  server.maxConnections = options.maxConnections;
  const bound = await bindServer(server, options);
  server.on('error', events.onError);
  return { ...listener, bound };
}

function plainListener({ onSocket, onReady }: ListenerEvents): UnboundListener {
  const server = createServer({ noDelay: true }, (socket) => {
    onSocket(socket);
    onReady(socket);
  });
  return { server, setTls: () => undefined };
}

function tlsListener(
  { context, clientCertificate }: ReceiverTls,
  { onConnectionFailure }: ReceiverOptions,
  { onSocket, onReady }: ListenerEvents,
): UnboundListener {
  const server = createTlsServer({
    ...atLeastTls12(context),
    noDelay: true,
    ALPNProtocols: ALPN,
    handshakeTimeout: HANDSHAKE_MS,
    requestCert: clientCertificate,
    rejectUnauthorized: clientCertificate,
  });
  server.on('connection', onSocket);
  watchHandshakes(server, onConnectionFailure);
  server.on('secureConnection', (socket) => {
    socket.on('error', () => undefined);
    onReady(socket);
  });
  return { server, setTls: (later) => server.setSecureContext(atLeastTls12(later)) };
}

function atLeastTls12(context: SecureContextOptions): SecureContextOptions {
  return { ...context, minVersion: context.minVersion === 'TLSv1.3' ? 'TLSv1.3' : 'TLSv1.2' };
}
