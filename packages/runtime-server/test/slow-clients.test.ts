import { connect } from 'node:net';
import { systemClock } from '@levada/connect-runtime-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openListener, type RestListener } from '../src/rest/express-listener.ts';
import { rawRequest } from './raw-request.ts';

let listener: RestListener;
beforeAll(async () => {
  listener = await openListener({
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
    timeouts: { headersMs: 200, requestMs: 400 },
    handle: async (request) => ({ status: 200, headers: {}, body: String(request.body.length) }),
    headers: [],
    admission: { allowedHosts: new Set(), allowedOrigins: new Set(), allowedMethods: [] },
  });
});
afterAll(() => listener.close(500));

const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';

describe('a client that takes too long', () => {
  it.each([
    ['its head', 'GET / HTTP/1.1\r\nHost: loc'],
    ['its body', `${head}Content-Length: 10\r\n\r\n123`],
    ['a chunk', `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n12`],
  ])('over %s is answered with 408', async (_what, request) => {
    const { status, body } = await rawRequest(listener.port, [request]);
    expect(status).toBe(408);
    expect(JSON.parse(body)).toEqual({ error_code: 408, message: 'HTTP 408 Request Timeout' });
  });

  it('and leaves in the middle of its body concerns nobody', async () => {
    const socket = connect(listener.port, '127.0.0.1');
    socket.write(`${head}Content-Length: 10\r\n\r\n123`);
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.destroy();
    const { status, body } = await rawRequest(listener.port, [`${head}Content-Length: 2\r\n\r\n{}`]);
    expect([status, body]).toEqual([200, '2']);
  });
});
