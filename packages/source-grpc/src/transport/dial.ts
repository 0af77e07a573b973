import { isIP, type Socket, connect as tcpConnect } from 'node:net';
import { type ConnectionOptions, checkServerIdentity, type TLSSocket, connect as tlsConnect } from 'node:tls';
import { ConnectorError } from '@levada/connect-runtime-core';
import {
  guardedLookup,
  type HttpProxy,
  isDeniedAddress,
  openTunnel,
} from '@levada/connect-runtime-core/source-kit';
import { hostOfAuthority } from './authority.ts';
import type { ChannelOptions } from './channel.ts';
import type { ConnectLimit } from './connect-limit.ts';

/** A socket that is connected to the server, with TLS if that is asked for. Rejects with what Node said. */
export async function dial(options: ChannelOptions, limit: ConnectLimit): Promise<Socket> {
  const { host } = options.endpoint;
  limit.check();
  // Literals are not looked up, so the lookup does not guard them.
  if (isDeniedAddress(host)) {
    throw new ConnectorError('connection_failed', 'a link-local, metadata, multicast or unspecified address');
  }
  const { endpoint, proxy, tls } = options;
  const tunnel = proxy === undefined ? undefined : await tunnelled(options, proxy, limit);
  if (tls === undefined)
    return tunnel ?? connected(tcpConnect({ ...endpoint, ...tcpOptions }), 'connect', limit);
  const socket = tlsSocket(options, tls, tunnel);
  if (tunnel !== undefined) limit.phase = 'TLS';
  socket.once('connect', () => {
    limit.phase = 'TLS';
  });
  await connected(socket, 'secureConnect', limit);
  checkProtocol(socket);
  return socket;
}

async function tunnelled(
  { endpoint, tls }: ChannelOptions,
  proxy: HttpProxy,
  limit: ConnectLimit,
): Promise<Socket> {
  const over = new AbortController();
  const release = limit.whenReached((error) => over.abort(error));
  limit.phase = 'the proxy';
  try {
    const socket = await openTunnel({ proxy, target: endpoint, ca: tls?.ca, signal: over.signal });
    return socket.setNoDelay();
  } finally {
    release();
  }
}

function tlsSocket(
  options: ChannelOptions,
  tls: NonNullable<ChannelOptions['tls']>,
  tunnel: Socket | undefined,
): TLSSocket {
  const name = hostOfAuthority(options);
  const settings: ConnectionOptions & typeof tcpOptions = {
    ...tls,
    ...options.endpoint,
    ...tcpOptions,
    ...(tunnel === undefined ? {} : { socket: tunnel }),
    ALPNProtocols: ['h2'],
    checkServerIdentity: (_host, certificate) => checkServerIdentity(name, certificate),
    // RFC 6066 allows no address here.
    ...(isIP(name) === 0 ? { servername: name } : {}),
  };
  return tlsConnect(settings);
}

const tcpOptions = { lookup: guardedLookup, autoSelectFamily: true, noDelay: true } as const;

/** The socket after the event; an error or the limit destroys the socket. Errors that come later are heard, too. */
async function connected(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  limit: ConnectLimit,
): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  socket.once(event, resolve);
  socket.on('error', reject);
  socket.once('close', () =>
    reject(new ConnectorError('connection_lost', 'connection closed by the server')),
  );
  const release = limit.whenReached((error) => reject(error));
  try {
    await promise;
    limit.check();
    return socket;
  } catch (thrown) {
    socket.destroy();
    throw thrown;
  } finally {
    release();
  }
}

function checkProtocol(socket: TLSSocket): void {
  if (socket.alpnProtocol === 'h2') return;
  socket.destroy();
  throw new ConnectorError('protocol_error', 'the server does not offer HTTP/2 (ALPN "h2") over TLS');
}
