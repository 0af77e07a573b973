import type { AddressInfo } from 'node:net';
import { type ContractPeer, describeSourceTask, waitFor } from '@levada/connect-runtime-core/testing';
import { describe, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { webSocketSourceConnector } from '../src/connector.ts';

/** A server that can go away and come back on the same port. */
interface Peer extends ContractPeer {
  readonly port: number;
}

async function startPeer(): Promise<Peer> {
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;
  const drop = (): void => {
    for (const client of server.clients) client.terminate();
  };
  const goAway = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    drop();
    await closed;
  };
  return {
    port,
    send: (texts) => {
      for (const client of server.clients) for (const text of texts) client.send(text);
    },
    connections: () => server.clients.size,
    drop,
    goAway,
    comeBack: async () => {
      server = await listen(port);
    },
    close: goAway,
  };
}

async function listen(port: number): Promise<WebSocketServer> {
  const server = new WebSocketServer({ host: '127.0.0.1', port });
  await waitFor(() => server.address() !== null);
  return server;
}

describeSourceTask(
  {
    name: 'WebSocketSourceConnector',
    connector: webSocketSourceConnector,
    peer: startPeer,
    config: (peer, overrides) => ({
      'websocket.url': `ws://user:canary-password@127.0.0.1:${(peer as Peer).port}/?apikey=canary-parameter`,
      'platform.topic': 'prices',
      'websocket.auth.token': 'canary-token',
      'websocket.headers': 'X-Key: canary-header',
      'websocket.subscription.message': '{"auth":"canary-subscription"}',
      'websocket.secret.key': 'canary-secret',
      'websocket.handshake.1.message': '{"login":"canary-handshake","key":"{{secret:key}}"}',
      ...overrides,
    }),
    badLocalInputs: [
      {
        name: 'a certificate without its key',
        overrides: { 'websocket.tls.client.cert': '/nowhere/cert.pem' },
        code: 'config_invalid',
      },
      {
        name: 'an authority file that is not there',
        overrides: { 'websocket.tls.ca.cert': '/nowhere/ca.pem' },
        code: 'file_unreadable',
      },
      {
        name: 'a reserved header',
        overrides: { 'websocket.headers.Upgrade': 'h2c' },
        code: 'config_invalid',
      },
    ],
    queueOf: (messages) => ({
      'websocket.message.queue.size': String(messages),
      'websocket.queue.full.grace.ms': '0',
    }),
    reconnect: {
      withPolicy: ({ intervalMs, maxMs }) => ({
        'websocket.reconnect.interval.ms': String(intervalMs),
        'websocket.reconnect.backoff.max.ms': String(maxMs),
      }),
      never: { 'websocket.reconnect.enabled': 'false' },
    },
    patienceMs: 10_000,
    secrets: [
      'canary-password',
      'canary-parameter',
      'canary-token',
      'canary-header',
      'canary-subscription',
      'canary-secret',
      'canary-handshake',
    ],
  },
  { describe, it },
);
