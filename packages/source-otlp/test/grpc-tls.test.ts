import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect as connectNet } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type SecureContextOptions, type TLSSocket } from 'node:tls';
import { credentials } from '@grpc/grpc-js';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { type GrpcClient, grpcClient } from '@levada/test-peers/otlp';
import { makeCertificates } from '@levada/test-peers/tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Http2Server, Receiver } from '../src/receive/admission/receiver.ts';
import { scriptedIntake } from './grpc-intake.ts';
import { openedReceiver } from './grpc-receiver-under-test.ts';
import { describeOverServers } from './http2-servers.ts';

const body = Buffer.from('some telemetry');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'otlp-grpc-tls-'));
  makeCertificates(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string): Buffer => readFileSync(join(folder, name));
const pair = (name: string): SecureContextOptions => ({
  key: file(`${name}.key`),
  cert: file(`${name}.pem`),
});

function opened(
  http2: Http2Server,
  context: SecureContextOptions,
  clientCertificate = false,
): Promise<Receiver> {
  return openedReceiver(scriptedIntake(), { http2, tls: { context, clientCertificate } });
}

function client(port: number, authority: string, own?: string): GrpcClient {
  const key = own === undefined ? null : file(`${own}.key`);
  const cert = own === undefined ? null : file(`${own}.pem`);
  return grpcClient(port, { tls: credentials.createSsl(file(`${authority}.pem`), key, cert) });
}

describeOverServers('a gRPC receiver with TLS', (server) => {
  it('the receiver accepts exports of clients that trust its certificate', async () => {
    const { port } = await opened(server, pair('server'));
    expect(await client(port, 'ca').export('traces', Buffer.alloc(300_000))).toMatchObject({ code: 0 });
    expect(await client(port, 'stranger').export('traces', body)).toMatchObject({ code: 14 });
  });

  it('the receiver accepts exports only of clients with a certificate of its authority, when it asks for one', async () => {
    const receiver = await opened(server, { ...pair('server'), ca: file('ca.pem') }, true);
    expect(await client(receiver.port, 'ca', 'client').export('traces', body)).toMatchObject({ code: 0 });
    expect(await client(receiver.port, 'ca').export('traces', body)).toMatchObject({ code: 14 });
    expect(await client(receiver.port, 'ca', 'stranger').export('traces', body)).toMatchObject({ code: 14 });
  });

  it('the receiver uses a new certificate for new connections, and keeps open ones', async () => {
    const receiver = await opened(server, { ...pair('server'), ca: file('ca.pem') }, true);
    const before = client(receiver.port, 'ca', 'client');
    expect(await before.export('traces', body)).toMatchObject({ code: 0 });
    receiver.setTls({ ...pair('stranger'), ca: file('ca.pem') });
    expect(await client(receiver.port, 'stranger', 'client').export('traces', body)).toMatchObject({
      code: 0,
    });
    expect(await client(receiver.port, 'stranger').export('traces', body)).toMatchObject({ code: 14 });
    expect(await client(receiver.port, 'ca', 'client').export('traces', body)).toMatchObject({ code: 14 });
    expect(await before.export('traces', body)).toMatchObject({ code: 0 });
  });

  it.each([
    [
      'TLS 1.1',
      { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0', ALPNProtocols: ['h2'] },
    ],
    ['HTTP/1.1 alone', { ALPNProtocols: ['http/1.1'] }],
    ['no protocol', {}],
  ] as const)(
    'the receiver ends connections of clients that offer %s and speak HTTP/1',
    async (_what, options) => {
      const receiver = await opened(server, pair('server'));
      const socket: TLSSocket = connect({
        port: receiver.port,
        host: '127.0.0.1',
        rejectUnauthorized: false,
        ...options,
        ALPNProtocols: [...('ALPNProtocols' in options ? options.ALPNProtocols : [])],
      });
      socket.on('error', () => undefined).resume();
      socket.on('secureConnect', () => socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
      await waitFor(() => socket.closed);
      await waitFor(() => receiver.connections === 0);
      expect(await client(receiver.port, 'ca').export('traces', body)).toMatchObject({ code: 0 });
    },
  );

  it('the receiver ends connections without TLS, and counts no connection twice', async () => {
    const receiver = await opened(server, pair('server'));
    expect(await grpcClient(receiver.port).export('traces', body)).toMatchObject({ code: 14 });
    const inside = client(receiver.port, 'ca');
    await inside.export('traces', body);
    await waitFor(() => receiver.connections === 1);
  });

  it('the receiver closes at once although a handshake is not finished', async () => {
    const receiver = await opened(server, pair('server'));
    const socket = connectNet(receiver.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await waitFor(() => receiver.connections === 1);
    await client(receiver.port, 'ca').export('traces', body);
    await receiver.close({ graceMs: 60_000 });
    expect(receiver.connections).toBe(0);
    await waitFor(() => socket.closed);
  });

  it('the receiver does not open with an invalid certificate', async () => {
    const context = { ...pair('server'), cert: 'no certificate' };
    await expect(opened(server, context)).rejects.toThrow('PEM');
  });
});
