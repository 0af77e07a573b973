import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startConnectProxy, waitFor } from '@levada/connect-runtime-core/testing';
import { newFolder } from '@levada/test-peers/new-folder';
import { describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { runInProcess, startInProcess } from './worker-in-process.ts';

describe('runWorker', () => {
  it('drains the worker on the first signal and ends at once on the second', async () => {
    const { code, events, exits } = await startInProcess();
    events.emit('SIGTERM');
    expect(exits).toEqual([]);
    events.emit('SIGINT');
    expect(exits).toEqual([130]);
    expect(await code).toBe(0);
  });

  it('drains when a signal arrives during the start, and waits for no plugin', async () => {
    const folder = await newFolder();
    const manifest = { name: 'slow', type: 'module', levada: { connectors: './index.js' } };
    await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
    await writeFile(join(folder, 'index.js'), 'await new Promise(() => {});');
    const { code, events, text } = runInProcess({ 'plugin.path': folder });
    await waitFor(() => text().includes('embedded_log_opened'));
    events.emit('SIGTERM');
    expect(await code).toBe(0);
    expect(text()).toMatch(/"event":"signal_received".*"event":"worker_closed"/s);
  });

  it('stops with 1 after an uncaught exception, and logs it', async () => {
    const { code, events, text } = await startInProcess();
    events.emit('uncaughtException', new Error('a bug'));
    expect(await code).toBe(1);
    expect(text()).toMatch(/"event":"uncaught_exception".*a bug/);
  });

  it('continues after an unhandled rejection, and logs it', async () => {
    const { events, worker, text, end } = await startInProcess();
    events.emit('unhandledRejection', new Error('forgotten'));
    expect(text()).toMatch(/"event":"unhandled_rejection".*forgotten/);
    expect((await fetch(`${worker.url}/connectors`)).status).toBe(200);
    expect(await end()).toBe(0);
  });

  it('continues when the reader of its output leaves', async () => {
    const { stream, worker, end } = await startInProcess();
    stream.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    expect((await fetch(`${worker.url}/`)).status).toBe(200);
    expect(await end()).toBe(0);
  });

  it('passes its environment to connectors, which find the proxy in it', async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const proxy = await startConnectProxy();
    const { worker, end, text } = await startInProcess({}, { environment: { HTTP_PROXY: proxy.url } });
    const config = {
      'connector.class': 'io.vendor.connect.websocket.WebSocketSourceConnector',
      'tasks.max': '1',
      'websocket.url': `ws://feed.example:${port}/`,
      'platform.topic': 'prices',
    };
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(config);
    await fetch(`${worker.url}/connectors/prices/config`, { method: 'PUT', headers, body });
    await waitFor(() => server.clients.size === 1);
    expect(proxy.asked.map(({ target }) => target)).toEqual([`feed.example:${port}`]);
    expect(text()).toMatch(/"event":"proxy_used".*"source":"HTTP_PROXY"/);
    expect(await end()).toBe(0);
    await proxy.close();
    server.close();
  });

  it('writes text on a terminal', async () => {
    const { text, end } = await startInProcess({}, { isTTY: true });
    expect(text()).toMatch(/^\d\d:\d\d:\d\d\.\d{3} INFO {2}event=/m);
    expect(await end()).toBe(0);
  });

  it('logs unknown keys once, with the nearest known key, and keys without effect', async () => {
    const { text, end } = await startInProcess({ 'group.idd': 'x', 'metric.reporters': 'y' });
    expect(text()).toContain('"keys":"group.idd (did you mean group.id?)"');
    expect(text()).toMatch(/"event":"config_ignored_keys".*"keys":"metric.reporters"/);
    expect(await end()).toBe(0);
  });

  it('warns once when other machines can reach it without authentication', async () => {
    const { text, end } = await startInProcess({ listeners: 'http://:0' });
    expect(text().match(/rest_unauthenticated/g)).toHaveLength(1);
    expect(await end()).toBe(0);
  });

  it('serves no admin endpoints without a listener for them', async () => {
    const { worker, end } = await startInProcess({ 'admin.listeners': '' });
    expect((await fetch(`${worker.url}/admin/loggers`)).status).toBe(404);
    await worker.started;
    expect((await fetch(`${worker.url}/health`)).status).toBe(200);
    expect(await end()).toBe(0);
  });

  it('closes REST when it has ended', async () => {
    const { worker, end } = await startInProcess();
    await end();
    await expect(fetch(`${worker.url}/`)).rejects.toThrow('fetch failed');
  });
});
