// What each key does, where no other test shows it against a whole task.
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import {
  exportRequest,
  http2Session,
  logSaying,
  postExport,
  rawClient,
  requestText,
  spanNamed,
  sumNamed,
} from '@levada/test-peers/otlp';
import { createAuthority, type KeyPair } from '@levada/test-peers/tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startTask } from './running-task.ts';

const span = spanNamed('a');
const json = { 'content-type': 'application/json' };

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'levada-otlp-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe('receivers', () => {
  it('a task listens on otlp.bind.address alone', async () => {
    const local = await startTask({ 'otlp.bind.address': '127.0.0.1' });
    const post = (port: number): Promise<number> =>
      fetch(`http://127.0.0.2:${port}/v1/traces`, { method: 'POST', headers: json, body: '{}' }).then(
        ({ status }) => status,
        () => 0,
      );
    expect(await post(local.httpPort)).toBe(0);
    await local.stop();
    const everywhere = await startTask({ 'otlp.bind.address': '0.0.0.0' });
    expect(await post(everywhere.httpPort)).toBe(200);
    await everywhere.stop();
  });

  it('a task serves the paths of otlp.http.path.traces, .metrics and .logs', async () => {
    const running = await startTask({
      'otlp.http.path.traces': '/t',
      'otlp.http.path.metrics': '/m',
      'otlp.http.path.logs': '/l',
    });
    const bodies = { '/t': span, '/m': sumNamed('m'), '/l': logSaying('l'), '/v1/logs': logSaying('l') };
    const statuses: number[] = [];
    for (const [path, body] of Object.entries(bodies)) {
      const options = { method: 'POST', headers: json, body: JSON.stringify(body) };
      statuses.push((await fetch(`http://127.0.0.1:${running.httpPort}${path}`, options)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 404]);
    const topics = (await running.stop()).map(({ topic }) => topic);
    expect(topics.toSorted()).toEqual(['otlp-logs', 'otlp-metrics', 'otlp-traces']);
  });

  it('a task receives the signals of otlp.signals, each into its topic, profiles included', async () => {
    const running = await startTask({ 'otlp.signals': 'profiles', 'platform.topic.profiles': 'p' });
    const post = (path: string, body: object): Promise<number> =>
      fetch(`http://127.0.0.1:${running.httpPort}${path}`, {
        method: 'POST',
        headers: json,
        body: JSON.stringify(body),
      }).then(({ status }) => status);
    const profiles = { resourceProfiles: [{ scopeProfiles: [{ profiles: [{}] }] }] };
    expect(await post('/v1development/profiles', profiles)).toBe(200);
    expect(await post('/v1/traces', span)).toBe(404);
    expect((await running.stop()).map(({ topic }) => topic)).toEqual(['p']);
    expect(running.metrics.read('ProfilesReceived')).toBe(1);
    expect(running.metrics.read('ProfileItemsReceived')).toBe(1);
  });

  it('a task sends the headers of otlp.http.cors.allowed.headers to web pages', async () => {
    const origin = 'https://shop.example';
    const running = await startTask({
      'otlp.http.cors.allowed.origins': origin,
      'otlp.http.cors.allowed.headers': 'x-tenant',
    });
    const { status, headers } = await fetch(`http://127.0.0.1:${running.httpPort}/v1/traces`, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-tenant',
      },
    });
    expect([status, headers.get('access-control-allow-headers')]).toEqual([
      204,
      expect.stringContaining('x-tenant'),
    ]);
    await running.stop();
  });

  it('a task waits for a request for otlp.http.request.timeout.ms, and for the next one for otlp.http.idle.timeout.ms', async () => {
    const running = await startTask({
      'otlp.http.request.timeout.ms': '1000',
      'otlp.http.idle.timeout.ms': '1000',
    });
    const slow = await rawClient(running.httpPort);
    slow.send(requestText({ 'Content-Length': '10' }, { body: 'abc' }));
    const idle = await rawClient(running.httpPort);
    idle.send(requestText({ 'Content-Length': '0' }));
    expect(await idle.answer()).toMatchObject({ status: 200 });
    expect(await slow.answer()).toMatchObject({ status: 408 });
    expect(await idle.ended()).toBe(true);
    expect(running.metrics.read('RejectedTimeout')).toBe(1);
    await running.stop();
  });
});

describe('limits', () => {
  it('a task applies otlp.max.inflight.requests and .bytes across both receivers, also while the log acknowledges', async () => {
    for (const limit of [
      { 'otlp.max.inflight.requests': '1' },
      { 'otlp.max.inflight.bytes': '2000', 'otlp.max.request.size': '2000' },
    ]) {
      const running = await startTask({ 'otlp.ack.mode': 'produced', ...limit });
      const large = spanNamed('n'.repeat(1000));
      const first = postExport(running.httpPort, 'traces', large);
      await waitFor(() => running.metrics.read('PendingExports') === 1);
      expect(running.metrics.read('PendingBytes')).toBeGreaterThan(1000);
      const { status, headers } = await postExport(running.httpPort, 'traces', large);
      expect([status, headers.get('retry-after')]).toEqual([503, '1']);
      expect(running.metrics.read('RejectedUnavailable')).toBe(1);
      running.task.committed(await running.poll(), new Map());
      expect((await first).status).toBe(200);
      await running.stop();
    }
  });

  it('a task leaves room for other addresses with otlp.max.inflight.share.percent, across both receivers', async () => {
    const running = await startTask({
      'otlp.max.inflight.requests': '256',
      'otlp.max.inflight.share.percent': '75',
    });
    const halfOpen = [1, 2].map(() => http2Session(running.grpcPort));
    for (const session of halfOpen) {
      for (let call = 0; call < 128; call += 1) {
        session.request(exportRequest()).on('error', () => undefined);
      }
    }
    await waitFor(() => running.metrics.read('RejectedRateLimited') === 64);
    expect(running.metrics.read('PendingExports')).toBe(192);
    const { status, headers } = await postExport(running.httpPort, 'traces', span);
    expect([status, headers.get('retry-after')]).toEqual([429, '1']);
    const target = { port: running.httpPort, host: '127.0.0.1', localAddress: '127.0.0.2' };
    const other = httpRequest({ ...target, method: 'POST', path: '/v1/traces', headers: json });
    other.end(JSON.stringify(span));
    const [answer] = (await once(other, 'response')) as [IncomingMessage];
    expect(answer.resume().statusCode).toBe(200);
    for (const session of halfOpen) session.destroy();
    await waitFor(() => running.metrics.read('PendingExports') === 0);
    expect((await postExport(running.httpPort, 'traces', span)).status).toBe(200);
    await running.stop();
  });

  it('a task closes connections beyond otlp.max.connections', async () => {
    const running = await startTask({ 'otlp.max.connections': '1' });
    const one = await rawClient(running.httpPort);
    await waitFor(() => running.metrics.read('HttpConnections') === 1);
    const two = await rawClient(running.httpPort);
    await two.ended();
    one.send(requestText({ 'Content-Length': '0' }));
    expect(await one.answer()).toMatchObject({ status: 200 });
    await running.stop();
  });

  it('a task refuses hosts that are not in otlp.allowed.hosts', async () => {
    const running = await startTask({ 'otlp.allowed.hosts': 'collector.example' });
    const client = await rawClient(running.httpPort);
    for (const [host, status] of [
      ['collector.example', 200],
      ['COLLECTOR.example:4318', 200],
      ['127.0.0.1', 200],
      ['rebound.example', 403],
    ] as const) {
      client.send(requestText({ Host: host, 'Content-Length': '0' }));
      expect(await client.answer()).toMatchObject({ status });
    }
    expect(running.metrics.read('RejectedForbidden')).toBe(1);
    await running.stop();
  });
});

describe('TLS files', () => {
  const write = (folder: string, { cert, key }: KeyPair): void => {
    writeFileSync(join(folder, 'cert.pem'), cert);
    writeFileSync(join(folder, 'key.pem'), key);
  };
  const tlsIn = (folder: string): Readonly<Record<string, string>> => ({
    'otlp.tls.enabled': 'true',
    'otlp.tls.cert.path': join(folder, 'cert.pem'),
    'otlp.tls.key.path': join(folder, 'key.pem'),
  });
  const post = (port: number, ca: string, own: Partial<KeyPair> = {}): Promise<number> =>
    new Promise((resolve) => {
      const options = {
        host: '127.0.0.1',
        port,
        path: '/v1/traces',
        method: 'POST',
        agent: false,
        ca,
        ...own,
      };
      const sent = httpsRequest({ ...options, headers: json }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      });
      sent.on('error', () => resolve(0));
      sent.end('{}');
    });

  it('a task requires client certificates with otlp.tls.client.ca.path', async () => {
    const folder = newFolder();
    const authority = createAuthority('test authority');
    write(folder, authority.issue('collector'));
    writeFileSync(join(folder, 'ca.pem'), authority.ca);
    const running = await startTask({ ...tlsIn(folder), 'otlp.tls.client.ca.path': join(folder, 'ca.pem') });
    expect(await post(running.httpPort, authority.ca)).toBe(0);
    expect(await post(running.httpPort, authority.ca, authority.issue('client'))).toBe(200);
    await running.stop();
  });

  it('a task reloads TLS files every otlp.tls.reload.interval.ms, reports unusable ones and keeps the last ones', async () => {
    const folder = newFolder();
    const [old, renewed] = [createAuthority('old'), createAuthority('renewed')];
    write(folder, old.issue('collector'));
    const clock = createManualClock();
    const running = await startTask({ ...tlsIn(folder), 'otlp.tls.reload.interval.ms': '5000' }, { clock });
    expect(await post(running.httpPort, old.ca)).toBe(200);
    write(folder, renewed.issue('collector'));
    await clock.advance(5000);
    await running.logged('tls_reloaded');
    expect(await post(running.httpPort, old.ca)).toBe(0);
    expect(await post(running.httpPort, renewed.ca)).toBe(200);
    writeFileSync(join(folder, 'cert.pem'), 'no certificate');
    await clock.advance(5000);
    await running.logged('tls_reload_failed');
    expect(await post(running.httpPort, renewed.ca)).toBe(200);
    await running.stop();
  });
});
