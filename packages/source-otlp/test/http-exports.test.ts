import { Agent, request } from 'node:http';
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { rawClient, requestText } from '@levada/test-peers/otlp';
import { describe, expect, it } from 'vitest';
import { signalNames, signals } from '../src/model/signals.ts';
import { accepted, refuse } from '../src/receive/admission/export-outcome.ts';
import { openTestReceiver } from './http-receiver.ts';

const protobuf = 'application/x-protobuf';
const json = 'application/json';
const compressions = { gzip: gzipSync, deflate: deflateSync, zstd: zstdCompressSync };

function post(url: string, body: Uint8Array, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': protobuf, ...headers }, body });
}

describe.each(signalNames)('an export of %s', (name) => {
  it('the receiver hands over a protobuf export unchanged and answers with an empty message', async () => {
    const { intake, url } = await openTestReceiver();
    const response = await post(`${url}${signals[name].path}`, Buffer.from('export'));
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(protobuf);
    expect(response.headers.get('content-length')).toBe('0');
    expect(intake.seen).toMatchObject([{ head: { signal: name }, form: 'protobuf', releases: 1 }]);
    expect(intake.seen[0]?.body).toStrictEqual(new Uint8Array(Buffer.from('export')));
  });

  it('the receiver answers a JSON export with an empty object', async () => {
    const { intake, url } = await openTestReceiver();
    const body = Buffer.from('{"resourceSpans":[]}');
    const response = await post(`${url}${signals[name].path}`, body, { 'content-type': json });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(json);
    expect(await response.text()).toBe('{}');
    expect(intake.seen).toMatchObject([{ head: { signal: name }, form: 'json', releases: 1 }]);
  });

  it('the receiver answers a partly accepted JSON export with the rejected count', async () => {
    const { intake, url } = await openTestReceiver();
    intake.onTake = () => ({ kind: 'accepted', partial: { rejected: 3, message: 'too "large"' } });
    const response = await post(`${url}${signals[name].path}`, Buffer.from('{}'), { 'content-type': json });
    expect(response.status).toBe(200);
    expect(await response.json()).toStrictEqual({
      partialSuccess: { [signals[name].rejected]: '3', errorMessage: 'too "large"' },
    });
  });

  it('the receiver answers a partly accepted protobuf export with the rejected count', async () => {
    const { intake, url } = await openTestReceiver();
    intake.onTake = async () => ({ kind: 'accepted', partial: { rejected: 70_000, message: 'too large' } });
    const response = await post(`${url}${signals[name].path}`, Buffer.alloc(0));
    expect(response.status).toBe(200);
    const reader = new BinaryReader(new Uint8Array(await response.arrayBuffer()));
    expect(reader.tag()).toStrictEqual([1, 2]);
    reader.uint32();
    expect([reader.tag(), reader.int64(), reader.tag(), reader.string()]).toStrictEqual([
      [1, 0],
      70_000n,
      [2, 2],
      'too large',
    ]);
    expect(reader.pos).toBe(reader.len);
  });
});

describe('the head of a request that an intake receives', () => {
  it('the receiver passes headers, peer and length of a request to the intake', async () => {
    const { intake, url, receiver } = await openTestReceiver();
    await post(`${url}/v1/logs?tenant=a`, Buffer.from('12345'), { authorization: 'Bearer secret' });
    expect(intake.seen[0]?.head).toStrictEqual({
      signal: 'logs',
      transport: 'http',
      authorization: 'Bearer secret',
      host: `127.0.0.1:${receiver.port}`,
      peer: '127.0.0.1',
      declaredBytes: 5,
      timeoutMs: undefined,
      metadata: undefined,
    });
  });

  it('the receiver leaves out of the head what was not sent', async () => {
    const { intake, receiver } = await openTestReceiver();
    const client = await rawClient(receiver.port);
    client.send(`POST /v1/logs HTTP/1.0\r\ncontent-type: ${json}\r\n\r\n`);
    expect(await client.answer()).toMatchObject({ status: 200 });
    expect(intake.seen[0]?.head).toMatchObject({
      authorization: undefined,
      host: undefined,
      declaredBytes: undefined,
    });
  });

  it('the receiver uses the authority of a target in absolute form instead of the Host header', async () => {
    const { intake, receiver } = await openTestReceiver();
    const client = await rawClient(receiver.port);
    client.send(
      requestText(
        { Host: 'other', 'Content-Length': '0' },
        { start: 'POST http://own:1/v1/traces?a HTTP/1.1' },
      ),
    );
    expect(await client.answer()).toMatchObject({ status: 200 });
    expect(intake.seen[0]?.head).toMatchObject({ signal: 'traces', host: 'own:1' });
  });

  it('the receiver passes both values of a header that was sent twice', async () => {
    const { intake, receiver } = await openTestReceiver();
    const client = await rawClient(receiver.port);
    client.send(
      `POST /v1/traces HTTP/1.1\r\nHost: a\r\nContent-Type: ${json}\r\nContent-Length: 0\r\n` +
        'Authorization: Bearer a\r\nauthorization: Bearer b\r\n\r\n',
    );
    expect(await client.answer()).toMatchObject({ status: 200 });
    expect(intake.seen[0]?.head.authorization).toBe('Bearer a, Bearer b');
  });

  it('the receiver passes the size of the body to the intake while it arrives and after it is inflated', async () => {
    const { intake, receiver, url } = await openTestReceiver();
    const body = Buffer.alloc(100_000, 'spans ');
    const sent = gzipSync(body);
    await post(`${url}/v1/traces`, sent, { 'content-encoding': 'gzip' });
    expect(intake.seen[0]?.held).toStrictEqual([sent.length, body.length]);
    const client = await rawClient(receiver.port);
    client.send(
      requestText({ 'Transfer-Encoding': 'chunked' }, { body: '3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n' }),
    );
    await client.answer();
    expect(intake.seen[1]?.held).toStrictEqual([3, 5]);
  });
});

describe('a body', () => {
  it.each(Object.entries(compressions))(
    'the receiver inflates small and large bodies compressed with %s',
    async (name, compress) => {
      const { intake, url } = await openTestReceiver();
      const bodies = [Buffer.from('spans'), Buffer.alloc(900_000, 'spans and more '), Buffer.alloc(0)];
      for (const body of bodies) {
        const sent = compress(body);
        const response = await post(`${url}/v1/traces`, sent, { 'content-encoding': name.toUpperCase() });
        expect(response.status).toBe(200);
      }
      expect(intake.seen.map(({ body }) => Buffer.from(body ?? [1]))).toStrictEqual(bodies);
      expect(intake.seen.map(({ releases }) => releases)).toStrictEqual([1, 1, 1]);
    },
  );

  it.each(['identity', 'Identity', ' ', ''])(
    "the receiver accepts a body with the Content-Encoding '%s' unchanged",
    async (encoding) => {
      const { intake, url } = await openTestReceiver();
      const response = await post(`${url}/v1/traces`, gzipSync('a'), { 'content-encoding': encoding });
      expect(response.status).toBe(200);
      expect(intake.seen[0]?.body).toStrictEqual(new Uint8Array(gzipSync('a')));
    },
  );

  it('the receiver joins a body in chunks, with extensions and trailers', async () => {
    const { intake, receiver } = await openTestReceiver();
    const client = await rawClient(receiver.port);
    const body =
      '3;name="value"\r\nabc\r\n1\r\nd\r\n002\r\nef\r\n0\r\nChecksum: 1\r\nContent-Type: text/plain\r\n\r\n';
    client.send(requestText({ 'Transfer-Encoding': 'chunked' }, { body }));
    expect(await client.answer()).toMatchObject({ status: 200 });
    client.send(requestText({ 'Content-Length': '1' }, { body: 'g' }));
    expect(await client.answer()).toMatchObject({ status: 200 });
    expect(intake.seen.map((one) => Buffer.from(one.body ?? []).toString())).toStrictEqual(['abcdef', 'g']);
  });

  it('the receiver joins a request that arrives byte by byte, head included', async () => {
    const { intake, receiver } = await openTestReceiver();
    const client = await rawClient(receiver.port);
    client.socket.setNoDelay(true);
    const text = requestText({ 'Content-Length': '5' }, { body: 'spans' });
    for (const byte of text) {
      await new Promise<void>((resolve) => client.socket.write(byte, () => resolve()));
    }
    expect(await client.answer()).toMatchObject({ status: 200 });
    expect(Buffer.from(intake.seen[0]?.body ?? []).toString()).toBe('spans');
  });

  it('the receiver keeps the order of a body in many chunks of all sizes', async () => {
    const { intake, receiver } = await openTestReceiver();
    const client = await rawClient(receiver.port);
    const pieces = Array.from({ length: 3000 }, (_, index) =>
      Buffer.alloc(index % 50 === 0 ? 5000 : 1 + (index % 7), String(index)),
    );
    const chunks = pieces.map((piece) => `${piece.length.toString(16)}\r\n${piece.toString()}\r\n`);
    client.send(requestText({ 'Transfer-Encoding': 'chunked' }, { body: `${chunks.join('')}0\r\n\r\n` }));
    expect(await client.answer()).toMatchObject({ status: 200 });
    expect(Buffer.compare(intake.seen[0]?.body ?? Buffer.alloc(0), Buffer.concat(pieces))).toBe(0);
  });

  it.each([
    'Application/X-Protobuf',
    'application/x-protobuf; messageType="x"',
    'application/json;charset=utf-8',
    'application/json ; Charset="UTF-8" ;',
  ])("the receiver accepts a body of the type '%s'", async (type) => {
    const { intake, url } = await openTestReceiver();
    const response = await post(`${url}/v1/traces`, Buffer.from('{}'), { 'content-type': type });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(intake.seen[0]?.form === 'json' ? json : protobuf);
    expect(intake.seen[0]?.form).toBe(/json/i.test(type) ? 'json' : 'protobuf');
  });
});

describe('a connection', () => {
  it('the receiver carries one export after the other', async () => {
    const { intake, receiver } = await openTestReceiver();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const statuses: (number | undefined)[] = [];
    for (let index = 0; index < 5; index++) {
      statuses.push(
        await new Promise((resolve, reject) => {
          const options = { agent, port: receiver.port, path: '/v1/metrics', method: 'POST' };
          const sent = request({ ...options, headers: { 'content-type': json } }, (response) => {
            response.resume().on('end', () => resolve(response.statusCode));
          });
          sent.on('error', reject).end(`{"n":${index}}`);
        }),
      );
      expect(receiver.connections).toBe(1);
    }
    agent.destroy();
    expect(statuses).toStrictEqual([200, 200, 200, 200, 200]);
    expect(intake.seen).toHaveLength(5);
  });

  it('the receiver answers in the order of the requests when the client does not wait for answers', async () => {
    const { intake, receiver } = await openTestReceiver();
    const gates: (() => void)[] = [];
    intake.onTake = (body) =>
      new Promise((resolve) => {
        gates.push(() => resolve(refuse('invalid', Buffer.from(body).toString())));
      });
    const client = await rawClient(receiver.port);
    const bodies = ['first', 'other', 'third'];
    client.send(bodies.map((body) => requestText({ 'Content-Length': '5' }, { body })).join(''));
    while (gates.length < 3) await new Promise((resolve) => setImmediate(resolve));
    for (const open of gates.reverse()) open();
    for (const body of bodies) expect((await client.answer()).body.toString()).toContain(body);
    expect(intake.seen.map(({ releases }) => releases)).toStrictEqual([1, 1, 1]);
  });

  it('the receiver closes an HTTP/1.0 connection after the answer, unless the client asks to keep it', async () => {
    const { receiver } = await openTestReceiver();
    const start = 'POST /v1/traces HTTP/1.0';
    const client = await rawClient(receiver.port);
    client.send(requestText({ Connection: 'keep-alive', 'Content-Length': '1' }, { start, body: 'a' }));
    expect(await client.answer()).toMatchObject({ status: 200, headers: { connection: 'keep-alive' } });
    client.send(requestText({ 'Content-Length': '1' }, { start, body: 'a' }));
    expect(await client.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } });
    expect(await client.ended()).toBe(true);
  });

  it('the receiver closes the connection after the answer when the client asks for it', async () => {
    const { receiver } = await openTestReceiver();
    const client = await rawClient(receiver.port);
    client.send(requestText({ Connection: 'close', 'Content-Length': '1' }, { body: 'a' }));
    expect(await client.answer()).toMatchObject({ status: 200, headers: { connection: 'close' } });
    expect(await client.ended()).toBe(true);
  });

  it('the receiver stays in HTTP/1.1 when the client offers HTTP/2', async () => {
    const { receiver } = await openTestReceiver();
    const client = await rawClient(receiver.port);
    const upgrade = {
      Connection: 'Upgrade, HTTP2-Settings',
      Upgrade: 'h2c',
      'HTTP2-Settings': 'AAMAAABkAAQAAP__',
    };
    client.send(requestText({ ...upgrade, 'Content-Length': '1' }, { body: 'a' }));
    expect(await client.answer()).toMatchObject({ status: 200 });
  });
});

describe('100 Continue', () => {
  it('the receiver sends 100 Continue before the body of an admitted export', async () => {
    const { intake, receiver } = await openTestReceiver();
    const client = await rawClient(receiver.port);
    client.send(requestText({ Expect: '100-Continue', 'Content-Length': '5' }));
    expect(await client.answer()).toMatchObject({ status: 100 });
    expect(intake.seen[0]?.body).toBeUndefined();
    client.send('spans');
    expect(await client.answer()).toMatchObject({ status: 200 });
    expect(intake.seen).toMatchObject([{ releases: 1 }]);
  });

  it('the receiver ignores Expect: 100-continue in HTTP/1.0', async () => {
    const { receiver } = await openTestReceiver();
    const client = await rawClient(receiver.port);
    const start = 'POST /v1/traces HTTP/1.0';
    client.send(requestText({ Expect: '100-continue', 'Content-Length': '1' }, { start, body: 'a' }));
    expect(await client.answer()).toMatchObject({ status: 200 });
  });
});

it('the receiver waits for an intake that takes its time', async () => {
  const { intake, url } = await openTestReceiver();
  intake.onTake = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return accepted;
  };
  expect((await post(`${url}/v1/traces`, Buffer.from('a'))).status).toBe(200);
  expect(intake.seen).toMatchObject([{ releases: 1 }]);
});

it('the receiver reports the error of a failed intake, and asks the client to try again', async () => {
  const { intake, url, errors } = await openTestReceiver();
  intake.onTake = () => Promise.reject(new Error('out of order'));
  const response = await post(`${url}/v1/traces`, Buffer.from('a'));
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('1');
  expect(errors).toMatchObject([{ message: 'out of order' }]);
  expect(intake.seen).toMatchObject([{ releases: 1 }]);
});
