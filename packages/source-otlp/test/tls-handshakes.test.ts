// Why a TLS handshake failed, for the two receivers, over real sockets.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectNet } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, connect } from 'node:tls';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { createAuthority, type KeyPair, type TestAuthority } from '@levada/test-peers/tls';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { ConnectionFailure } from '../src/receive/admission/connection-failure.ts';
import type { ReceiverTls } from '../src/receive/admission/receiver.ts';
import { scriptedIntake } from './grpc-intake.ts';
import { openedReceiver } from './grpc-receiver-under-test.ts';
import { openTestReceiver } from './http-receiver.ts';
import { startTask } from './running-task.ts';

let authority: TestAuthority;
let server: KeyPair;
let stranger: KeyPair;

beforeAll(() => {
  authority = createAuthority('test authority');
  server = authority.issue('collector');
  stranger = createAuthority('other authority').issue('stranger');
});

interface Opened {
  readonly port: number;
  readonly failures: readonly ConnectionFailure[];
}

async function opened(protocol: 'grpc' | 'http', clientCertificate: boolean): Promise<Opened> {
  const tls: ReceiverTls = { context: { ...server, ca: authority.ca }, clientCertificate };
  if (protocol === 'http') {
    const { receiver, failures } = await openTestReceiver({ tls });
    return { port: receiver.port, failures };
  }
  const failures: ConnectionFailure[] = [];
  const onConnectionFailure = (failure: ConnectionFailure): void => void failures.push(failure);
  const { port } = await openedReceiver(scriptedIntake(), { tls, onConnectionFailure });
  return { port, failures };
}

function handshake(port: number, options: ConnectionOptions): void {
  const socket = connect({ port, host: '127.0.0.1', ca: authority.ca, ...options });
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
}

function sendPlain(port: number, text: string): void {
  const socket = connectNet(port, '127.0.0.1', () => socket.write(text));
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
}

describe.each(['grpc', 'http'] as const)('a failed handshake on the %s port', (protocol) => {
  it.each([
    ['shows no certificate', () => ({}), /no certificate/],
    ['shows a certificate of an unknown authority', () => stranger, /authority that is not known/],
    ['shows one in TLS 1.2', () => ({ ...stranger, maxVersion: 'TLSv1.2' as const }), /not known/],
  ])('the receiver reports why a handshake failed when the client %s', async (_, options, reason) => {
    const { port, failures } = await opened(protocol, true);
    handshake(port, options());
    await waitFor(() => failures.length > 0);
    expect(failures).toEqual([
      {
        kind: 'tls_handshake_failed',
        peer: '127.0.0.1',
        reason: expect.stringMatching(reason),
        error: expect.stringMatching(/^[A-Z0-9_]+$/),
      },
    ]);
  });

  it.each<readonly [string, ConnectionOptions, RegExp]>([
    [
      'offers only TLS 1.1',
      { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' },
      /no version of TLS/,
    ],
    ['offers no common cipher', { maxVersion: 'TLSv1.2', ciphers: 'AES128-SHA:@SECLEVEL=0' }, /no cipher/],
    ['offers another protocol', { ALPNProtocols: ['spdy/3'] }, /no protocol \(ALPN\)/],
  ])('reports why a handshake failed when the client %s', async (_, options, reason) => {
    const { port, failures } = await opened(protocol, false);
    handshake(port, options);
    await waitFor(() => failures.length > 0);
    expect(failures).toMatchObject([{ peer: '127.0.0.1', reason: expect.stringMatching(reason) }]);
  });

  it.each(['POST /v1/traces HTTP/1.1\r\n', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'])(
    'the receiver reports a failed handshake as plaintext when the client sends %j',
    async (text) => {
      const { port, failures } = await opened(protocol, false);
      sendPlain(port, text);
      await waitFor(() => failures.length > 0);
      expect(failures).toMatchObject([
        { peer: '127.0.0.1', reason: 'the client does not use TLS: plaintext on a TLS port' },
      ]);
    },
  );

  it('the receiver reports why a handshake failed when an OpenSSL client does not trust the certificate', async () => {
    const { port, failures } = await opened(protocol, false);
    const args = ['s_client', '-connect', `127.0.0.1:${port}`, '-verify_return_error', '-no-CAfile'];
    const client = execFile('openssl', [...args, '-alpn', 'h2,http/1.1'], () => undefined);
    client.stdin?.end();
    await waitFor(() => failures.length > 0);
    expect(failures).toMatchObject([
      { peer: '127.0.0.1', reason: expect.stringMatching(/does not accept the certificate of this port/) },
    ]);
  });

  it('the receiver reports no failed handshake when the connection is closed before anything was sent', async () => {
    const { port, failures } = await opened(protocol, false);
    const probe = connectNet(port, '127.0.0.1', () => probe.end());
    await waitFor(() => probe.destroyed);
    sendPlain(port, 'nonsense');
    await waitFor(() => failures.length > 0);
    expect(failures).toHaveLength(1);
  });
});

it('a task counts failed handshakes per port, and warns of them every ten seconds', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'levada-otlp-handshakes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ['cert', 'key'] as const) writeFileSync(join(folder, name), server[name]);
  const clock = createManualClock();
  const running = await startTask(
    {
      'otlp.tls.enabled': 'true',
      'otlp.tls.cert.path': join(folder, 'cert'),
      'otlp.tls.key.path': join(folder, 'key'),
    },
    { clock },
  );
  const counted = (): readonly number[] => [
    running.metrics.read('GrpcTlsHandshakesFailed'),
    running.metrics.read('HttpTlsHandshakesFailed'),
  ];
  sendPlain(running.grpcPort, 'GET / HTTP/1.1\r\n');
  await waitFor(() => counted()[0] === 1);
  sendPlain(running.httpPort, 'GET / HTTP/1.1\r\n');
  await waitFor(() => counted()[1] === 1);
  await clock.advance(10_000);
  sendPlain(running.httpPort, 'GET / HTTP/1.1\r\n');
  await waitFor(() => counted()[1] === 2);
  const reason = 'the client does not use TLS: plaintext on a TLS port';
  expect(running.logger.withEvent('tls_handshake_failed')).toMatchObject([
    { level: 'warn', fields: { protocol: 'grpc', peer: '127.0.0.1', reason } },
    { level: 'warn', fields: { protocol: 'http', peer: '127.0.0.1', reason, suppressed: 1 } },
  ]);
  await running.stop();
});
