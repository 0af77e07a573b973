// A client that mixes up the ports of the two receivers, or TLS, is answered so in its own protocol, and the log reports it.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { credentials } from '@grpc/grpc-js';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { frameOf, opening, rawClient as rawGrpcClient } from '@levada/test-peers/http2';
import { grpcClient, postExport, rawClient, requestText, spanNamed } from '@levada/test-peers/otlp';
import { createAuthority, type KeyPair, type TestAuthority } from '@levada/test-peers/tls';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Http2Server } from '../src/receive/admission/receiver.ts';
import { describeOverServers } from './http2-servers.ts';
import { type RunningTask, startTask } from './running-task.ts';

let authority: TestAuthority;
let server: KeyPair;

beforeAll(() => {
  authority = createAuthority('test authority');
  server = authority.issue('collector');
});

async function started(raw: Readonly<Record<string, string>> = {}): Promise<RunningTask> {
  const running = await startTask(raw);
  onTestFinished(async () => void (await running.stop()));
  return running;
}

function startedWithTls(http2: Http2Server): Promise<RunningTask> {
  const folder = mkdtempSync(join(tmpdir(), 'levada-otlp-wrong-port-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'own.pem'), server.cert);
  writeFileSync(join(folder, 'own.key'), server.key);
  return started({
    'otlp.http2.server': http2,
    'otlp.tls.enabled': 'true',
    'otlp.tls.cert.path': join(folder, 'own.pem'),
    'otlp.tls.key.path': join(folder, 'own.key'),
  });
}

/** Status and text of a request of node:http2 that is not gRPC. */
function askHttp2(url: string): Promise<readonly [status: unknown, text: string]> {
  return new Promise((resolve, reject) => {
    const session = connectHttp2(url, { ca: authority.ca });
    onTestFinished(() => session.destroy());
    session.on('error', reject);
    const stream = session.request({ ':method': 'POST', ':path': '/v1/traces' });
    let head: IncomingHttpHeaders = {};
    let text = '';
    stream.on('response', (headers) => {
      head = headers;
    });
    stream.on('data', (chunk) => (text += String(chunk)));
    stream.on('error', reject).on('end', () => resolve([head[':status'], text]));
    stream.end('spans');
  });
}

describeOverServers('HTTP/1 on the gRPC port', (server) => {
  it('the receiver answers HTTP/1 on the gRPC port in HTTP/1 with the port of OTLP/HTTP, counts and logs it', async () => {
    const running = await started({ 'otlp.http2.server': server });
    const { status, json } = await postExport(running.grpcPort, 'traces', spanNamed('a'));
    const message = `this is the OTLP/gRPC port; OTLP/HTTP is on port ${running.httpPort}`;
    expect([status, json]).toEqual([400, { code: 3, message }]);
    expect(running.metrics.read('GrpcWrongProtocol')).toBe(1);
    expect(running.logger.withEvent('wrong_protocol')).toMatchObject([
      { level: 'warn', fields: { protocol: 'grpc', peer: '127.0.0.1', found: 'HTTP/1' } },
    ]);
  });

  it('the receiver recognizes HTTP/1 byte by byte, and delivers the answer before a large body is read', async () => {
    const running = await started({ 'otlp.http2.server': server });
    const client = await rawClient(running.grpcPort, { halfOpen: true });
    const text = requestText({ 'Content-Length': '500000' });
    client.send(text.slice(0, 1));
    await waitFor(() => client.socket.writableLength === 0);
    client.send(text.slice(1, 2));
    expect(await client.answer()).toMatchObject({ status: 400, headers: { connection: 'close' } });
    client.send(text.slice(2) + 'a'.repeat(500_000));
    expect(await client.ended()).toBe(true);
  });

  it('the receiver answers HTTP/1 on the gRPC port that OTLP/HTTP is not enabled when it is not', async () => {
    const running = await started({ 'otlp.http2.server': server, 'otlp.http.enabled': 'false' });
    const { json } = await postExport(running.grpcPort, 'traces', spanNamed('a'));
    expect(json).toMatchObject({ message: 'this is the OTLP/gRPC port; OTLP/HTTP is not enabled' });
  });

  it('the receiver answers HTTP/1 on the gRPC port over TLS, too', async () => {
    const running = await startedWithTls(server);
    const text = await new Promise<string>((resolve, reject) => {
      const options = { port: running.grpcPort, host: '127.0.0.1', ca: authority.ca, method: 'POST' };
      const sent = httpsRequest({ ...options, path: '/v1/traces', agent: false }, (response) => {
        let body = '';
        response.on('data', (chunk) => (body += String(chunk)));
        response.on('end', () => resolve(body));
      });
      sent.on('error', reject).end('spans');
    });
    expect(text).toContain(`OTLP/HTTP is on port ${running.httpPort}`);
  });
});

describe('HTTP/2 on the HTTP port', () => {
  it('the receiver answers a gRPC client on the HTTP port with a status that names the port of OTLP/gRPC, counts and logs it', async () => {
    const running = await started();
    const result = await grpcClient(running.httpPort).export('traces', Buffer.from('spans'));
    const message = `this is the OTLP/HTTP port; OTLP/gRPC is on port ${running.grpcPort}`;
    expect(result).toMatchObject({ code: 12, details: message });
    expect(running.metrics.read('HttpWrongProtocol')).toBe(1);
    expect(running.metrics.read('RejectedInvalid')).toBe(0);
    expect(running.logger.withEvent('wrong_protocol')).toMatchObject([
      { level: 'warn', fields: { protocol: 'http', peer: '127.0.0.1', found: 'HTTP/2' } },
    ]);
  });

  it('the receiver answers another HTTP/2 client on the HTTP port with 400 and the same message, over TLS, too', async () => {
    const plain = await started();
    const message = (port: number): string => `this is the OTLP/HTTP port; OTLP/gRPC is on port ${port}\n`;
    expect(await askHttp2(`http://127.0.0.1:${plain.httpPort}`)).toEqual([400, message(plain.grpcPort)]);
    const secure = await startedWithTls('levada');
    expect(await askHttp2(`https://127.0.0.1:${secure.httpPort}`)).toEqual([400, message(secure.grpcPort)]);
    const ssl = credentials.createSsl(Buffer.from(authority.ca));
    const result = await grpcClient(secure.httpPort, { tls: ssl }).export('traces', Buffer.from('spans'));
    expect(result).toMatchObject({ code: 12 });
  });

  it('the receiver answers curl with HTTP/2 on the HTTP port', async () => {
    const running = await started();
    const url = `http://127.0.0.1:${running.httpPort}/v1/traces`;
    const { stdout } = await promisify(execFile)('curl', ['-s', '--http2-prior-knowledge', '-d', 'a', url]);
    expect(stdout).toContain('this is the OTLP/HTTP port');
  });

  it('the receiver answers an HTTP/2 request on the HTTP port after its body, and does not reset it', async () => {
    const running = await started();
    const client = rawGrpcClient(running.httpPort);
    const path = Buffer.from([0x83, 0x86, 0x84]); // POST, http, "/"
    client.write(Buffer.concat([opening, frameOf('headers', { streamId: 1, flags: 4, payload: path })]));
    client.write(frameOf('ping', { payload: Buffer.alloc(8) }));
    await client.frame('ping');
    expect(client.frames.filter(({ streamId }) => streamId === 1)).toEqual([]);
    client.write(frameOf('data', { streamId: 1, flags: 1, payload: Buffer.from('a') }));
    await client.frame('goaway');
    const types = client.frames.filter(({ streamId }) => streamId === 1).map(({ type }) => type);
    expect(types).toEqual([1, 0, 1]); // HEADERS, DATA, HEADERS
    await waitFor(client.closed);
  });

  it('the receiver ends the connection of an HTTP/2 client on the HTTP port, counted, where the HTTP/2 server of Node is used', async () => {
    const running = await started({ 'otlp.http2.server': 'node' });
    const client = rawGrpcClient(running.httpPort);
    client.write(opening);
    await waitFor(client.closed);
    expect(running.metrics.read('HttpWrongProtocol')).toBe(1);
  });

  it('the receiver recognizes an HTTP/2 preface in pieces, and closes the connection after one request', async () => {
    const running = await started();
    const client = rawGrpcClient(running.httpPort);
    for (let at = 0; at < opening.length; at += 5) {
      client.write(opening.subarray(at, at + 5));
      await waitFor(() => client.socket.writableLength === 0);
    }
    await client.frame('settings');
    client.write(frameOf('headers', { streamId: 1, flags: 5, payload: Buffer.from([0x83, 0x86, 0x84]) }));
    expect((await client.frame('headers', 1)).streamId).toBe(1);
    expect((await client.frame('goaway')).payload.readUInt32BE(4)).toBe(0);
    await waitFor(client.closed);
  });

  it('the receiver does not count an HTTP/2 preface after an HTTP/1 request as a wrong protocol', async () => {
    const running = await started();
    const client = await rawClient(running.httpPort);
    client.send(requestText({ 'Content-Length': '0' }));
    expect(await client.answer()).toMatchObject({ status: 200 });
    client.send('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    expect(await client.answer()).toMatchObject({ status: 400 });
    expect(running.metrics.read('HttpWrongProtocol')).toBe(0);
  });

  it('an HTTP/2 client on the HTTP port delays neither the end of the task nor other clients', async () => {
    const running = await startTask();
    const client = rawGrpcClient(running.httpPort);
    client.write(opening);
    await client.frame('settings');
    expect((await postExport(running.httpPort, 'traces', spanNamed('a'))).status).toBe(200);
    await running.stop();
    await waitFor(client.closed);
  });
});

it.each(['grpc', 'http'] as const)(
  'TLS on the %s port without TLS is counted and logged',
  async (protocol) => {
    const running = await started();
    const port = protocol === 'grpc' ? running.grpcPort : running.httpPort;
    const socket = connectTls({ port, host: '127.0.0.1', ca: authority.ca, ALPNProtocols: ['h2'] });
    socket.on('error', () => undefined);
    await waitFor(() => socket.destroyed);
    await running.logged('wrong_protocol');
    expect(running.logger.withEvent('wrong_protocol')).toMatchObject([
      { fields: { protocol, found: 'TLS' } },
    ]);
    expect(running.metrics.read(protocol === 'grpc' ? 'GrpcWrongProtocol' : 'HttpWrongProtocol')).toBe(1);
  },
);

it('TLS on the HTTP port without TLS gets an answer in HTTP/1, which some clients recognize', async () => {
  const running = await started();
  const client = await rawClient(running.httpPort);
  client.send('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03');
  const { status, body } = await client.answer();
  const message = 'the request is TLS, which this port does not use';
  expect([status, JSON.parse(body.toString())]).toEqual([400, { code: 3, message }]);
  expect(running.metrics.read('RejectedInvalid')).toBe(0);
});

it('bytes of no known protocol on the gRPC port end the connection with GOAWAY, and are logged', async () => {
  const running = await started();
  const client = rawGrpcClient(running.grpcPort);
  client.write(Buffer.from([1, 2, 3, 4]));
  expect((await client.frame('goaway')).payload.readUInt32BE(4)).toBe(1);
  await waitFor(client.closed);
  expect(running.logger.withEvent('wrong_protocol')).toMatchObject([{ fields: { found: 'unknown' } }]);
});
