import { type ClientHttp2Session, connect as connectSession } from 'node:http2';
import type { Socket } from 'node:net';
import { ConnectorError } from '@levada/connect-runtime-core';
import type { Channel, ChannelOptions } from './channel.ts';
import { connectError } from './connect-error.ts';
import { ConnectLimit } from './connect-limit.ts';
import { dial } from './dial.ts';
import { Http2Channel } from './http2-channel.ts';
import { CONNECTION_WINDOW_BYTES, sessionOptions } from './session-options.ts';

/**
 * Connects to a gRPC server: name lookup, TCP, TLS, HTTP/2. Resolves when the server's HTTP/2 settings allow calls. Rejects with a
 * `connection_failed` ConnectorError that says what was tried and what came of it, and with an `aborted` one when the signal
 * ends the attempt; nothing is left open then. There is no fallback to plaintext.
 */
export async function openChannel(options: ChannelOptions): Promise<Channel> {
  const limit = new ConnectLimit(options);
  try {
    const socket = await dial(options, limit);
    limit.phase = 'HTTP/2 settings';
    return await settled(socket, options, limit);
  } catch (thrown) {
    throw options.signal.aborted ? aborted(options.signal) : connectError(thrown, options);
  } finally {
    limit.end();
  }
}

/** A channel over the socket, as soon as calls can be made. */
async function settled(socket: Socket, options: ChannelOptions, limit: ConnectLimit): Promise<Channel> {
  // Before the session adds its own listeners: why the connection ended must be known when that ends the calls.
  const channel = new Http2Channel(socket, options);
  const { promise, reject } = Promise.withResolvers<never>();
  const release = limit.whenReached(reject);
  try {
    startHttp2(channel, socket, options).once('remoteSettings', () => {
      limit.phase = 'room for a call (MAX_CONCURRENT_STREAMS is 0)';
    });
    await Promise.race([channel.ready, promise]);
    limit.check();
    return channel;
  } catch (thrown) {
    channel.destroy(thrown);
    throw thrown;
  } finally {
    release();
  }
}

/** The session reads and writes the socket from now on. */
function startHttp2(channel: Http2Channel, socket: Socket, { tls }: ChannelOptions): ClientHttp2Session {
  const origin = tls === undefined ? 'http://localhost' : 'https://localhost';
  const session = connectSession(origin, { ...sessionOptions, createConnection: () => socket });
  channel.attach(session);
  session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
  return session;
}

function aborted(signal: AbortSignal): ConnectorError {
  return new ConnectorError('aborted', 'connecting was cancelled', { cause: signal.reason });
}
