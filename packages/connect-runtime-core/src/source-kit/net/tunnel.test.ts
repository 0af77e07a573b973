import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type ConnectProxy,
  type ConnectProxyOptions,
  startConnectProxy,
} from '../../testing/connect-proxy.ts';
import type { HttpProxy } from './proxy.ts';
import { openTunnel } from './tunnel.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function started(options?: ConnectProxyOptions): Promise<ConnectProxy> {
  const proxy = await startConnectProxy(options);
  closers.push(() => proxy.close());
  return proxy;
}

function proxyAt(port: number): HttpProxy {
  return {
    secure: false,
    host: '127.0.0.1',
    port,
    authorization: `Basic ${Buffer.from('user:pass word').toString('base64')}`,
    shown: 'http://proxy',
    source: 'grpc.proxy.url',
    credentials: 'grpc.proxy.username and grpc.proxy.password',
    ca: 'grpc.tls.ca.cert',
  };
}

/** The text that a tunnel to feed.example:7 fails with, without its beginning. */
async function failure(port: number, signal = new AbortController().signal): Promise<string> {
  const target = { host: 'feed.example', port: 7 };
  const error: unknown = await openTunnel({ proxy: proxyAt(port), target, signal }).catch((thrown) => thrown);
  expect(error).toMatchObject({ name: 'ConnectorError' });
  const start = 'no connection to feed.example:7 through the proxy http://proxy (grpc.proxy.url): ';
  return (error as Error).message.replace(start, '');
}

const answer = (text: string) => (socket: Socket) => socket.end(text);

describe('a tunnel', () => {
  it('leads to the target, and loses nothing that the target says at once', async () => {
    const greeting = 'x'.repeat(100_000);
    const target = createServer((socket) => socket.end(greeting));
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise((resolve) => target.close(resolve)));
    const proxy = await started();
    const { port } = target.address() as { port: number };
    const socket = await openTunnel({
      proxy: proxyAt(proxy.port),
      target: { host: 'feed.example', port },
      signal: new AbortController().signal,
    });
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toBe(greeting);
    expect(proxy.asked).toEqual([
      { target: `feed.example:${port}`, authorization: 'Basic dXNlcjpwYXNzIHdvcmQ=' },
    ]);
  });

  it.each([
    [
      'HTTP/1.1 407 Proxy Authentication Required',
      'it demands other credentials: check grpc.proxy.username and grpc.proxy.password (HTTP 407 Proxy Authentication Required)',
    ],
    ['HTTP/1.1 403 Forbidden', 'its rules forbid this target (HTTP 403 Forbidden)'],
    ['HTTP/1.1 502 Bad Gateway', 'it cannot reach the target (HTTP 502 Bad Gateway)'],
    ['HTTP/1.1 504 Late', 'the target does not answer it (HTTP 504 Late)'],
    ['HTTP/1.1 302 Found\r\nLocation: http://169.254.169.254/', 'it refuses to connect (HTTP 302 Found)'],
    [
      'HTTP/1.1 407 no dXNlcjpwYXNzIHdvcmQ= or pass word',
      'it demands other credentials: check grpc.proxy.username and grpc.proxy.password (HTTP 407 no *** or ***)',
    ],
  ])('that the proxy refuses with "%s" fails with the reason', async (head, text) => {
    const { port } = await started({ answer: answer(`${head}\r\n\r\n`) });
    expect(await failure(port)).toBe(text);
  });

  it('fails a tunnel to a proxy whose answer is not HTTP', async () => {
    const { port } = await started({ answer: answer('SSH-2.0-OpenSSH\r\n\r\n') });
    expect(await failure(port)).toMatch(/^its answer is not HTTP \(Parse Error/);
  });

  it('fails a tunnel to a proxy whose response head never ends', async () => {
    const { port } = await started({ answer: answer(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(10_000)}`) });
    expect(await failure(port)).toBe('its answer has a head of more than 16384 bytes');
  });

  it('fails a tunnel to a proxy that closes or is unreachable', async () => {
    const proxy = await started({ answer: (socket) => socket.destroy() });
    const { port } = proxy;
    expect(await failure(port)).toMatch(/hang up|closed the connection without an answer/);
    await proxy.close();
    closers.pop();
    expect(await failure(port)).toMatch(`connect ECONNREFUSED 127.0.0.1:${port}`);
  });

  it('fails a tunnel to a proxy that never answers when the signal aborts', async () => {
    const abort = new AbortController();
    const { port } = await started({ answer: () => abort.abort(new Error('too late')) });
    expect(await failure(port, abort.signal)).toBe('too late');
  });
});
