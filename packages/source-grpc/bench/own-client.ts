import { systemClock } from '@levada/connect-runtime-core';
import { openChannel } from '../src/transport/open-channel.ts';
import type { FeedClient } from './feed-client.ts';

/** Receives by the transport of this package. */
export const ownClient: FeedClient = async ({ port, path, onMessage }) => {
  const channel = await openChannel({
    endpoint: { host: '127.0.0.1', port },
    connectTimeoutMs: 10_000,
    keepaliveTimeMs: 0,
    keepaliveTimeoutMs: 0,
    clock: systemClock,
    signal: new AbortController().signal,
  });
  const call = channel.call({
    path,
    metadata: [],
    maxMessageBytes: 64 * 1_048_576,
    compression: 'identity',
    onMessage,
    onOversized: () => undefined,
  });
  call.send(new Uint8Array(0));
  call.half();
};
