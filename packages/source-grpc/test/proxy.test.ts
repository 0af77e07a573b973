import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RawConfig } from '@levada/connect-runtime-core';
import {
  type ConnectProxy,
  type ConnectProxyOptions,
  createManualClock,
  startConnectProxy,
  waitFor,
} from '@levada/connect-runtime-core/testing';
import { eventBytes, eventJson, type StreamServerOptions, tlsCredentials } from '@levada/test-peers/grpc';
import { makeCertificates, serverName } from '@levada/test-peers/tls';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { fieldsOf, type RunTaskOptions, runTask, serve } from './feed.ts';
import { texts } from './running-task.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'levada-grpc-proxy-'));
  makeCertificates(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

async function proxied(options?: ConnectProxyOptions): Promise<ConnectProxy> {
  const proxy = await startConnectProxy(options);
  onTestFinished(() => proxy.close());
  return proxy;
}

/** A server that sends one message per call, known to the task as feed.example. */
function greeting(options: StreamServerOptions = {}) {
  return serve((call, index) => call.send(eventBytes({ payload: `m${index}` })), options);
}

function taskTo(port: number, raw: RawConfig, options: RunTaskOptions = {}) {
  return runTask(port, { ...options, raw: { 'grpc.server.host': serverName, ...raw } });
}

describe('a proxy', () => {
  it('tunnels to a name that only it knows, and again after each break', async () => {
    const { port } = await greeting();
    const proxy = await proxied();
    const running = await taskTo(port, {
      'grpc.proxy.url': proxy.url,
      'grpc.proxy.username': 'user',
      'grpc.proxy.password': 'pass word',
    });
    expect(texts(await running.take(1))).toEqual([eventJson({ payload: 'm0' })]);
    proxy.cut();
    expect(texts(await running.take(1))).toEqual([eventJson({ payload: 'm1' })]);
    const authorization = `Basic ${Buffer.from('user:pass word').toString('base64')}`;
    expect(proxy.asked).toEqual(Array(2).fill({ target: `${serverName}:${port}`, authorization }));
    expect(fieldsOf(running, 'proxy_used')).toMatchObject([
      { server: `${serverName}:${port}`, proxy: proxy.url, source: 'grpc.proxy.url' },
    ]);
    expect(running.logger.text()).not.toContain('pass word');
  });

  it.each([false, true])('tunnels TLS, which the server ends (proxy with TLS: %s)', async (secure) => {
    const file = (name: string): Buffer => readFileSync(join(folder, name));
    const pair = { cert: file('server.pem'), key: file('server.key') };
    const { port } = await greeting({ credentials: tlsCredentials(folder, { mutual: false }) });
    const proxy = await proxied(secure ? { secure: pair } : {});
    const running = await taskTo(port, {
      'grpc.proxy.url': proxy.url,
      'grpc.tls.enabled': 'true',
      // Also that of the proxy.
      'grpc.tls.ca.cert': join(folder, 'ca.pem'),
    });
    expect(texts(await running.take(1))).toEqual([eventJson({ payload: 'm0' })]);
    expect(proxy.asked[0]?.target).toBe(`${serverName}:${port}`);
  });

  it('reports a proxy that refuses, and asks it again', async () => {
    const proxy = await proxied({ answer: (socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n') });
    const running = await taskTo(7, { 'grpc.proxy.url': proxy.url });
    await running.logged('connection_failed', 2);
    expect(fieldsOf(running, 'connection_failed')[0]?.['error_message']).toBe(
      `cannot connect to feed.example:7: no connection to feed.example:7 through the proxy ${proxy.url} (grpc.proxy.url): its rules forbid this target (HTTP 403 Forbidden)`,
    );
  });

  it('gives up a proxy that never answers after the connection timeout', async () => {
    const clock = createManualClock();
    const proxy = await proxied({ answer: () => undefined });
    const raw = { 'grpc.proxy.url': proxy.url, 'grpc.connection.timeout.ms': '5000' };
    const running = await taskTo(7, raw, { clock });
    await waitFor(() => proxy.asked.length === 1);
    await clock.advance(5000);
    await running.logged('connection_failed');
    expect(fieldsOf(running, 'connection_failed')[0]?.['error_message']).toMatch(
      /: no answer within 5000 ms, waiting for the proxy$/,
    );
  });

  it('stops without waiting for a proxy that has not answered', async () => {
    const proxy = await proxied({ answer: () => undefined });
    const running = await taskTo(7, { 'grpc.proxy.url': proxy.url });
    await waitFor(() => proxy.asked.length === 1);
    await running.task.stop();
    expect(fieldsOf(running, 'connection_failed')).toEqual([]);
  });

  it('is no way around the addresses that are refused', async () => {
    const proxy = await proxied();
    await expect(
      taskTo(7, { 'grpc.proxy.url': proxy.url, 'grpc.server.host': '169.254.169.254' }),
    ).rejects.toMatchObject({ code: 'config_invalid' });
    expect(proxy.asked).toEqual([]);
  });

  it('uses the proxy of the environment, but not for this machine, nor with none', async () => {
    const { port } = await greeting();
    const proxy = await proxied();
    const context = { environment: { HTTP_PROXY: proxy.url, HTTPS_PROXY: 'http://127.0.0.1:1' } };
    const away = await taskTo(port, {}, { context });
    await away.take(1);
    expect(fieldsOf(away, 'proxy_used')).toMatchObject([{ source: 'HTTP_PROXY' }]);
    await (await runTask(port, { context })).take(1);
    expect(proxy.asked).toHaveLength(1);
    const direct = await runTask(port, { context, raw: { 'grpc.proxy.url': 'none' } });
    await direct.take(1);
    expect(proxy.asked).toHaveLength(1);
  });

  it.each([false, true])(
    'leads to the token endpoint, too (proxy and server with TLS: %s)',
    async (secure) => {
      const tokens = createServer((_request, response) => {
        response.end(JSON.stringify({ access_token: 'token-1', token_type: 'Bearer', expires_in: 60 }));
      });
      await new Promise<void>((resolve) => tokens.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => new Promise((resolve) => tokens.close(() => resolve())));
      const tokenPort = (tokens.address() as AddressInfo).port;
      const server = await greeting(secure ? { credentials: tlsCredentials(folder, { mutual: false }) } : {});
      const file = (name: string): Buffer => readFileSync(join(folder, name));
      const proxy = await proxied(
        secure ? { secure: { cert: file('server.pem'), key: file('server.key') } } : {},
      );
      const running = await taskTo(server.port, {
        'grpc.proxy.url': proxy.url,
        ...(secure ? { 'grpc.tls.enabled': 'true', 'grpc.tls.ca.cert': join(folder, 'ca.pem') } : {}),
        'grpc.oauth2.token.url': `http://127.0.0.1:${tokenPort}/token`,
        'grpc.oauth2.client.id': 'id',
        'grpc.oauth2.client.secret': 'secret',
      });
      await running.take(1);
      expect((await server.call(0)).metadata.get('authorization')).toEqual(['Bearer token-1']);
      expect(proxy.asked.map(({ target }) => target)).toEqual([
        `${serverName}:${server.port}`,
        `127.0.0.1:${tokenPort}`,
      ]);
    },
  );
});
