import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type ConnectionOptions, connect } from 'node:tls';
import { eventLog, systemClock } from '@levada/connect-runtime-core';
import { createManualClock, createRecordingLogger, waitFor } from '@levada/connect-runtime-core/testing';
import { makeCertificates } from '@levada/test-peers/tls';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readRestTls } from '../src/config/rest-tls.ts';
import type { LoadedTls } from '../src/host/tls-files.ts';
import { openListener } from '../src/http/listener.ts';
import { openRest } from '../src/http/open-rest.ts';
import { TlsRenewal } from '../src/http/tls-renewal.ts';
import { checkWorkerConfig } from '../src/load-worker-config.ts';
import { forward } from '../src/rest/call-worker.ts';
import type { RestResponse } from '../src/rest/message/rest-message.ts';
import { workerEvents } from '../src/telemetry/worker-events.ts';
import { startInProcess } from './worker-in-process.ts';

let folder: string;
const file = (name: string): string => join(folder, name);
let ca: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'levada-rest-tls-'));
  makeCertificates(folder);
  for (const name of ['server', 'client', 'stranger']) await store(name, `${name}-store.pem`);
  ca = await readFile(file('ca.pem'), 'utf8');
  const input = ['-in', file('server.pem'), '-inkey', file('server.key')];
  const output = ['-out', file('server.p12'), '-passout', 'pass:changeit'];
  execFileSync('openssl', ['pkcs12', '-export', ...input, ...output], { stdio: 'pipe' });
  const trust = ['-importcert', '-noprompt', '-alias', 'ca', '-file', file('ca.pem')];
  const trustStore = ['-keystore', file('trust.p12'), '-storepass', 'changeit'];
  execFileSync('keytool', [...trust, ...trustStore], { stdio: 'pipe' });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Key and certificate in one file, as a store of type PEM has them. */
async function store(name: string, target: string): Promise<void> {
  const parts = [await readFile(file(`${name}.key`), 'utf8'), await readFile(file(`${name}.pem`), 'utf8')];
  await writeFile(file(target), parts.join(''));
}

interface Answer {
  readonly status: number | undefined;
  readonly location: string | undefined;
  readonly body: string;
}

async function ask(url: string, options: ConnectionOptions & { agent?: Agent } = {}): Promise<Answer> {
  const asked = request(url, { agent: false, ca, ...options }).end();
  const [response] = await once(asked, 'response');
  return {
    status: response.statusCode,
    location: response.headers.location,
    body: await text(response),
  };
}

const client = async (name: string): Promise<ConnectionOptions> => ({
  key: await readFile(file(`${name}.key`)),
  cert: await readFile(file(`${name}.pem`)),
});

/** TLS of a server store, which is watched until it is stopped. */
async function started(): Promise<{ readonly loaded: LoadedTls; readonly stop: () => void }> {
  const tls = readRestTls({ 'ssl.keystore.location': file('server-store.pem') }, 'listeners.https.');
  const renewal = await TlsRenewal.start({ clock: createManualClock(), log: () => {}, tls });
  return { loaded: renewal.loaded, stop: () => renewal.stop() };
}

describe('REST over TLS', () => {
  it('answers on https listeners with a PKCS12 store, in the versions that are enabled, and only there', async () => {
    const { worker, end } = await startInProcess({
      listeners: 'https://127.0.0.1:0',
      'admin.listeners': '',
      'listeners.https.ssl.keystore.location': file('server.p12'),
      'listeners.https.ssl.keystore.type': 'PKCS12',
      'listeners.https.ssl.keystore.password': 'changeit',
      'listeners.https.ssl.enabled.protocols': 'TLSv1.3',
    });
    expect(worker.url).toMatch(/^https:/);
    expect(await ask(`${worker.url}/`)).toMatchObject({ status: 200 });
    await expect(ask(`${worker.url}/`, { maxVersion: 'TLSv1.2' })).rejects.toThrow(/alert|version/);
    await expect(ask(`${worker.url}/`, { ca: [] })).rejects.toThrow(/certificate/);
    // Not TLS: the connection ends, and others are served.
    await expect(fetch(worker.url.replace('https', 'http'))).rejects.toThrow('fetch failed');
    expect(await ask(`${worker.url}/health`)).toMatchObject({ status: expect.any(Number) });
    expect(await end()).toBe(0);
  });

  it('asks clients for certificates as ssl.client.auth says, on each listener by its own trust, PEM or PKCS12', async () => {
    const clock = createManualClock();
    const tlsOf = (clientAuth: string, trust: Readonly<Record<string, string>>): Promise<TlsRenewal> =>
      TlsRenewal.start({
        clock,
        log: () => {},
        tls: readRestTls(
          {
            'listeners.https.ssl.keystore.location': file('server-store.pem'),
            'listeners.https.ssl.client.auth': clientAuth,
            ...trust,
          },
          'listeners.https.',
        ),
      });
    const address = { scheme: 'https', host: '127.0.0.1', port: 0 } as const;
    const rest = await openRest({
      listeners: [address],
      tls: await tlsOf('requested', { 'listeners.https.ssl.truststore.location': file('ca.pem') }),
      adminListeners: [address],
      adminTls: await tlsOf('required', {
        'listeners.https.ssl.truststore.location': file('trust.p12'),
        'listeners.https.ssl.truststore.password': 'changeit',
      }),
      admission: { allowedHosts: new Set(), allowedOrigins: new Set(), allowedMethods: [] },
      headers: [],
      clock,
    });
    onTestFinished(() => rest.close(0));
    const url = `https://127.0.0.1:${rest.listeners[0]?.port}/`;
    const admin = `https://127.0.0.1:${rest.adminListeners[0]?.port}/`;
    expect(await ask(url)).toMatchObject({ status: 503 });
    expect(await ask(url, await client('client'))).toMatchObject({ status: 503 });
    await expect(ask(url, await client('stranger'))).rejects.toThrow(/certificate|reset|hang up/);
    expect(await ask(admin, await client('client'))).toMatchObject({ status: 503 });
    await expect(ask(admin)).rejects.toThrow(/certificate|reset|hang up/);
    await expect(ask(admin, await client('stranger'))).rejects.toThrow(/certificate|reset|hang up/);
  });

  it('uses certificates that were changed, keeps connections, and keeps those before when new ones are unusable', async () => {
    const clock = createManualClock();
    await cp(file('server-store.pem'), file('changing.pem'));
    const logger = createRecordingLogger();
    const tls = await TlsRenewal.start({
      clock,
      log: eventLog(workerEvents, logger, clock),
      tls: readRestTls({ 'ssl.keystore.location': file('changing.pem') }, 'listeners.https.'),
    });
    const rest = await openRest({
      listeners: [{ scheme: 'https', host: '127.0.0.1', port: 0 }],
      tls,
      adminListeners: 'same',
      admission: { allowedHosts: new Set(), allowedOrigins: new Set(), allowedMethods: [] },
      headers: [],
      clock,
    });
    onTestFinished(() => rest.close(0));
    const port = rest.listeners[0]?.port as number;
    const subject = async (): Promise<unknown> => {
      const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
      await once(socket, 'secureConnect');
      const { CN } = socket.getPeerCertificate().subject;
      socket.destroy();
      return CN;
    };
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca });
    onTestFinished(() => agent.destroy());
    const events = (): readonly unknown[] => logger.lines.map(({ fields }) => fields['event']);
    await ask(`https://127.0.0.1:${port}/`, { agent });
    const look = async (event: string): Promise<void> => {
      await waitFor(async () => {
        await clock.advance(5_000);
        return events().includes(event);
      });
    };
    await writeFile(file('changing.pem'), 'half of a fi');
    await look('rest_tls_unusable');
    expect(await subject()).toBe('feed.example');
    await store('stranger', 'changing.pem');
    await look('rest_tls_renewed');
    expect(await subject()).toBe('stranger');
    // The connection that is open still works, although its certificate is gone.
    expect(await ask(`https://127.0.0.1:${port}/`, { agent })).toMatchObject({ status: 503 });
    expect(Object.values(agent.freeSockets).flat()).toHaveLength(1);
  });

  it('ends the connection that waits longest for its client when there are too many, and none that waits for the worker', async () => {
    const answer = Promise.withResolvers<RestResponse>();
    const asked = Promise.withResolvers<void>();
    const { loaded, stop } = await started();
    const listener = await openListener({
      host: '127.0.0.1',
      port: 0,
      tls: loaded.server,
      handle: () => {
        asked.resolve();
        return answer.promise;
      },
      admission: { allowedHosts: new Set(), allowedOrigins: new Set(), allowedMethods: [] },
      headers: [],
      clock: systemClock,
      limits: { connections: 2, bodyBytes: 1024, inFlight: 10 },
    });
    onTestFinished(async () => {
      stop();
      await listener.close(0);
    });
    const busy = ask(`https://127.0.0.1:${listener.port}/`);
    await asked.promise;
    const idle = connect({ port: listener.port, host: '127.0.0.1', ca });
    idle.on('error', () => {});
    await once(idle, 'secureConnect');
    const ended = new Promise((resolve) => idle.once('close', resolve));
    const late = connect({ port: listener.port, host: '127.0.0.1', ca });
    await once(late, 'secureConnect');
    await ended;
    late.destroy();
    answer.resolve({ status: 200, headers: {}, body: 'fine' });
    expect(await busy).toMatchObject({ status: 200, body: 'fine' });
  });

  it("forwards requests to workers whose certificates the worker's own trust accepts", async () => {
    const { worker, end } = await startInProcess({
      listeners: 'https://127.0.0.1:0',
      'ssl.keystore.location': file('server-store.pem'),
    });
    await worker.started;
    const body = new Uint8Array();
    const list = { method: 'GET', target: '/connectors', headers: new Map(), body, baseUrl: '' };
    expect(await forward(list, `${worker.url}/`, { tls: () => ({ ca }) })).toMatchObject({
      status: 200,
      body: '[]',
    });
    await expect(forward(list, `${worker.url}/`)).rejects.toMatchObject({
      status: 500,
      message: expect.stringContaining('IO Error trying to forward REST request'),
    });
    expect(await end()).toBe(0);
    await expect(forward(list, `${worker.url}/`, { tls: () => ({ ca }) })).rejects.toMatchObject({
      status: 500,
    });
  });
});

describe('a configuration of TLS listeners', () => {
  const problemOf = async (raw: Readonly<Record<string, string>>): Promise<string> => {
    const { problems } = await checkWorkerConfig({ overrides: { listeners: 'https://:1', ...raw } });
    return problems.map(({ key, message }) => `${key}: ${message}`).join('\n');
  };

  it('names the key that is missing, and those whose files or texts cannot be used', async () => {
    expect(await problemOf({})).toContain('ssl.keystore.location: Invalid configuration');
    const own = 'listeners.https.ssl.keystore.location';
    expect(await problemOf({ [own]: file('none.pem') })).toMatch(
      /^listeners\.https\.ssl\.keystore\.location: Cannot read the file of .*ENOENT/,
    );
    expect(await problemOf({ [own]: file('server.p12') })).toContain('ssl.keystore.password given');
    expect(await problemOf({ 'listeners.https.ssl.client.auth': 'maybe' })).toContain(
      'Invalid value maybe for configuration listeners.https.ssl.client.auth',
    );
    expect(await problemOf({ 'ssl.keystore.key': 'x' })).toContain('are expected together');
    const stores = { 'ssl.keystore.location': file('server-store.pem') };
    expect(await problemOf({ ...stores, 'ssl.truststore.location': file('trust.p12') })).toContain(
      'ssl.truststore.password given',
    );
    await writeFile(file('garbage'), 'garbage');
    expect(await problemOf({ ...stores, 'ssl.truststore.location': file('garbage') })).toContain(
      'neither PEM nor PKCS12',
    );
    expect(await problemOf({ ...stores, 'rest.advertised.listener': 'http' })).toContain(
      'There is no such listener',
    );
    expect(await problemOf(stores)).toBe('');
  });
});
