// Settings that each receiver may have of its own, and those of TLS, over real sockets.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, connect } from 'node:tls';
import { credentials } from '@grpc/grpc-js';
import { grpcClient, postExport, spanNamed } from '@levada/test-peers/otlp';
import { createAuthority, type KeyPair, type TestAuthority } from '@levada/test-peers/tls';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type RunningTask, startTask } from './running-task.ts';

let authority: TestAuthority;
let shared: KeyPair;
let own: KeyPair;

beforeAll(() => {
  authority = createAuthority('test authority');
  shared = authority.issue('shared');
  own = authority.issue('own');
});

function filesOf({ cert, key }: KeyPair): { readonly cert: string; readonly key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'levada-otlp-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const paths = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  writeFileSync(paths.cert, cert);
  writeFileSync(paths.key, key);
  return paths;
}

function tlsConfig(pair: KeyPair, prefix = 'otlp.tls'): Readonly<Record<string, string>> {
  const { cert, key } = filesOf(pair);
  return { [`${prefix}.enabled`]: 'true', [`${prefix}.cert.path`]: cert, [`${prefix}.key.path`]: key };
}

async function started(raw: Readonly<Record<string, string>>): Promise<RunningTask> {
  const running = await startTask(raw);
  onTestFinished(async () => void (await running.stop()));
  return running;
}

/** What the handshake negotiated; undefined when it failed. */
function agreed(
  port: number,
  options: ConnectionOptions = {},
): Promise<
  { readonly version: string | null; readonly cipher: string; readonly subject: unknown } | undefined
> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', ca: authority.ca, ...options }, () =>
      resolve({
        version: socket.getProtocol(),
        cipher: socket.getCipher().name,
        subject: socket.getPeerCertificate().subject.CN,
      }),
    );
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => resolve(undefined));
  });
}

describe('TLS of a receiver', () => {
  it('a task enables TLS for gRPC alone, and for all receivers but HTTP', async () => {
    for (const config of [
      { ...tlsConfig(shared, 'otlp.grpc.tls') },
      { ...tlsConfig(shared), 'otlp.http.tls.enabled': 'false' },
    ]) {
      const running = await started(config);
      expect(running.logger.withEvent('otlp_receiver_started')).toMatchObject([
        { fields: { tls_enabled: false } },
      ]);
      const ssl = credentials.createSsl(Buffer.from(authority.ca));
      expect(
        await grpcClient(running.grpcPort, { tls: ssl }).export('traces', Buffer.alloc(0)),
      ).toMatchObject({
        code: 0,
      });
      expect((await postExport(running.httpPort, 'traces', spanNamed('a'))).status).toBe(200);
    }
  });

  it('a task uses separate TLS files for one receiver', async () => {
    const running = await started({ ...tlsConfig(shared), ...tlsConfig(own, 'otlp.http.tls') });
    expect(await agreed(running.grpcPort)).toMatchObject({ subject: 'shared' });
    expect(await agreed(running.httpPort)).toMatchObject({ subject: 'own' });
  });

  it('a task accepts no TLS version below otlp.tls.min.version', async () => {
    const running = await started({ ...tlsConfig(shared), 'otlp.tls.min.version': 'TLSv1.3' });
    for (const port of [running.grpcPort, running.httpPort]) {
      expect(await agreed(port)).toMatchObject({ version: 'TLSv1.3' });
      expect(await agreed(port, { maxVersion: 'TLSv1.2' })).toBeUndefined();
    }
  });

  it('a task uses no ciphers but those of otlp.tls.ciphers', async () => {
    const cipher = 'ECDHE-ECDSA-AES256-GCM-SHA384';
    const running = await started({
      ...tlsConfig(shared),
      'otlp.tls.ciphers': `${cipher}:TLS_CHACHA20_POLY1305_SHA256`,
    });
    for (const port of [running.grpcPort, running.httpPort]) {
      expect(await agreed(port)).toMatchObject({ cipher: 'TLS_CHACHA20_POLY1305_SHA256' });
      expect(await agreed(port, { maxVersion: 'TLSv1.2' })).toMatchObject({ cipher });
      const other = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' } as const;
      expect(await agreed(port, other)).toBeUndefined();
    }
  });
});

it('a task binds each receiver to its own address', async () => {
  const running = await started({ 'otlp.http.bind.address': '127.0.0.2' });
  const post = (host: string): Promise<number> =>
    fetch(`http://${host}:${running.httpPort}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    }).then(
      ({ status }) => status,
      () => 0,
    );
  expect([await post('127.0.0.1'), await post('127.0.0.2')]).toEqual([0, 200]);
  expect(await grpcClient(running.grpcPort).export('traces', Buffer.alloc(0))).toMatchObject({ code: 0 });
  expect(running.logger.withEvent('otlp_receiver_started')).toMatchObject([
    { fields: { bind_address: '127.0.0.1, 127.0.0.2' } },
  ]);
});
