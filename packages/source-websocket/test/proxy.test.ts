import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { RawConfig } from '@levada/connect-runtime-core';
import {
  type ConnectProxy,
  type ConnectProxyOptions,
  createManualClock,
  startConnectProxy,
  waitFor,
} from '@levada/connect-runtime-core/testing';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';
import { websocketSource } from '../src/index.ts';
import { testCertificates } from './certificates.ts';
import { type RunningTask, startTask, texts } from './running-task.ts';
import { type SocketServer, startSocketServer } from './socket-server.ts';

const file = testCertificates();
let pair: { readonly cert: Buffer; readonly key: Buffer };
beforeAll(() => {
  pair = { cert: readFileSync(file('server.pem')), key: readFileSync(file('server.key')) };
});

async function plainServer(): Promise<SocketServer> {
  const server = await startSocketServer(({ socket }, index) => socket.send(`hello ${index}`));
  onTestFinished(() => server.close());
  return server;
}

/** Says hello over TLS, as feed.example. Returns the port. */
async function secureServer(): Promise<number> {
  const server = createServer(pair);
  new WebSocketServer({ server }).on('connection', (socket) => socket.send('hello'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

async function proxied(options?: ConnectProxyOptions): Promise<ConnectProxy> {
  const proxy = await startConnectProxy(options);
  onTestFinished(() => proxy.close());
  return proxy;
}

async function task(raw: RawConfig, more: Parameters<typeof startTask>[1] = {}): Promise<RunningTask> {
  const running = await startTask(raw, more);
  onTestFinished(() => running.task.stop());
  return running;
}

describe('a proxy', () => {
  it('tunnels to a name that only it knows, and again after each break', async () => {
    const { port } = await plainServer();
    const proxy = await proxied();
    const url = `ws://feed.example:${port}/`;
    const running = await task({
      'websocket.url': url,
      'websocket.proxy.url': proxy.url,
      'websocket.proxy.username': 'user',
      'websocket.proxy.password': 'pass word',
    });
    expect(texts(await running.take(1))).toEqual(['hello 0']);
    proxy.cut();
    expect(texts(await running.take(1))).toEqual(['hello 1']);
    const authorization = `Basic ${Buffer.from('user:pass word').toString('base64')}`;
    expect(proxy.asked).toEqual(Array(2).fill({ target: `feed.example:${port}`, authorization }));
    expect(running.logger.withEvent('proxy_used').map(({ fields }) => fields)).toMatchObject([
      { url, proxy: proxy.url, source: 'websocket.proxy.url' },
    ]);
    expect(running.logger.text()).not.toContain('pass word');
    expect(running.logger.text()).not.toContain(authorization.slice(6));
  });

  it.each([false, true])('tunnels TLS, which the server ends (proxy with TLS: %s)', async (secure) => {
    const port = await secureServer();
    const proxy = await proxied(secure ? { secure: pair } : {});
    const running = await task({
      'websocket.url': `wss://feed.example:${port}/`,
      'websocket.proxy.url': proxy.url,
      // Also that of the proxy.
      'websocket.tls.ca.cert': file('ca.pem'),
    });
    expect(texts(await running.take(1))).toEqual(['hello']);
    expect(proxy.asked[0]?.target).toBe(`feed.example:${port}`);
  });

  it('verifies a TLS proxy by its own name, not by that of the target', async () => {
    const { port } = await plainServer();
    const proxy = await proxied({ secure: pair });
    const running = await task({
      'websocket.url': `ws://other.example:${port}/`,
      'websocket.proxy.url': proxy.url,
      'websocket.tls.ca.cert': file('ca.pem'),
    });
    expect(texts(await running.take(1))).toEqual(['hello 0']);
  });

  it('names the key for the authority when the certificate of a TLS proxy is not trusted', async () => {
    const proxy = await proxied({ secure: pair });
    const running = await task({ 'websocket.url': 'ws://feed.example/', 'websocket.proxy.url': proxy.url });
    await running.logged('websocket_failure');
    expect(running.logger.withEvent('websocket_failure')[0]?.fields['error_message']).toBe(
      `no connection to feed.example:80 through the proxy ${proxy.url} (websocket.proxy.url): its certificate is not trusted: unable to verify the first certificate; name the authority that signed it in websocket.tls.ca.cert`,
    );
  });

  it('says that a proxy expected to use TLS does not', async () => {
    const proxy = await proxied();
    const url = proxy.url.replace('http:', 'https:');
    const running = await task({ 'websocket.url': 'ws://feed.example/', 'websocket.proxy.url': url });
    await running.logged('websocket_failure');
    expect(running.logger.withEvent('websocket_failure')[0]?.fields['error_message']).toMatch(
      /: the server does not speak TLS: .*; connect to a port with TLS, or use http:\/\/ in websocket\.proxy\.url$/,
    );
  });

  it('does not change whose certificate is checked', async () => {
    const port = await secureServer();
    const proxy = await proxied();
    const running = await task({
      'websocket.url': `wss://other.example:${port}/`,
      'websocket.proxy.url': proxy.url,
      'websocket.tls.ca.cert': file('ca.pem'),
    });
    await running.logged('websocket_failure');
    expect(running.logger.withEvent('websocket_failure')[0]?.fields['error_message']).toMatch(
      /^cannot connect to other\.example:\d+: its certificate is for another name: .*DNS:feed\.example/,
    );
  });

  it('reports a proxy that refuses, and asks it again', async () => {
    const answer = 'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n';
    const proxy = await proxied({ answer: (socket) => socket.end(answer) });
    const running = await task({
      'websocket.url': 'ws://feed.example/',
      'websocket.proxy.url': proxy.url,
      'websocket.proxy.password': 'the-password',
    });
    await running.logged('websocket_failure', 2);
    expect(running.logger.withEvent('websocket_failure')[0]?.fields['error_message']).toBe(
      `no connection to feed.example:80 through the proxy ${proxy.url} (websocket.proxy.url): it demands other credentials: check websocket.proxy.username and websocket.proxy.password (HTTP 407 Proxy Authentication Required)`,
    );
    expect(running.logger.text()).not.toContain('the-password');
  });

  it('gives up a proxy that never answers after the connection timeout', async () => {
    const clock = createManualClock();
    const proxy = await proxied({ answer: () => undefined });
    const running = await task(
      {
        'websocket.url': 'ws://feed.example/',
        'websocket.proxy.url': proxy.url,
        'websocket.connection.timeout.ms': '5000',
      },
      { clock },
    );
    await waitFor(() => proxy.asked.length === 1);
    await clock.advance(5000);
    await running.logged('websocket_failure');
    expect(running.logger.withEvent('websocket_failure')[0]?.fields['error_message']).toBe(
      `no connection to feed.example through the proxy ${proxy.url} within 5000 ms`,
    );
  });

  it('stops without waiting for a proxy that has not answered', async () => {
    const proxy = await proxied({ answer: () => undefined });
    const running = await task({ 'websocket.url': 'ws://feed.example/', 'websocket.proxy.url': proxy.url });
    await waitFor(() => proxy.asked.length === 1);
    await running.task.stop();
    expect(running.logger.withEvent('websocket_failure')).toEqual([]);
  });

  it('uses the proxy of the environment, but not for this machine, nor with none', async () => {
    const { port, url } = await plainServer();
    const proxy = await proxied();
    const environment = { HTTP_PROXY: proxy.url };
    const away = await task({ 'websocket.url': `ws://feed.example:${port}/` }, { environment });
    await away.take(1);
    expect(proxy.asked).toHaveLength(1);
    expect(away.logger.withEvent('proxy_used')[0]?.fields['source']).toBe('HTTP_PROXY');
    const here = await task({ 'websocket.url': url }, { environment });
    await here.take(1);
    const direct = await task({ 'websocket.url': url, 'websocket.proxy.url': 'none' }, { environment });
    await direct.take(1);
    expect(proxy.asked).toHaveLength(1);
  });

  it('fails the task without quoting the value when the proxy of the environment is not an HTTP proxy', async () => {
    const environment = { ALL_PROXY: 'socks5://user:secret@p' };
    await expect(startTask({ 'websocket.url': 'ws://feed.example/' }, { environment })).rejects.toMatchObject(
      {
        code: 'config_invalid',
        message:
          'environment variable ALL_PROXY names no HTTP proxy: URL must begin with http:// or https://',
      },
    );
  });

  it('is found by a service in the environment that it passes', async () => {
    const { port } = await plainServer();
    const proxy = await proxied();
    const source = websocketSource({
      url: `ws://feed.example:${port}/`,
      topic: 'prices',
      environment: { http_proxy: proxy.url },
    });
    for await (const record of source) {
      expect(record.value).toBe('hello 0');
      break;
    }
    expect(proxy.asked).toHaveLength(1);
  });
});
