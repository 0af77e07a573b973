import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import type { RawConfig } from '@levada/connect-runtime-core';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { eventBytes, eventJson, type ServerCall, tlsCredentials } from '@levada/test-peers/grpc';
import { makeCertificates } from '@levada/test-peers/tls';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { delaysOf, feed, fieldsOf, runTask, serve } from './feed.ts';
import { startReflectionServer } from './reflection-server.ts';
import { testConfig, texts } from './running-task.ts';

const message = eventBytes({ payload: 'm' });
const received = [eventJson({ payload: 'm' })];

const authorization = ({ metadata }: ServerCall): string => metadata.get('authorization').join();

describe('metadata', () => {
  it('arrives in both of its forms, bytes and values with commas and colons included', async () => {
    const running = await feed((call) => call.send(message), {
      raw: {
        'grpc.metadata': 'authorization: Bearer a:b , x-list:one,x-both:text',
        'grpc.metadata.x-both': 'named, wins',
        'grpc.metadata.x-bytes-bin': 'AP+A',
      },
    });
    await running.take(1);
    const { metadata } = await running.server.call(0);
    expect(metadata.getMap()).toMatchObject({
      authorization: 'Bearer a:b',
      'x-list': 'one',
      'x-both': 'named, wins',
      'x-bytes-bin': Buffer.from([0, 0xff, 0x80]),
    });
  });
});

describe('references to secrets', () => {
  /** A task whose token is what `resolve` says at each attempt but the first; the server accepts one of them alone. */
  async function rotating(accepted: string, resolve: (attempt: number) => Promise<RawConfig>) {
    const clock = createManualClock();
    let attempts = 0;
    const server = await serve((call) => {
      if (authorization(call) === `Bearer ${accepted}`) call.send(message);
      else call.end('UNAUTHENTICATED', 'token expired');
    });
    const running = await runTask(server.port, {
      clock,
      raw: { 'grpc.metadata.authorization': 'Bearer token-0' },
      context: {
        resolveConfig: () => {
          attempts += 1;
          return resolve(attempts);
        },
      },
    });
    return { ...running, clock, server, resolved: () => attempts };
  }

  const withToken = (port: number, token: string, raw: RawConfig = {}): RawConfig =>
    testConfig(port, { ...raw, 'grpc.metadata.authorization': `Bearer ${token}` });

  it('resolves references to secrets again at each attempt but the first', async () => {
    const running = await rotating('token-2', async (attempt) =>
      withToken(running.server.port, `token-${attempt}`),
    );
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await running.logged('reconnect_scheduled', attempt);
      await running.clock.advance(delaysOf(running).at(-1) ?? 0);
    }
    expect(texts(await running.take(1))).toEqual(received);
    expect(running.server.calls.map(authorization)).toEqual([
      'Bearer token-0',
      'Bearer token-1',
      'Bearer token-2',
    ]);
    expect(running.metrics.read('PermanentErrors')).toBe(2);
    expect(running.resolved()).toBe(2);
  });

  it('keeps using the last valid metadata when a reference resolves to a value that no call can carry', async () => {
    const running = await rotating('token-2', async (attempt) =>
      withToken(
        running.server.port,
        `token-${attempt}`,
        attempt === 1 ? { 'grpc.metadata.x-a-bin': '!' } : {},
      ),
    );
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await running.logged('reconnect_scheduled', attempt);
      await running.clock.advance(delaysOf(running).at(-1) ?? 0);
      await running.server.call(attempt);
    }
    expect(texts(await running.take(1))).toEqual(received);
    expect(running.server.calls.map(authorization)).toEqual([
      'Bearer token-0',
      'Bearer token-0',
      'Bearer token-2',
    ]);
  });

  it('keeps using the last resolved references when resolving fails, and logs it once a minute', async () => {
    const running = await rotating('token-3', async (attempt) => {
      if (attempt === 2) return withToken(running.server.port, 'bad\u0007token');
      if (attempt < 3) throw new Error('no such file');
      return withToken(running.server.port, `token-${attempt}`);
    });
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      await running.logged('reconnect_scheduled', attempt);
      await running.clock.advance(delaysOf(running).at(-1) ?? 0);
      await running.server.call(attempt);
    }
    expect(texts(await running.take(1))).toEqual(received);
    expect(running.server.calls.map(authorization)).toEqual([
      'Bearer token-0',
      'Bearer token-0',
      'Bearer token-0',
      'Bearer token-3',
    ]);
    expect(running.logger.withEvent('credentials_unresolved')).toEqual([
      expect.objectContaining({
        level: 'warn',
        fields: expect.objectContaining({ error_message: 'no such file' }),
      }),
    ]);
    expect(running.logger.text()).not.toContain('token-');
  });

  it('waits at most ten seconds for references to be resolved', async () => {
    const running = await rotating('token-0', () => new Promise(() => undefined));
    (await running.server.call(0)).end('UNAVAILABLE');
    await running.logged('reconnect_scheduled');
    await running.clock.advance(delaysOf(running)[0] ?? 0);
    await waitFor(() => running.resolved() === 1);
    await running.clock.advance(10_000);
    await running.server.call(1);
    expect(fieldsOf(running, 'credentials_unresolved')[0]).toMatchObject({
      error_message: 'references were not resolved within 10000 ms',
    });
  });

  it('do not bring back values that were changed while running', async () => {
    const running = await rotating('token-1', async () =>
      withToken(running.server.port, 'token-1', {
        'platform.topic': 'of-old',
        'grpc.message.queue.size': '7',
      }),
    );
    await running.logged('reconnect_scheduled');
    await running.clock.advance(delaysOf(running)[0] ?? 0);
    const [record] = await running.take(1);
    expect(record?.topic).toBe('events');
    expect(running.metrics.read('QueueCapacity')).toBe(10_000);
  });
});

describe('TLS', () => {
  let folder: string;
  const file = (name: string): string => join(folder, name);
  const mutual: RawConfig = { 'grpc.tls.enabled': 'true' };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'levada-grpc-tls-'));
    makeCertificates(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const secured = () =>
    serve((call) => call.send(message), { credentials: tlsCredentials(folder, { mutual: true }) });

  it('reads TLS files again before each further attempt, and keeps the previous ones while they are invalid', async () => {
    const server = await secured();
    copyFileSync(file('stranger.pem'), file('rotated.pem'));
    copyFileSync(file('stranger.key'), file('rotated.key'));
    const running = await runTask(server.port, {
      raw: {
        ...mutual,
        'grpc.tls.ca.cert': file('ca.pem'),
        'grpc.tls.client.cert': file('rotated.pem'),
        'grpc.tls.client.key': file('rotated.key'),
      },
    });
    await running.logged('connection_failed');
    // Between the two files of a rotation they do not fit together.
    copyFileSync(file('client.pem'), file('rotated.pem'));
    await running.logged('credentials_unresolved');
    copyFileSync(file('client.key'), file('rotated.key'));
    expect(texts(await running.take(1))).toEqual(received);
  });

  it('takes an authority and a key as text', async () => {
    const server = await secured();
    const running = await runTask(server.port, {
      raw: {
        ...mutual,
        'grpc.tls.ca.cert': readFileSync(file('ca.pem'), 'utf8'),
        'grpc.tls.client.cert': file('client.pem'),
        'grpc.tls.client.key.pem': readFileSync(file('client.key'), 'utf8'),
      },
    });
    expect(texts(await running.take(1))).toEqual(received);
  });

  it('keeps trying a server that it does not trust, and says why', async () => {
    const server = await secured();
    const running = await runTask(server.port, { raw: mutual });
    await running.logged('connection_failed', 2);
    expect(fieldsOf(running, 'connection_failed')[0]?.['error_message']).toMatch(
      /its certificate is not trusted/,
    );
    expect(running.task.connection().lastError).toMatch(/its certificate is not trusted/);
    expect(server.calls).toHaveLength(0);
  });

  it('warns when the server is not verified', async () => {
    const server = await serve((call) => call.send(message), {
      credentials: tlsCredentials(folder, { mutual: false }),
    });
    const running = await runTask(server.port, { raw: { ...mutual, 'grpc.tls.verify': 'false' } });
    expect(texts(await running.take(1))).toEqual(received);
    expect(running.logger.withEvent('tls_verification_off')[0]?.level).toBe('warn');
  });

  it('fails the start when a file cannot be read', async () => {
    writeFileSync(file('garbage.pem'), 'no certificate');
    const start = runTask(1, { raw: { ...mutual, 'grpc.tls.ca.cert': file('garbage.pem') } });
    await expect(start).rejects.toMatchObject({
      code: 'file_unreadable',
      message: expect.stringMatching(/^Cannot read TLS certificate: grpc\.tls\.ca\.cert .*garbage\.pem/),
    });
  });
});

describe('OAuth 2.0', () => {
  /** A token endpoint that answers with `t1`, `t2` and so on, or not at all. */
  async function tokens(answers: boolean) {
    let asked = 0;
    const forms: URLSearchParams[] = [];
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      asked += 1;
      forms.push(new URLSearchParams(Buffer.concat(await request.toArray()).toString()));
      if (answers) response.end(JSON.stringify({ access_token: `oauth-token-${asked}`, expires_in: 3600 }));
    };
    const endpoint = createServer((request, response) => void answer(request, response));
    await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      endpoint.closeAllConnections();
      endpoint.close();
    });
    const { port } = endpoint.address() as AddressInfo;
    const raw = {
      'grpc.oauth2.token.url': `http://127.0.0.1:${port}/token`,
      'grpc.oauth2.client.id': 'id',
      'grpc.oauth2.client.secret': 'client-secret',
    };
    return { raw, asked: () => asked, forms };
  }

  it('sends a token as authorization, keeps it over connections, and fetches another when it is refused', async () => {
    const { raw, asked } = await tokens(true);
    const running = await feed(
      (call, index) => {
        if (index === 0) call.end('UNAVAILABLE');
        else if (authorization(call) === 'Bearer oauth-token-2') call.send(message);
        else call.end('UNAUTHENTICATED', `revoked: ${authorization(call)}`);
      },
      { raw },
    );
    expect(texts(await running.take(1))).toEqual(received);
    expect(running.server.calls.map(authorization)).toEqual([
      'Bearer oauth-token-1',
      'Bearer oauth-token-1',
      'Bearer oauth-token-2',
    ]);
    expect(asked()).toBe(2);
    expect(fieldsOf(running, 'connection_failed')[1]?.['error_message']).toContain('revoked: Bearer ***');
    expect(running.logger.text()).not.toMatch(/oauth-token|client-secret/);
  });

  it('asks for the scope and the audience that are configured', async () => {
    const { raw, forms } = await tokens(true);
    const wanted = {
      'grpc.oauth2.scope': 'feed.read feed.list',
      'grpc.oauth2.audience': 'https://feed.example',
    };
    const running = await feed((call) => call.send(message), { raw: { ...raw, ...wanted } });
    await running.take(1);
    expect(forms.map((form) => Object.fromEntries(form))).toEqual([
      {
        grant_type: 'client_credentials',
        scope: 'feed.read feed.list',
        audience: 'https://feed.example',
      },
    ]);
  });

  it('fetches another token also when reflection refused the last', async () => {
    const { raw, asked } = await tokens(true);
    const server = await startReflectionServer({
      files: [],
      versions: ['v1'],
      answer: () => ({ code: status.UNAUTHENTICATED }),
    });
    onTestFinished(() => server.close());
    const running = await runTask(server.port, { raw: { ...raw, 'grpc.proto.descriptor': null } });
    await running.logged('connection_failed', 2);
    const sent = server.metadata.slice(0, 2).flatMap((metadata) => metadata.get('authorization'));
    expect(sent).toEqual(['Bearer oauth-token-1', 'Bearer oauth-token-2']);
    expect(asked()).toBeGreaterThan(1);
  });

  it('keeps trying while no OAuth 2.0 token can be fetched, and makes no call', async () => {
    const { raw, asked } = await tokens(false);
    const clock = createManualClock();
    const running = await feed(() => undefined, { raw, clock });
    await waitFor(() => asked() === 1);
    await clock.advance(10_000);
    await running.logged('connection_failed');
    expect(fieldsOf(running, 'connection_failed')[0]?.['error_message']).toMatch(
      /^no token from http:\/\/127\.0\.0\.1:\d+\/token: no answer within 10000 ms$/,
    );
    expect(running.server.calls).toHaveLength(0);
    expect(running.metrics.read('IsConnected')).toBe(0);
  });
});
