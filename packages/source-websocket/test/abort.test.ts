import { waitFor } from '@levada/connect-runtime-core/testing';
import { describeAbort } from '@levada/test-peers/abort';
import { onTestFinished } from 'vitest';
import { websocketSource } from '../src/index.ts';
import { startSocketServer } from './socket-server.ts';

describeAbort({
  factory: 'websocketSource',
  open: async (signal) => {
    const server = await startSocketServer();
    onTestFinished(() => server.close());
    const source = websocketSource({ url: server.url, topic: 'prices', signal });
    return {
      source,
      send: async () => {
        (await server.connection(0)).socket.send('one');
        await waitFor(() => source.status()['MessagesReceived'] === 1);
      },
      connections: () => server.accepted.length,
    };
  },
  openAt: (port, signal) => websocketSource({ url: `ws://127.0.0.1:${port}/`, topic: 'prices', signal }),
});
