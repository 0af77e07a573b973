import { connect as connectSession } from 'node:http2';
import type { Socket } from 'node:net';
import { ConnectorError } from '@levada/connect-runtime-core';
import type { Channel, ChannelOptions } from './channel.ts';
import { connectError } from './connect-error.ts';
import { ConnectLimit } from './connect-limit.ts';
import { dial } from './dial.ts';
import { Http2Channel } from './http2-channel.ts';
import { CONNECTION_WINDOW_BYTES, sessionOptions } from './session-options.ts';

/**
 * Connects to a gRPC server: name lookup, TCP, TLS, HTTP/2. Resolves when the server's HTTP/2 settings arrived. Rejects with a
 * `connection_failed` ConnectorError that says what was tried and what came of it, and with an `aborted` one when the signal
 * ends the attempt; nothing is left open then. There is no fallback to plaintext, and no proxy is asked.
 */
export async function openChannel(options: ChannelOptions): Promise<Channel> {
  const limit = new ConnectLimit(options);
  try {
    const socket = await dial(options, limit);
    limit.phase = 'HTTP/2 settings';
    const channel = startHttp2(socket, options);
    await settled(channel, limit);
    return channel;
  } catch (thrown) {
    throw options.signal.aborted ? aborted(options.signal) : connectError(thrown, options);
  } finally {
    limit.end();
  }
}

/** The session reads and writes the socket from now on. */
function startHttp2(socket: Socket, options: ChannelOptions): Http2Channel {
  // Before the session adds its own listeners: why the connection ended must be known when it ends the calls.
  const channel = new Http2Channel(socket, options);
  const scheme = options.tls === undefined ? 'http' : 'https';
  const session = connectSession(`${scheme}://localhost`, {
    ...sessionOptions,
    createConnection: () => socket,
  });
  channel.attach(session);
  session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
  return channel;
}

/** Until calls can be made. */
async function settled(channel: Http2Channel, limit: ConnectLimit): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const release = limit.whenReached((error) => {
    channel.destroy(error);
    reject(error);
  });
  try {
    await Promise.race([channel.ready, promise]);
    limit.check();
  } catch (thrown) {
    channel.destroy(thrown);
    throw thrown;
  } finally {
    release();
  }
}

function aborted(signal: AbortSignal): ConnectorError {
  return new ConnectorError('aborted', 'connecting was cancelled', { cause: signal.reason });
}
