import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { webSocketSourceConnector } from '../src/connector.ts';
import { type RunningTask, startTask, texts } from './running-task.ts';

let folder: string;
let server: Server;
let url: string;
let running: RunningTask | undefined;
const file = (name: string): string => join(folder, name);

/** Makes a key and a certificate, signed by `ca` or by itself. */
function certificate(name: string, subject: string, ca?: string): void {
  const args = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
  ];
  const names = ['-subj', `/CN=${subject}`, '-addext', `subjectAltName=DNS:${subject},IP:127.0.0.1`];
  const signer = ca === undefined ? [] : ['-CA', file(`${ca}.pem`), '-CAkey', file(`${ca}.key`)];
  const out = ['-keyout', file(`${name}.key`), '-out', file(`${name}.pem`)];
  execFileSync('openssl', [...args, ...names, ...signer, ...out], { stdio: 'pipe' });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'levada-tls-'));
  certificate('ca', 'test authority');
  certificate('server', 'feed.example', 'ca');
  certificate('client', 'client', 'ca');
  writeFileSync(file('garbage.pem'), 'no certificate');
  writeFileSync(file('empty.pem'), '');
  server = createServer({
    cert: readFileSync(file('server.pem')),
    key: readFileSync(file('server.key')),
    ca: readFileSync(file('ca.pem')),
    requestCert: true,
    rejectUnauthorized: false,
  });
  new WebSocketServer({ server }).on('connection', (socket, request) => {
    const { authorized, servername } = request.socket as TLSSocket & { servername: string | false };
    socket.send(JSON.stringify({ authorized, servername }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `wss://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterEach(() => running?.task.stop());
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

describe('TLS', () => {
  it('trusts the authority that is configured', async () => {
    running = await startTask({ 'websocket.url': url, 'websocket.tls.ca.cert': file('ca.pem') });
    expect(texts(await running.take(1))).toEqual(['{"authorized":false,"servername":false}']);
  });

  it('shows its own certificate', async () => {
    running = await startTask({
      'websocket.url': url,
      'websocket.tls.ca.cert': file('ca.pem'),
      'websocket.tls.client.cert': file('client.pem'),
      'websocket.tls.client.key': file('client.key'),
    });
    expect(texts(await running.take(1))[0]).toContain('"authorized":true');
  });

  it('sends and checks the server name that is configured', async () => {
    const ca = { 'websocket.url': url, 'websocket.tls.ca.cert': file('ca.pem') };
    running = await startTask({ ...ca, 'websocket.tls.servername': 'feed.example' });
    expect(texts(await running.take(1))[0]).toContain('"servername":"feed.example"');
    await running.task.stop();
    running = await startTask({ ...ca, 'websocket.tls.servername': 'other.example' });
    await running.logged('websocket_failure');
    expect(running.logger.withEvent('websocket_failure')[0]?.fields['error_message']).toMatch(
      /other\.example/,
    );
  });

  it('refuses a certificate that no authority vouches for, and says why', async () => {
    running = await startTask({ 'websocket.url': url });
    await running.logged('websocket_failure');
    expect(running.logger.withEvent('websocket_failure')[0]?.fields['error_message']).toMatch(
      /^cannot connect to 127\.0\.0\.1:\d+: .*certificate/,
    );
  });

  it('reads its files again before each further attempt, and keeps what it has while they are broken', async () => {
    copyFileSync(file('client.pem'), file('rotated.pem'));
    running = await startTask({ 'websocket.url': url, 'websocket.tls.ca.cert': file('rotated.pem') });
    await running.logged('websocket_failure');
    writeFileSync(file('rotated.pem'), '');
    await running.logged('credentials_unresolved');
    copyFileSync(file('ca.pem'), file('rotated.pem'));
    expect(await running.take(1)).toHaveLength(1);
  });

  it('accepts any certificate when verification is off, with a warning', async () => {
    running = await startTask({ 'websocket.url': url, 'websocket.tls.verify': 'false' });
    expect(await running.take(1)).toHaveLength(1);
    expect(running.logger.withEvent('tls_verification_off')).toHaveLength(1);
  });

  it.each([
    ['garbage.pem', 'holds no PEM block'],
    ['empty.pem', 'holds no PEM block'],
    ['', 'not a regular file'],
    ['missing.pem', 'ENOENT'],
  ])('fails the start for the file "%s": %s', async (name, reason) => {
    await expect(
      startTask({ 'websocket.url': url, 'websocket.tls.ca.cert': file(name) }),
    ).rejects.toMatchObject({
      code: 'file_unreadable',
      message: expect.stringMatching(`^Cannot read TLS certificate: websocket.tls.ca.cert .*${reason}`),
    });
  });

  it('finds a key of another certificate when it validates', () => {
    const raw = {
      'websocket.url': url,
      'platform.topic': 't',
      'websocket.tls.client.cert': file('client.pem'),
      'websocket.tls.client.key': file('server.key'),
    };
    const values = webSocketSourceConnector.config.validate(raw);
    const errors = webSocketSourceConnector.validate?.(raw, values).flatMap((value) => value.errors);
    expect(errors).toEqual([
      expect.stringMatching(/^Cannot read TLS certificate: .*client\.key: .*mismatch/),
    ]);
  });
});
