import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import type { RawConfig } from '@levada/connect-runtime-core';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { testCertificates } from './certificates.ts';
import { startTask } from './running-task.ts';

const file = testCertificates();

async function listening(server: Server | HttpServer): Promise<number> {
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    if ('closeAllConnections' in server) server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

function secureServer(options: TlsOptions & { readonly name?: string } = {}): Promise<number> {
  const { name = 'server', ...more } = options;
  const pair = { cert: readFileSync(file(`${name}.pem`)), key: readFileSync(file(`${name}.key`)) };
  return listening(createServer({ ...pair, ...more }));
}

/** OpenSSL's own server, which says by an alert what it misses. */
async function strictServer(...more: string[]): Promise<number> {
  const files = ['-cert', file('server.pem'), '-key', file('server.key'), '-CAfile', file('ca.pem')];
  const server: ChildProcess = spawn('openssl', ['s_server', '-accept', '127.0.0.1:0', ...files, ...more]);
  const ended = new Promise((resolve) => server.once('exit', resolve));
  onTestFinished(async () => {
    server.kill();
    await ended;
  });
  let said = '';
  server.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  return Number(await waitFor(() => /^ACCEPT .*:(\d+)$/m.exec(said)?.[1]));
}

/** What the first attempt to connect fails with, without the address. */
async function failure(scheme: 'ws' | 'wss', port: number, raw: RawConfig = {}): Promise<string> {
  const running = await startTask({
    'websocket.url': `${scheme}://127.0.0.1:${port}/`,
    'websocket.reconnect.interval.ms': '60000',
    'websocket.tls.ca.cert': file('ca.pem'),
    'websocket.tls.servername': 'feed.example',
    ...raw,
  });
  onTestFinished(() => running.task.stop());
  await running.logged('websocket_failure');
  const text = String(running.logger.withEvent('websocket_failure')[0]?.fields['error_message']);
  return text.replace(`127.0.0.1:${port}`, 'server');
}

const mutual = { requestCert: true, rejectUnauthorized: true };

describe('a TLS handshake that fails', () => {
  it('names the key for an unknown authority', async () => {
    expect(
      await failure('wss', await secureServer(), { 'websocket.tls.ca.cert': file('stranger.pem') }),
    ).toBe(
      'cannot connect to server: its certificate is not trusted: unable to verify the first certificate; name the authority that signed it in websocket.tls.ca.cert',
    );
  });

  it('says who must act when a certificate has expired', async () => {
    expect(await failure('wss', await secureServer({ name: 'expired' }))).toBe(
      'cannot connect to server: its certificate is not valid now: certificate has expired; renew it on the server, or correct the clock of this machine',
    );
  });

  it('lists the names in a certificate when it is for another name', async () => {
    const raw = { 'websocket.tls.servername': 'other.example' };
    expect(await failure('wss', await secureServer(), raw)).toMatch(
      /^cannot connect to server: its certificate is for another name: .*other\.example.*DNS:feed\.example, .*; connect by a name that the certificate has, or set websocket\.tls\.servername to one$/,
    );
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'for want of a client certificate names the keys for it, also when the server only closes (%s)',
    async (version) => {
      const ca = readFileSync(file('ca.pem'));
      const port = await secureServer({ ...mutual, ca, minVersion: version, maxVersion: version });
      expect(await failure('wss', port)).toMatch(
        /client certificate.*websocket\.tls\.client\.cert and websocket\.tls\.client\.key/,
      );
    },
  );

  it.each([
    [
      '-tls1_2',
      /refuses the handshake, perhaps for want of a client certificate: .*; set websocket\.tls\.client\.cert and/,
    ],
    ['-tls1_3', /the server demands a client certificate: .*; set websocket\.tls\.client\.cert and/],
  ])('for want of a client certificate says what the server said (%s)', async (version, text) => {
    expect(await failure('wss', await strictServer('-Verify', '1', version))).toMatch(text);
  });

  it('names the keys when the server refuses the client certificate', async () => {
    const port = await strictServer('-Verify', '1', '-verify_return_error');
    const raw = {
      'websocket.tls.client.cert': file('stranger.pem'),
      'websocket.tls.client.key': file('stranger.key'),
    };
    expect(await failure('wss', port, raw)).toMatch(
      /the server refuses the client certificate: .*; check websocket\.tls\.client\.cert and websocket\.tls\.client\.key$/,
    );
  });

  it('names the required TLS version when the server has an old one', async () => {
    const port = await strictServer('-tls1_1', '-cipher', 'DEFAULT:@SECLEVEL=0');
    expect(await failure('wss', port)).toMatch(
      /the server offers no version of TLS that is secure: .*; it must offer TLS 1\.2 or 1\.3$/,
    );
  });

  it('suggests checking the ciphers when the server has other ones', async () => {
    const port = await strictServer('-tls1_2', '-cipher', 'PSK');
    expect(await failure('wss', port)).toMatch(
      /: the server refuses the handshake.*which ciphers the server offers$/,
    );
  });

  it('says how to connect without TLS when the server does not use it', async () => {
    const port = await listening(createHttpServer());
    expect(await failure('wss', port)).toMatch(
      /^cannot connect to server: the server does not speak TLS: .*; connect to a port with TLS, or use ws:\/\/ in websocket\.url$/,
    );
  });

  it('never takes place where the server expects it and the URL does not, which is said', async () => {
    const pair = { cert: readFileSync(file('server.pem')), key: readFileSync(file('server.key')) };
    const port = await listening(createTlsServer(pair));
    expect(await failure('ws', port)).toMatch(/server expects TLS.*wss:\/\/ in websocket\.url/);
    expect(await failure('ws', await strictServer())).toMatch(
      /server expects TLS.*wss:\/\/ in websocket\.url/,
    );
  });
});
