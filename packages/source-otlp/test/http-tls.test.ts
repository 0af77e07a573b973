import { request } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { connect, type SecureVersion, type TLSSocket } from 'node:tls';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { requestText } from '@levada/test-peers/otlp';
import { createAuthority, type KeyPair, type TestAuthority } from '@levada/test-peers/tls';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { refuse } from '../src/receive/admission/export-outcome.ts';
import { openTestReceiver } from './http-receiver.ts';

let authority: TestAuthority;
let server: KeyPair;
let client: KeyPair;
let renewed: KeyPair;

beforeAll(() => {
  authority = createAuthority('test authority');
  server = authority.issue('collector');
  client = authority.issue('client');
  renewed = authority.issue('renewed');
});

interface Answer {
  readonly status: number | undefined;
  /** Of the receiver's certificate. */
  readonly subject: string | string[] | undefined;
}

interface PostOptions extends Partial<KeyPair> {
  readonly body?: Buffer;
}

function post(port: number, { body = Buffer.from('spans'), ...own }: PostOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-protobuf', 'content-length': body.length };
    const options = { port, host: '127.0.0.1', path: '/v1/traces', method: 'POST', headers, agent: false };
    const sent = request({ ...options, ca: authority.ca, ...own }, (response) => {
      const subject = (response.socket as TLSSocket).getPeerCertificate().subject.CN;
      response.resume().on('end', () => resolve({ status: response.statusCode, subject }));
    });
    sent.on('error', reject).end(body);
  });
}

/** Resolves with the negotiated version; rejects when there is none. */
function handshake(port: number, version: SecureVersion): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const socket = connect(
      {
        port,
        host: '127.0.0.1',
        ca: authority.ca,
        minVersion: version,
        maxVersion: version,
        ciphers: 'ALL:@SECLEVEL=0',
      },
      () => resolve(socket.getProtocol()),
    );
    onTestFinished(() => void socket.destroy());
    socket.on('error', reject);
  });
}

describe('over TLS', () => {
  it('exports are taken, large ones too', async () => {
    const { receiver, intake } = await openTestReceiver({
      tls: { context: server, clientCertificate: false },
    });
    expect(await post(receiver.port)).toStrictEqual({ status: 200, subject: 'collector' });
    const body = Buffer.alloc(1_000_000, 'spans ');
    expect(await post(receiver.port, { body })).toMatchObject({ status: 200 });
    expect(intake.seen[1]?.body).toHaveLength(body.length);
    expect(intake.seen).toMatchObject([{ head: { peer: '127.0.0.1' }, releases: 1 }, { releases: 1 }]);
  });

  it('the receiver accepts no TLS version below 1.2, whatever the context allows', async () => {
    const context = { ...server, minVersion: 'TLSv1' as const, ciphers: 'ALL:@SECLEVEL=0' };
    const { receiver } = await openTestReceiver({ tls: { context, clientCertificate: false } });
    expect(await handshake(receiver.port, 'TLSv1.2')).toBe('TLSv1.2');
    expect(await handshake(receiver.port, 'TLSv1.3')).toBe('TLSv1.3');
    await expect(handshake(receiver.port, 'TLSv1.1')).rejects.toThrow(/alert|version|protocol/i);
    receiver.setTls(context);
    await expect(handshake(receiver.port, 'TLSv1.1')).rejects.toThrow(/alert|version|protocol/i);
  });

  it('the receiver shows a new certificate to new connections, and keeps open ones', async () => {
    const { receiver } = await openTestReceiver({ tls: { context: server, clientCertificate: false } });
    const open = connect({ port: receiver.port, host: '127.0.0.1', ca: authority.ca });
    onTestFinished(() => void open.destroy());
    await waitFor(() => open.authorized);
    receiver.setTls(renewed);
    expect(await post(receiver.port)).toStrictEqual({ status: 200, subject: 'renewed' });
    let answer = '';
    open.on('data', (chunk) => (answer += chunk.toString()));
    open.write(requestText({ 'Content-Length': '1' }, { body: 'a' }));
    await waitFor(() => answer.startsWith('HTTP/1.1 200'));
    expect(open.getPeerCertificate().subject.CN).toBe('collector');
  });

  it('the receiver closes the connection of a client without TLS, and still serves others', async () => {
    const { receiver, intake, errors } = await openTestReceiver({
      tls: { context: server, clientCertificate: false },
    });
    const plain = connectPlain(receiver.port, '127.0.0.1', () => plain.write(requestText({})));
    plain.on('error', () => undefined);
    await waitFor(() => plain.destroyed);
    expect(await post(receiver.port)).toMatchObject({ status: 200 });
    expect([intake.early, errors]).toStrictEqual([[], []]);
  });

  it('a client that never shakes hands is cut off', async () => {
    const timeouts = { headersMs: 80, requestMs: 200, keepAliveMs: 60_000 };
    const { receiver } = await openTestReceiver({
      tls: { context: server, clientCertificate: false },
      timeouts,
    });
    const silent = connectPlain(receiver.port, '127.0.0.1');
    silent.on('error', () => undefined).resume();
    await waitFor(() => silent.destroyed);
    expect(receiver.connections).toBe(0);
  });

  it('the receiver delivers the answer to a refused body although the client keeps sending', async () => {
    const { receiver, intake } = await openTestReceiver({
      tls: { context: server, clientCertificate: false },
      maxRequestBytes: 100 * 1024 * 1024,
    });
    intake.onAdmit = () => refuse('unauthenticated', 'no token');
    expect(await post(receiver.port, { body: Buffer.alloc(20 * 1024 * 1024) })).toMatchObject({
      status: 401,
    });
  });

  it('closing ends connections, also those that never shook hands', async () => {
    const { receiver } = await openTestReceiver({ tls: { context: server, clientCertificate: false } });
    const silent = connectPlain(receiver.port, '127.0.0.1');
    onTestFinished(() => void silent.destroy());
    const open = connect({ port: receiver.port, host: '127.0.0.1', ca: authority.ca });
    onTestFinished(() => void open.destroy());
    open.write(requestText({ 'Content-Length': '1' }, { body: 'a' }));
    open.resume();
    await waitFor(() => open.bytesRead > 0 && receiver.connections === 2);
    await receiver.close({ graceMs: 60_000 });
    expect(receiver.connections).toBe(0);
  });

  it('files that do not fit reject, and leave nothing open', async () => {
    const context = { cert: server.cert, key: client.key };
    await expect(openTestReceiver({ tls: { context, clientCertificate: false } })).rejects.toThrow(
      /key values mismatch/,
    );
  });
});

describe('over mutual TLS', () => {
  it('a client with a certificate of the authority may send', async () => {
    const context = { ...server, ca: authority.ca };
    const { receiver } = await openTestReceiver({ tls: { context, clientCertificate: true } });
    expect(await post(receiver.port, client)).toMatchObject({ status: 200 });
  });

  it('clients without one, or of another authority, may not, also after new files came', async () => {
    const context = { ...server, ca: authority.ca };
    const { receiver, intake } = await openTestReceiver({ tls: { context, clientCertificate: true } });
    const stranger = createAuthority('other authority').issue('stranger');
    for (let round = 0; round < 2; round++) {
      await expect(post(receiver.port)).rejects.toThrow(/alert|ECONNRESET|socket/);
      await expect(post(receiver.port, stranger)).rejects.toThrow(/alert|ECONNRESET|socket/);
      receiver.setTls({ ...renewed, ca: authority.ca });
    }
    expect(intake.seen).toStrictEqual([]);
    expect(await post(receiver.port, client)).toStrictEqual({ status: 200, subject: 'renewed' });
  });
});
