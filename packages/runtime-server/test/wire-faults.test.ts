import { connect } from 'node:net';
import { systemClock } from '@levada/connect-runtime-core';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openListener, type RestListener, securityHeaders } from '../src/http/listener.ts';
import { createRestHandler } from '../src/rest/handler.ts';
import { readConfig } from '../src/rest/message/read-body.ts';
import type { RestContext, Route } from '../src/rest/route.ts';
import { type RawAnswer, rawRequest } from './raw-request.ts';

const doc = { id: 'test', summary: 'For this test' };
const routes: readonly Route[] = [
  { method: 'GET', path: '/', status: 200, doc, handle: () => ({ body: { fine: true } }) },
  { method: 'PUT', path: '/echo', status: 200, doc, handle: (call) => ({ body: readConfig(call.body) }) },
  { method: 'POST', path: '/effect/{name}', status: 204, doc, handle: () => ({}) },
];

let listener: RestListener;
beforeAll(async () => {
  const context = { clock: systemClock, strict: false, log: () => {} } as Partial<RestContext> as RestContext;
  listener = await openListener({
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
    handle: createRestHandler(routes, context),
    headers: securityHeaders,
    admission: { allowedHosts: new Set(), allowedOrigins: new Set(), allowedMethods: ['GET'] },
  });
});
afterAll(() => listener.close(500));

const json = 'Host: localhost\r\nContent-Type: application/json\r\n';
const get = (target: string, headers = 'Host: localhost\r\n'): string =>
  `GET ${target} HTTP/1.1\r\n${headers}\r\n`;
const put = (body: string, headers = json): string =>
  `PUT /echo HTTP/1.1\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

async function stillServes(): Promise<boolean> {
  return (await rawRequest(listener.port, [get('/')])).status === 200;
}

/** Connect's error body, with the status of the answer and a message. */
function isErrorBody({ status, body }: RawAnswer): boolean {
  const { error_code: code, message } = JSON.parse(body) as { error_code?: unknown; message?: unknown };
  return code === status && typeof message === 'string' && message !== '';
}

describe('a request on the wire', () => {
  it('answers compactly, with security headers', async () => {
    const { head, body } = await rawRequest(listener.port, [get('/')]);
    expect(body).toBe('{"fine":true}');
    expect(head).toContain('content-type: application/json');
    for (const header of [
      'x-content-type-options: nosniff',
      'cache-control: no-store',
      "default-src 'none'",
    ]) {
      expect(head).toContain(header);
    }
    expect(head).not.toContain('x-powered-by');
    expect(head).not.toContain('etag');
  });

  it.each<readonly [what: string, status: number, request: string]>([
    ['an empty body', 400, put('')],
    ['null', 400, put('null')],
    ['an array', 400, put('[]')],
    ['cut JSON', 400, put('{"a":')],
    ['a nested value', 400, put('{"a":{}}')],
    ['100,000 levels of nesting', 400, put('['.repeat(100_000))],
    ['a config with prototype names', 200, put('{"__proto__":"1","constructor":"2"}')],
    [
      'a charset of UTF-8',
      200,
      put('{}', 'Host: localhost\r\nContent-Type: application/json; charset=UTF-8\r\n'),
    ],
    [
      'a charset of UTF-16, which JSON cannot have',
      200,
      put('{}', 'Host: localhost\r\nContent-Type: application/json; charset=utf-16\r\n'),
    ],
    ['no content type', 415, put('{}', 'Host: localhost\r\n')],
    ['text/plain', 415, put('{}', 'Host: localhost\r\nContent-Type: text/plain\r\n')],
    ['a form', 415, put('a=1', 'Host: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n')],
    ['a compressed body', 415, put('{}', `${json}Content-Encoding: gzip\r\n`)],
    [
      'a POST of text/plain without a body',
      415,
      'POST /effect/a HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n',
    ],
    ['a POST without a body and type', 204, 'POST /effect/a HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['a body announced with 10 GB', 413, `PUT /echo HTTP/1.1\r\n${json}Content-Length: 10000000000\r\n\r\n{`],
    ['a cut percent sequence', 400, get('/%E0%A4%A')],
    ['%00', 400, get('/%00')],
    ['two slashes', 404, get('//echo')],
    ['an unknown path', 404, get('/nothing')],
    ['%2e%2e%2f', 404, get('/%2e%2e%2f')],
    ['an absolute URI', 200, get('http://evil.example/')],
    ['a URL of 9 KB', 414, get(`/${'x'.repeat(9000)}`)],
    ['a URL of 20 KB', 431, get(`/${'x'.repeat(20_000)}`)],
    ['a wrong verb', 405, 'DELETE / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['TRACE', 405, 'TRACE / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    [
      'an offer of HTTP/2',
      200,
      get(
        '/',
        'Host: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n',
      ),
    ],
    ['a TLS hello', 400, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['two Host headers', 400, get('/', 'Host: localhost\r\nHost: localhost\r\n')],
    ['no Host header', 400, get('/', '')],
    ['a foreign Host', 403, get('/', 'Host: evil.example\r\n')],
    ['a Host with port 99999', 400, get('/', 'Host: a:99999\r\n')],
    [
      'a form of a foreign Origin',
      403,
      'POST /connectors HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nContent-Length: 0\r\n\r\n',
    ],
    ['a read of a foreign Origin', 200, get('/', 'Host: localhost\r\nOrigin: https://evil.example\r\n')],
    [
      'Content-Length and Transfer-Encoding',
      400,
      `PUT /echo HTTP/1.1\r\n${json}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'two Content-Lengths',
      400,
      `PUT /echo HTTP/1.1\r\n${json}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`,
    ],
    [
      'a body longer than its Content-Length',
      200,
      `PUT /echo HTTP/1.1\r\n${json}Content-Length: 9\r\n\r\n{"a":"1"}, "b":"2"}`,
    ],
    [
      'a broken request after it',
      200,
      `PUT /echo HTTP/1.1\r\n${json}Content-Length: 9\r\n\r\n{"a":"1"}${put('{}').replace('HTTP/1.1', 'HTTP/x')}`,
    ],
    ['a negative Content-Length', 400, `PUT /echo HTTP/1.1\r\n${json}Content-Length: -1\r\n\r\n{}`],
    ['a folded header', 400, get('/', 'Host: localhost\r\nX-A: 1\r\n 2\r\n')],
    ['a broken chunk', 400, `PUT /echo HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`],
    ['3,000 headers', 431, get('/', `Host: localhost\r\n${'X-A: 1\r\n'.repeat(3000)}`)],
    ['200 headers', 431, get('/', `Host: localhost\r\n${'X-A: 1\r\n'.repeat(200)}`)],
    ['a header of 20 KiB', 431, get('/', `Host: localhost\r\nX-A: ${'x'.repeat(20_480)}\r\n`)],
    ['a header named __proto__', 200, get('/', 'Host: localhost\r\n__proto__: 1\r\n')],
    ['Accept: text/html', 406, get('/', 'Host: localhost\r\nAccept: text/html\r\n')],
    ['Accept: application/*;q=0.5', 200, get('/', 'Host: localhost\r\nAccept: application/*;q=0.5\r\n')],
    ['an odd Accept-Encoding', 200, get('/', 'Host: localhost\r\nAccept-Encoding: br;q=9\r\n')],
    ['Expect: x', 417, get('/', 'Host: localhost\r\nExpect: x\r\n')],
  ])('reads a request with %s and answers %i', async (_what, status, request) => {
    const answer = await rawRequest(listener.port, [Buffer.from(request, 'latin1')]);
    expect(answer.status).toBe(status);
    expect(status < 400 || isErrorBody(answer)).toBe(true);
    expect(await stillServes()).toBe(true);
  });

  it('answers 400 to a body that is not UTF-8', async () => {
    const body = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    const head = `PUT /echo HTTP/1.1\r\n${json}Content-Length: ${body.length}\r\n\r\n`;
    expect((await rawRequest(listener.port, [head, body])).status).toBe(400);
  });

  it('answers a body longer than its Content-Length once, and closes the connection', async () => {
    const answer = await rawRequest(listener.port, [
      `PUT /echo HTTP/1.1\r\n${json}Content-Length: 9\r\n\r\n{"a":"1"}, "b":"2"}`,
    ]);
    expect(answer).toMatchObject({ status: 200, body: '{"a":"1"}' });
    expect(answer.head).toContain('connection: close');
  });

  it('answers 413 to a chunked body without an end, at the limit', async () => {
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const head = `PUT /echo HTTP/1.1\r\n${json}Transfer-Encoding: chunked\r\n\r\n`;
    expect((await rawRequest(listener.port, [head, ...Array.from({ length: 17 }, () => chunk)])).status).toBe(
      413,
    );
    expect(await stillServes()).toBe(true);
  });

  it('closes the connection of a CONNECT request', async () => {
    const { status } = await rawRequest(listener.port, [
      'CONNECT evil.example:80 HTTP/1.1\r\nHost: evil.example\r\n\r\n',
    ]);
    expect(status).toBe(0);
    expect(await stillServes()).toBe(true);
  });

  it('answers HEAD with the length of the body and no body', async () => {
    const { head } = await rawRequest(listener.port, [
      'HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    ]);
    expect(head).toContain('content-length: 13');
  });

  it('answers OPTIONS with the allowed methods, without any CORS header', async () => {
    const { status, head, body } = await rawRequest(listener.port, [
      'OPTIONS / HTTP/1.1\r\nHost: localhost\r\n\r\n',
    ]);
    expect(status).toBe(200);
    expect(body).toBe('HEAD, GET, OPTIONS');
    expect(head).not.toContain('access-control');
  });

  it('answers a request while other clients send theirs byte by byte', async () => {
    const slow = Array.from({ length: 50 }, () => connect(listener.port, '127.0.0.1'));
    for (const socket of slow) {
      socket.on('error', () => undefined);
      socket.write('GET / HTTP/1.1\r\nHost: loc');
    }
    await waitFor(() => slow.every((socket) => !socket.connecting));
    expect(await stillServes()).toBe(true);
    for (const socket of slow) socket.destroy();
  });
});

it('refuses a port that is in use, with its address', async () => {
  const again = openListener({
    host: '127.0.0.1',
    port: listener.port,
    clock: systemClock,
    handle: () => Promise.reject(new Error('never asked')),
    headers: [],
    admission: { allowedHosts: new Set(), allowedOrigins: new Set(), allowedMethods: [] },
  });
  await expect(again).rejects.toMatchObject({
    code: 'address_in_use',
    message: expect.stringContaining(`${listener.port}`),
  });
});
