import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { credentials } from '@grpc/grpc-js';
import { expect, it, onTestFinished } from 'vitest';
import { TrackedSockets } from './tracked-sockets.ts';

it('a channel knows its connections from others with the same local port', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const open = async (localAddress: string, localPort?: number): Promise<Socket> => {
    const socket = connect({ port, host: '127.0.0.1', localAddress, ...(localPort && { localPort }) });
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  const own = await open('127.0.0.1');
  const other = await open('127.0.0.2', own.localPort);
  const sockets = new TrackedSockets();
  const target = { scheme: 'dns', path: 'localhost' };
  const connector = sockets.knownTo(credentials.createInsecure())._createSecureConnector(target, {});
  await connector.connect(own);
  expect(other.localPort).toBe(own.localPort);
  expect([sockets.hasConnection(own), sockets.hasConnection(other)]).toEqual([true, false]);
});
