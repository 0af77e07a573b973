import { isIP, type Socket, connect as tcpConnect } from 'node:net';
import { type ConnectionOptions, checkServerIdentity, type TLSSocket, connect as tlsConnect } from 'node:tls';
import { ConnectorError } from '@levada/connect-runtime-core';
import { guardedLookup, isDeniedAddress } from '@levada/connect-runtime-core/net';
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
  const socket = options.tls === undefined ? plainSocket(options) : tlsSocket(options, options.tls);
  socket.once('connect', () => {
    limit.phase = options.tls === undefined ? limit.phase : 'TLS';
  });
  await connected(socket, options.tls === undefined ? 'connect' : 'secureConnect', limit);
  if (options.tls !== undefined) checkProtocol(socket as TLSSocket);
  return socket;
}

function plainSocket({ endpoint }: ChannelOptions): Socket {
  return tcpConnect({ ...endpoint, ...tcpOptions });
}

function tlsSocket(options: ChannelOptions, tls: NonNullable<ChannelOptions['tls']>): Socket {
  const name = hostOfAuthority(options);
  const settings: ConnectionOptions & typeof tcpOptions = {
    ...tls,
    ...options.endpoint,
    ...tcpOptions,
    ALPNProtocols: ['h2'],
    checkServerIdentity: (_host, certificate) => checkServerIdentity(name, certificate),
    // RFC 6066 allows no address here.
    ...(isIP(name) === 0 ? { servername: name } : {}),
  };
  return tlsConnect(settings);
}

const tcpOptions = { lookup: guardedLookup, autoSelectFamily: true, noDelay: true } as const;

/** Waits for the event; an error or the limit destroys the socket. Errors that come later are heard, too. */
async function connected(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  limit: ConnectLimit,
): Promise<void> {
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
