import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import {
  createSecureServer,
  type Http2SecureServer,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { prefixed } from '@levada/test-peers/http2';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Channel, ChannelOptions } from '../src/transport/channel.ts';
import { openChannel } from '../src/transport/open-channel.ts';
import { channelOptions, startCall } from './transport-call.ts';

let folder: string;
let channel: Channel | undefined;
let close: (() => Promise<unknown>) | undefined;
const file = (name: string): string => join(folder, name);
const pem = (name: string): Buffer => readFileSync(file(name));

/** Makes a key and a certificate, signed by `ca` or by itself. */
function certificate(
  name: string,
  subject: string,
  { ca, dates }: { readonly ca?: string; readonly dates?: readonly string[] } = {},
): void {
  const key = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-keyout',
    file(`${name}.key`),
  ];
  const names = ['-subj', `/CN=${subject}`, '-addext', `subjectAltName=DNS:${subject},IP:127.0.0.1`];
  if (dates === undefined) {
    const signer = ca === undefined ? [] : ['-CA', file(`${ca}.pem`), '-CAkey', file(`${ca}.key`)];
    const out = ['-out', file(`${name}.pem`), '-days', '2'];
    execFileSync('openssl', ['req', '-x509', ...key, ...names, ...signer, ...out], { stdio: 'pipe' });
    return;
  }
  // Only `openssl ca` sets both dates.
  execFileSync('openssl', ['req', ...key, ...names, '-out', file(`${name}.csr`)], { stdio: 'pipe' });
  writeFileSync(file('index.txt'), '');
  writeFileSync(
    file('ca.cnf'),
    `[ca]\ndefault_ca=c\n[c]\ndatabase=${file('index.txt')}\nrand_serial=yes\ndefault_md=sha256\npolicy=p\nnew_certs_dir=${folder}\n[p]\ncommonName=supplied\n`,
  );
  const signer = ['-cert', file(`${ca}.pem`), '-keyfile', file(`${ca}.key`), '-config', file('ca.cnf')];
  const [start = '', end = ''] = dates;
  execFileSync(
    'openssl',
    [
      'ca',
      '-batch',
      ...signer,
      '-in',
      file(`${name}.csr`),
      '-out',
      file(`${name}.pem`),
      '-startdate',
      start,
      '-enddate',
      end,
    ],
    { stdio: 'pipe' },
  );
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'levada-grpc-tls-'));
  certificate('ca', 'test authority');
  certificate('other-ca', 'other authority');
  certificate('server', 'feed.example', { ca: 'ca' });
  certificate('expired', 'feed.example', { ca: 'ca', dates: ['20200101000000Z', '20200102000000Z'] });
  certificate('client', 'client', { ca: 'ca' });
  certificate('stranger', 'stranger', { ca: 'other-ca' });
});
afterEach(async () => {
  await channel?.close();
  await close?.();
  channel = undefined;
  close = undefined;
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Answers a call with one message and the status OK. */
function answer(stream: ServerHttp2Stream, text: string): void {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(prefixed(text));
}

/** Starts a server that answers each caller with what it knows of the connection. Returns the port. */
async function tlsServer(options: TlsOptions = {}): Promise<number> {
  const server: Http2SecureServer = createSecureServer({ ...credentials('server'), ...options });
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => sessions.add(session.on('error', () => undefined)));
  server.on('tlsClientError', () => undefined);
  server.on('stream', (stream) => {
    stream.on('error', () => undefined);
    const { authorized, servername } = (stream.session as ServerHttp2Session).socket as SecureSocket;
    answer(stream, JSON.stringify({ authorized, servername }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => {
    for (const session of sessions) session.destroy();
    return new Promise((resolve) => server.close(resolve));
  };
  return (server.address() as AddressInfo).port;
}

/** OpenSSL's own server, which rejects certificates with an alert that names the reason. Returns the port. */
async function strictServer(): Promise<number> {
  const files = ['-cert', file('server.pem'), '-key', file('server.key'), '-CAfile', file('ca.pem')];
  const verify = ['-Verify', '1', '-verify_return_error', '-alpn', 'h2'];
  const server = spawn('openssl', ['s_server', '-accept', '127.0.0.1:0', ...files, ...verify]);
  const ended = new Promise((resolve) => server.once('exit', resolve));
  close = () => {
    server.kill();
    return ended;
  };
  let said = '';
  server.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  return Number(await waitFor(() => /^ACCEPT .*:(\d+)$/m.exec(said)?.[1]));
}

function credentials(name: string): { readonly cert: Buffer; readonly key: Buffer } {
  return { cert: pem(`${name}.pem`), key: pem(`${name}.key`) };
}

type SecureSocket = TLSSocket & { readonly servername: string | false };
type Tls = NonNullable<ChannelOptions['tls']>;

/** Options of a channel that trusts the test's authority. */
function tlsOptions(port: number, tls: Partial<Tls> = {}, authority?: string): ChannelOptions {
  return channelOptions(port, { tls: { ca: pem('ca.pem'), rejectUnauthorized: true, ...tls }, authority });
}

/** What the server knows of the connection. */
async function seenByServer(options: ChannelOptions): Promise<unknown> {
  channel = await openChannel(options);
  const call = startCall(channel);
  expect(await call.ended).toMatchObject({ code: 'OK' });
  return JSON.parse(call.texts()[0] ?? '');
}

/** The text that connecting fails with. */
async function failure(options: ChannelOptions): Promise<string> {
  const error: unknown = await openChannel(options).then(
    (opened) => {
      channel = opened;
    },
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ code: 'connection_failed' });
  return (error as Error).message;
}

describe('TLS', () => {
  it('trusts the authority that it is given', async () => {
    const port = await tlsServer();
    expect(await seenByServer(tlsOptions(port))).toEqual({ authorized: false, servername: false });
  });

  it('checks and sends the name of the authority, without its port', async () => {
    const port = await tlsServer();
    const seen = await seenByServer(tlsOptions(port, {}, 'feed.example:443'));
    expect(seen).toEqual({ authorized: false, servername: 'feed.example' });
  });

  it('shows its own certificate', async () => {
    const port = await tlsServer({ requestCert: true, ca: pem('ca.pem') });
    expect(await seenByServer(tlsOptions(port, credentials('client')))).toMatchObject({ authorized: true });
  });

  it('refuses a certificate of an unknown authority', async () => {
    const port = await tlsServer();
    expect(await failure(tlsOptions(port, { ca: pem('other-ca.pem') }))).toMatch(
      /^cannot connect to 127\.0\.0\.1:\d+: its certificate is not trusted: .*certificate.*; name the authority that signed it in grpc\.tls\.ca\.cert$/,
    );
  });

  it('refuses a certificate for another name', async () => {
    const port = await tlsServer();
    expect(await failure(tlsOptions(port, {}, 'other.example'))).toMatch(
      /: its certificate is for another name: .*other\.example.*feed\.example.*; connect by a name that the certificate has, or set grpc\.authority to one$/,
    );
  });

  it('refuses a certificate that has expired', async () => {
    const port = await tlsServer(credentials('expired'));
    expect(await failure(tlsOptions(port))).toMatch(/: its certificate is not valid now: .*expired/);
  });

  it('takes any certificate when verification is off', async () => {
    const port = await tlsServer(credentials('expired'));
    const options = tlsOptions(port, { ca: pem('other-ca.pem'), rejectUnauthorized: false }, 'other.example');
    expect(await seenByServer(options)).toMatchObject({ servername: 'other.example' });
  });

  it.each([
    ['TLSv1.2', 'the server refuses the handshake, perhaps for want of a client certificate'],
    ['TLSv1.3', 'the server demands a client certificate'],
  ] as const)('says that a client certificate is demanded (%s)', async (version, text) => {
    const options = { requestCert: true, rejectUnauthorized: true, ca: pem('ca.pem') };
    const port = await tlsServer({ ...options, maxVersion: version });
    expect(await failure(tlsOptions(port))).toContain(`: ${text}: `);
  });

  it('says that its certificate is refused', async () => {
    const port = await strictServer();
    expect(await failure(tlsOptions(port, credentials('stranger')))).toContain(
      ': the server refuses the client certificate: ',
    );
  });

  it.each([
    ['no protocol', []],
    ['HTTP/1 alone', ['http/1.1']],
  ])('says that a server which offers %s offers no HTTP/2', async (_name, protocols) => {
    const options = { ...credentials('server'), ALPNProtocols: protocols };
    const server = createTlsServer(options, (socket) => socket.on('error', () => undefined));
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    close = () => new Promise((resolve) => server.close(resolve));
    const { port } = server.address() as AddressInfo;
    expect(await failure(tlsOptions(port))).toContain(
      ': the server does not offer HTTP/2 (ALPN "h2") over TLS',
    );
  });

  it('says that the server does not speak TLS, and does not fall back to plaintext', async () => {
    const heard: Buffer[] = [];
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        heard.push(chunk);
        socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    close = () => new Promise((resolve) => server.close(resolve));
    const { port } = server.address() as AddressInfo;
    expect(await failure(tlsOptions(port))).toMatch(/: the server does not speak TLS: /);
    expect(heard).toHaveLength(1);
    expect(heard[0]?.[0]).toBe(22); // a TLS handshake record
  });

  it('is not spoken to a server without being asked for', async () => {
    const port = await tlsServer();
    expect(await failure(channelOptions(port))).toMatch(
      /: (connection closed by the server before its HTTP\/2 settings arrived; perhaps it expects TLS \(grpc\.tls\.enabled=true\)|.*expects TLS.*|read ECONNRESET)$/,
    );
  });

  it('carries keepalive pings and their answers', async () => {
    const port = await tlsServer();
    channel = await openChannel({ ...tlsOptions(port), keepaliveTimeMs: 20, keepaliveTimeoutMs: 60_000 });
    const call = startCall(channel);
    await waitFor(() => call.texts().length === 1);
    expect(await call.ended).toMatchObject({ code: 'OK' });
  });
});
