// OTLP/HTTP as the specification has it, over sockets against a whole task.
import { request as httpRequest } from 'node:http';
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import type { RawConfig, SourceRecord } from '@levada/connect-runtime-core';
import { rawClient, requestText } from '@levada/test-peers/otlp';
import { realisticRequest } from '@levada/test-peers/otlp-requests';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { otlpSchema } from '../src/model/otlp-schema.ts';
import { type RunningTask, startTask, texts } from './running-task.ts';
import { readStatus } from './status-message.ts';

const schema = otlpSchema();
const spans = Buffer.from(realisticRequest(schema, 'traces', 2));
const points = Buffer.from(realisticRequest(schema, 'metrics', 2));
const PROTOBUF = { 'content-type': 'application/x-protobuf' };
const JSON_TYPE = { 'content-type': 'application/json' };

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

interface Sent {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Uint8Array | string;
  readonly chunked?: boolean;
}

function sendTo(port: number, sent: Sent): Promise<Answer> {
  const { path = '/v1/traces', method = 'POST', headers = PROTOBUF, body = '', chunked = false } = sent;
  const length = chunked ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, path, method, headers: { ...length, ...headers } as Record<string, string> },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        );
      },
    );
    request.on('error', reject);
    if (chunked) for (const byte of Buffer.from(body)) request.write(Buffer.of(byte));
    request.end(chunked ? undefined : body);
  });
}

/** What comes of requests that are sent to one task, one after the other. */
async function outcome(
  requests: readonly Sent[],
  raw: RawConfig = {},
): Promise<{ readonly answers: readonly Answer[]; readonly records: readonly SourceRecord[] }> {
  const running = await startTask(raw);
  const answers: Answer[] = [];
  for (const sent of requests) answers.push(await sendTo(running.httpPort, sent));
  return { answers, records: await running.stop() };
}

const statuses = ({ answers }: { readonly answers: readonly Answer[] }): readonly number[] =>
  answers.map(({ status }) => status);

describe('an export over HTTP', () => {
  it.each(['traces', 'metrics', 'logs'] as const)(
    'the receiver accepts an export of %s in protobuf and answers with an empty message of the same type',
    async (signal) => {
      const body = realisticRequest(schema, signal, 3);
      const { answers, records } = await outcome([{ path: `/v1/${signal}`, body }]);
      expect(answers).toMatchObject([{ status: 200, headers: PROTOBUF, body: Buffer.alloc(0) }]);
      expect(records.map(({ topic }) => topic)).toEqual([`otlp-${signal}`]);
    },
  );

  it.each([
    ['an empty body', PROTOBUF, '', ''],
    ['a resource without spans', PROTOBUF, Buffer.from('0a00', 'hex'), ''],
    ['{}', JSON_TYPE, '{}', '{}'],
    ['an empty list', JSON_TYPE, '{"resourceSpans":[]}', '{}'],
  ])(
    'the receiver answers an export with nothing in it (%s) with success, and makes no record',
    async (_, headers, body, answered) => {
      const { answers, records } = await outcome([{ headers, body }]);
      expect(answers).toMatchObject([{ status: 200, headers, body: Buffer.from(answered) }]);
      expect(records).toEqual([]);
    },
  );

  it.each([
    ['application/x-protobuf', 200],
    ['APPLICATION/X-PROTOBUF', 200],
    ['application/x-protobuf; charset=utf-8', 200],
    ['application/octet-stream', 415],
    ['text/plain', 415],
    ['application/grpc', 415],
    ['application/x-protobuf, application/json', 415],
  ])('the receiver answers an export of Content-Type %s with %i', async (type, status) => {
    const result = await outcome([{ headers: { 'content-type': type }, body: spans }]);
    expect(statuses(result)).toEqual([status]);
    expect(result.records).toHaveLength(status === 200 ? 1 : 0);
  });

  it.each([{}, { 'content-type': ['application/json', 'application/json'] }])(
    'the receiver answers an export with no Content-Type, or with two, with 415: %j',
    async (headers) => {
      const running = await startTask();
      const client = await rawClient(running.httpPort);
      const lines = Object.entries(headers).flatMap(([name, values]) =>
        values.map((value) => `${name}: ${value}\r\n`),
      );
      client.send(`POST /v1/traces HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n${lines.join('')}\r\n{}`);
      expect((await client.answer()).status).toBe(415);
      await running.stop();
    },
  );

  it.each([
    ['identity', spans, 200],
    ['gzip', gzipSync(spans), 200],
    ['GZIP', gzipSync(spans), 200],
    ['deflate', deflateSync(spans), 200],
    ['zstd', zstdCompressSync(spans), 200],
    ['gzip', Buffer.concat([gzipSync(spans), gzipSync(spans)]), 200],
    ['gzip', spans, 400],
    ['gzip', gzipSync(spans).subarray(0, -9), 400],
    ['gzip', Buffer.concat([gzipSync(spans), Buffer.from('more')]), 400],
    ['gzip', changed(gzipSync(spans)), 400],
    ['br', spans, 415],
    ['gzip, gzip', gzipSync(gzipSync(spans)), 415],
  ])(
    'the receiver reads or refuses an export of Content-Encoding %s and the given bytes: %#',
    async (encoding, body, status) => {
      const headers = { ...PROTOBUF, 'content-encoding': encoding };
      const result = await outcome([{ headers, body }]);
      expect(statuses(result)).toEqual([status]);
      expect(result.answers[0]?.headers).toMatchObject(PROTOBUF);
      expect(result.records).toHaveLength(status === 200 ? 1 : 0);
    },
  );

  it('the receiver answers an export that is too large, by its length, in chunks or inflated, with 413', async () => {
    const limits = { 'otlp.max.request.size': '100000', 'otlp.max.compressed.size': '5000' };
    const large = Buffer.alloc(100_001);
    const gzip = { ...PROTOBUF, 'content-encoding': 'gzip' };
    const result = await outcome(
      [
        { body: large },
        { headers: gzip, body: gzipSync(large) },
        { headers: gzip, body: gzipSync(Buffer.alloc(200 * 1024 * 1024)) },
      ],
      limits,
    );
    expect(statuses(result)).toEqual([413, 413, 413]);
    for (const { headers, body } of result.answers)
      expect(readStatus(String(headers['content-type']), body).code).toBe(8);
  });

  it.each([
    ['/v1/traces', 200],
    ['/v1/traces?tenant=a', 200],
    ['/v1/traces/', 404],
    ['/v1/tracesX', 404],
    ['/V1/traces', 404],
    ['/', 404],
    ['/v1development/profiles', 404],
  ])('the receiver answers an export to %s with %i', async (path, status) => {
    expect(statuses(await outcome([{ path, body: spans }]))).toEqual([status]);
  });

  it('the receiver accepts exports at configured paths, and then not at the default ones', async () => {
    const paths = { 'otlp.http.path.traces': '/in/spans' };
    const result = await outcome([{ path: '/in/spans', body: spans }, { body: spans }], paths);
    expect(statuses(result)).toEqual([200, 404]);
  });

  it.each(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])(
    'the receiver answers method %s with 405',
    async (method) => {
      const { answers } = await outcome([{ method }]);
      expect(answers).toMatchObject([{ status: 405, headers: { allow: 'POST' } }]);
    },
  );

  it('the receiver accepts an export in chunks, byte by byte', async () => {
    const result = await outcome([{ body: spans, chunked: true }]);
    expect([statuses(result), result.records.length]).toEqual([[200], 1]);
  });

  it('the receiver answers an export that does not match its Content-Length with 400, and makes no record', async () => {
    const running = await startTask();
    const client = await rawClient(running.httpPort);
    client.send(requestText({ 'Content-Length': '50' }, { body: 'short' }));
    client.socket.end();
    expect((await client.answer()).status).toBe(400);
    expect(await running.stop()).toEqual([]);
  });

  it('the receiver asks for the body of an export with 100 Continue, unless it will be refused', async () => {
    const running = await startTask({ 'otlp.max.request.size': '100000' });
    const client = await rawClient(running.httpPort);
    client.send(requestText({ 'Content-Length': '0', Expect: '100-continue' }));
    expect((await client.answer()).status).toBe(100);
    expect((await client.answer()).status).toBe(200);
    client.send(requestText({ 'Content-Length': '100001', Expect: '100-continue' }));
    expect((await client.answer()).status).toBe(413);
    await running.stop();
  });

  it('the receiver accepts exports of web pages from configured origins only', async () => {
    const origin = 'https://shop.example';
    const from = (page: string): Sent => ({ headers: { ...PROTOBUF, origin: page }, body: spans });
    const preflight = {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    };
    const allowed = { 'otlp.http.cors.allowed.origins': origin };
    const { answers } = await outcome([preflight, from(origin), from('https://other.example')], allowed);
    expect(answers.map(({ status }) => status)).toEqual([204, 200, 403]);
    expect(answers[1]?.headers).toMatchObject({ 'access-control-allow-origin': origin });
    const plain = { headers: { 'content-type': 'text/plain', origin }, body: spans };
    expect(statuses(await outcome([plain, from(origin)]))).toEqual([403, 403]);
  });

  it('the receiver requires a token when one is configured', async () => {
    const tokens = { 'otlp.auth.tokens': 'one,two' };
    const withToken = (authorization: string): Sent => ({
      headers: { ...PROTOBUF, authorization },
      body: spans,
    });
    const { answers } = await outcome(
      [{ body: spans }, withToken('Bearer wrong'), withToken('Basic b25l'), withToken('Bearer two')],
      tokens,
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 200]);
    expect(readStatus('application/x-protobuf', answers[0]?.body ?? Buffer.alloc(0)).code).toBe(16);
  });

  it('the receiver asks the client to retry later when it sends too many exports, or when a queue is full', async () => {
    const one = await outcome([{ body: spans }, { body: spans }, { body: spans }], {
      'otlp.rate.limit': '1',
    });
    expect(one.answers.at(-1)).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    const full = await outcome([{ body: spans }, { body: spans }], {
      'otlp.message.queue.size': '1',
      'otlp.queue.full.grace.ms': '0',
    });
    expect(full.answers.at(-1)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  });
});

describe('a body that is not an export', () => {
  let running: RunningTask;
  beforeAll(async () => {
    running = await startTask();
  });
  afterAll(() => running.stop());

  it('the receiver answers a body that is truncated anywhere with 400, unless the rest is a valid export', async () => {
    for (let size = 1; size < spans.length; size += 1) {
      const { status } = await sendTo(running.httpPort, { body: spans.subarray(0, size) });
      expect([200, 400], `${size} bytes`).toContain(status);
    }
    expect(await sendTo(running.httpPort, { body: spans.subarray(0, -1) })).toMatchObject({ status: 400 });
  });

  it('the receiver answers a body of another signal with 400 and a Status that names the place', async () => {
    const { status, headers, body } = await sendTo(running.httpPort, { body: points });
    expect(status).toBe(400);
    const { code, message } = readStatus(String(headers['content-type']), body);
    expect([code, message]).toEqual([3, expect.stringContaining('resource_spans[0].scope_spans[0]')]);
  });
});

describe('a string of a protobuf request that is not UTF-8', () => {
  const wrong = Buffer.from('0a08120612042a02fffe', 'hex');

  it('the receiver replaces invalid UTF-8 with U+FFFD in JSON, and keeps its bytes in protobuf', async () => {
    const [json] = texts((await outcome([{ body: wrong }])).records);
    expect(JSON.parse(json ?? '')).toEqual({
      resourceSpans: [{ scopeSpans: [{ spans: [{ name: '\ufffd\ufffd' }] }] }],
    });
    const [base64] = texts((await outcome([{ body: wrong }], { 'otlp.message.format': 'protobuf' })).records);
    expect(base64).toBe(wrong.toString('base64'));
  });

  it('the receiver refuses invalid UTF-8 with otlp.invalid.utf8=reject', async () => {
    expect(statuses(await outcome([{ body: wrong }], { 'otlp.invalid.utf8': 'reject' }))).toEqual([400]);
  });
});

/** The same but for a bit of the checksum. */
function changed(gzip: Buffer): Buffer {
  const copy = Buffer.from(gzip);
  copy[copy.length - 6] = (copy[copy.length - 6] ?? 0) ^ 1;
  return copy;
}
