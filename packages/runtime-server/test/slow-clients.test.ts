import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { systemClock } from '@levada/connect-runtime-core';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { threadMemory } from '../src/host/this-process.ts';
import { openListener, type RestListener } from '../src/http/listener.ts';
import { discardBody, readRawBody } from '../src/http/read-raw-body.ts';
import type { RestHandler } from '../src/rest/message/rest-message.ts';
import { rawRequest } from './raw-request.ts';

let listener: RestListener;
/** Short enough to wait for in real time. */
const short = { headersMs: 200, requestMs: 400, answerMs: 30_000 };
/** Answers `/large` with 8 MB, everything else with the size of its body. */
const handle: RestHandler = async ({ target, body }) => ({
  status: 200,
  headers: {},
  body: target === '/large' ? 'x'.repeat(8_000_000) : String(body.length),
});
const options = {
  host: '127.0.0.1',
  port: 0,
  clock: systemClock,
  // Time-outs that a busy machine does not reach.
  timeouts: { headersMs: 20_000, requestMs: 20_000, answerMs: 30_000 },
  limits: { connections: 20, bodyBytes: 10_000, inFlight: 5 },
  handle,
  headers: [],
  admission: { allowedHosts: new Set<string>(), allowedOrigins: new Set<string>(), allowedMethods: [] },
};
beforeAll(async () => {
  listener = await openListener(options);
});
afterAll(() => listener.close(500));

const open: Socket[] = [];
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});

/** A client that sends this and then neither sends nor reads anything. */
async function lazyClient(request: string, to: Pick<RestListener, 'port'> = listener): Promise<Socket> {
  const socket = connect(to.port, '127.0.0.1');
  socket.on('error', () => undefined);
  open.push(socket);
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(request);
  return socket;
}

const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';

describe('slow clients', () => {
  it.each([
    ['its head', 'GET / HTTP/1.1\r\nHost: loc'],
    ['its body', `${head}Content-Length: 10\r\n\r\n123`],
    ['a chunk', `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n12`],
  ])('answers 408 to a client that takes too long to send %s', async (_what, request) => {
    const hasty = await openListener({ ...options, timeouts: short });
    const { status, body } = await rawRequest(hasty.port, [request]);
    expect(status).toBe(408);
    expect(JSON.parse(body)).toEqual({ error_code: 408, message: 'HTTP 408 Request Timeout' });
    await hasty.close(500);
  });

  it('serves others after a client disconnected in the middle of its body', async () => {
    const socket = connect(listener.port, '127.0.0.1');
    socket.write(`${head}Content-Length: 10\r\n\r\n123`);
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.destroy();
    const { status, body } = await rawRequest(listener.port, [`${head}Content-Length: 2\r\n\r\n{}`]);
    expect([status, body]).toEqual([200, '2']);
  });

  it('closes the connection of a client that takes too long to read its answer', async () => {
    const clock = createManualClock();
    const patient = await openListener({ ...options, clock });
    const socket = await lazyClient('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n', patient);
    await waitFor(() => socket.readableLength > 0);
    await clock.advance(30_000);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    await closed;
    expect(socket.bytesRead).toBeLessThan(8_000_000);
    await patient.close(0);
  });
});

describe('idle clients', () => {
  it.each([
    ['are only connected', ''],
    ['are in the middle of their heads', 'GET / HTTP/1.1\r\nHost: loc'],
    ['are in the middle of their bodies', `${head}Content-Length: 10\r\n\r\n123`],
    ['were refused and send no more of their bodies', `${head}Content-Length: 2000000\r\n\r\n123`],
    ['read no answers', 'GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ])('serves others while many clients %s', async (_what, request) => {
    for (let i = 0; i < 60; i += 1) {
      await lazyClient(request);
      const { status } = await rawRequest(listener.port, ['GET / HTTP/1.1\r\nHost: localhost\r\n\r\n']);
      expect(status).toBe(200);
    }
  });

  it('closes the longest waiting connections when unfinished bodies exceed their bound', async () => {
    const part = `${head}Content-Length: 100000\r\n\r\n${'x'.repeat(4000)}`;
    const first = await lazyClient(part);
    first.resume();
    const closed = new Promise((resolve) => first.once('close', resolve));
    await lazyClient(part);
    await lazyClient(part);
    await closed;
    const { status, body } = await rawRequest(listener.port, [`${head}Content-Length: 2\r\n\r\n{}`]);
    expect([status, body, first.bytesRead]).toEqual([200, '2', 0]);
  });
});

it('answers what only reads while changes wait for the log', async () => {
  const waiting = Promise.withResolvers<void>();
  let begun = 0;
  const stuck = await openListener({
    ...options,
    handle: async ({ method }) => {
      if (method === 'POST') {
        begun += 1;
        await waiting.promise;
      }
      return { status: 200, headers: {}, body: '' };
    },
  });
  for (let i = 0; i < 4; i += 1) await lazyClient(`${head}Content-Length: 0\r\n\r\n`, stuck);
  await waitFor(() => begun === 4);
  expect(await rawRequest(stuck.port, [`${head}Content-Length: 0\r\n\r\n`])).toMatchObject({ status: 503 });
  expect(await rawRequest(stuck.port, ['GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'])).toMatchObject({
    status: 200,
  });
  waiting.resolve();
  await stuck.close(500);
});

it('refuses a body that is announced as too large instead of asking for it, and closes the connection at once', async () => {
  // Nothing happens after a time.
  const timed = await openListener({ ...options, clock: createManualClock() });
  const socket = await lazyClient(`${head}Expect: 100-continue\r\nContent-Length: 2000000\r\n\r\n`, timed);
  expect(await receivedBy(socket)).toMatch(/^HTTP\/1.1 413 /);
  await timed.close(0);
});

describe('a refused body', () => {
  const wide = { ...options, limits: { ...options.limits, bodyBytes: 2 * 1024 * 1024 } };

  it('is answered once when a broken chunk follows', async () => {
    const timed = await openListener({ ...wide, clock: createManualClock() });
    const chunk = `100000\r\n${'x'.repeat(1024 * 1024)}\r\n`;
    const socket = await lazyClient(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk}1\r\nx\r\n`, timed);
    const [first] = (await once(socket, 'data')) as [Buffer];
    socket.write('no chunk\r\n');
    const answers = first.toString() + (await receivedBy(socket));
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413']);
    await timed.close(0);
  });

  it('is not kept in memory while the rest of it is on its way', async () => {
    const memory = threadMemory();
    const parts: WeakRef<Buffer>[] = [];
    const requests: IncomingMessage[] = [];
    const server = createServer((request) => {
      requests.push(request);
      request.on('data', (part: Buffer) => parts.push(new WeakRef(part)));
      readRawBody(request).catch(() => void discardBody(request, createManualClock()));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    await lazyClient(`${head}Transfer-Encoding: chunked\r\n\r\n100001\r\n${'x'.repeat(0x100001)}`, { port });
    await waitFor(() => requests[0]?.listenerCount('end') === 1);
    await waitFor(() => {
      memory.collectAll();
      // The last part may still be referenced by the stream.
      return parts.length > 10 && parts.slice(0, -1).every((part) => part.deref() === undefined);
    });
    expect(requests[0]?.destroyed).toBe(false);
  });

  it('does not count towards the bytes of unfinished bodies', async () => {
    const timed = await openListener({ ...wide, clock: createManualClock() });
    const tooLarge = `${head}Transfer-Encoding: chunked\r\n\r\n100001\r\n${'x'.repeat(0x100001)}`;
    const refused: Socket[] = [];
    for (let i = 0; i < 4; i += 1) {
      const socket = await lazyClient(tooLarge, timed);
      await once(socket, 'data');
      refused.push(socket);
    }
    const { status } = await rawRequest(timed.port, [`${head}Content-Length: 2\r\n\r\n{}`]);
    expect([status, ...refused.map(({ readyState }) => readyState)]).toEqual([
      200,
      'open',
      'open',
      'open',
      'open',
    ]);
    for (const socket of refused) socket.destroy();
    await timed.close(0);
  });
});

async function receivedBy(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of socket) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

describe('a client that sends all of its body before it reads', () => {
  const big = 'x'.repeat(4_000_000);
  let roomy: RestListener;
  beforeAll(async () => {
    roomy = await openListener({ ...options, limits: { ...options.limits, bodyBytes: 32 * 1024 * 1024 } });
  });
  afterAll(() => roomy.close(500));

  /** Sends without reading, and reads only when everything was sent. Returns the status; rejects when the connection breaks. */
  async function sendThenRead(request: string): Promise<number> {
    const socket = connect(roomy.port, '127.0.0.1');
    open.push(socket);
    socket.pause();
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.write(request, (error) => (error ? reject(error) : resolve()));
    });
    const parts: Buffer[] = [];
    for await (const part of socket) parts.push(part as Buffer);
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(Buffer.concat(parts).toString())?.[1]);
  }

  it.each([
    ['announced as too large', 413, `${head}Content-Length: ${big.length}\r\n\r\n${big}`],
    [
      'too large in chunks',
      413,
      `${head}Transfer-Encoding: chunked\r\n\r\n${big.length.toString(16)}\r\n${big}\r\n0\r\n\r\n`,
    ],
    ['compressed', 415, `${head}Content-Encoding: gzip\r\nContent-Length: ${big.length}\r\n\r\n${big}`],
  ])('gets the answer to a body that is %s', async (_, status, request) => {
    expect(await sendThenRead(request)).toBe(status);
  });

  it('is cut off when its body has no end', async () => {
    const socket = await lazyClient(`${head}Transfer-Encoding: chunked\r\n\r\n`, roomy);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const chunk = `100000\r\n${'x'.repeat(1024 * 1024)}\r\n`;
    let sent = 0;
    while (!socket.destroyed && sent < 200) {
      sent += 1;
      await new Promise((resolve) => socket.write(chunk, resolve));
    }
    await closed;
    expect(sent).toBeGreaterThan(16);
    expect(sent).toBeLessThan(200);
  });

  it('is cut off five seconds after the answer when it sends no more', async () => {
    const clock = createManualClock();
    const timed = await openListener({ ...options, clock });
    const socket = await lazyClient(`${head}Content-Length: 2000000\r\n\r\nx`, timed);
    await once(socket, 'data');
    const closed = once(socket, 'close');
    await waitFor(() => clock.pending > 0);
    await clock.advance(4999);
    expect(socket.readyState).toBe('open');
    await clock.advance(1);
    await closed;
    await timed.close(500);
  });
});
