import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventLog, systemClock } from '@levada/connect-runtime-core';
import { createManualClock, createRecordingLogger, waitFor } from '@levada/connect-runtime-core/testing';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { AccessControl } from '../src/access/access-control.ts';
import { checkWorkerConfig } from '../src/load-worker-config.ts';
import { workerEvents } from '../src/telemetry/worker-events.ts';
import { rawRequest } from './raw-request.ts';
import { type InProcessWorker, startInProcess } from './worker-in-process.ts';

const extension = 'org.apache.kafka.connect.rest.basic.auth.extension.BasicAuthSecurityRestExtension';
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;
const alice = basic('alice:wonder:land');

let folder: string;
const file = (name: string): string => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'levada-access-'));
  await writeFile(file('users.properties'), '# users\nalice=wonder:land\nbob = p\\u00e4ss\nvera=v\n');
  await writeFile(
    file('jaas.conf'),
    `// for Java workers\nOther { a.B required; };\nKafkaConnect {\n  ${extension.replace(/\w+$/, '')}PropertyFileLoginModule required\n  file="${file('users.properties')}";\n};\n`,
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Asked {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

async function ask(
  { worker }: InProcessWorker,
  call: string,
  authorization?: string,
  body?: unknown,
): Promise<Asked> {
  const [method = '', path = ''] = call.split(' ');
  const response = await fetch(`${worker.url}${path}`, {
    method,
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Lines of the log with this event. */
function logged({ text }: InProcessWorker, event: string): readonly Record<string, unknown>[] {
  return text()
    .split('\n')
    .filter((line) => line.includes(`"event":"${event}"`))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('basic authentication', () => {
  let run: InProcessWorker;
  beforeAll(async () => {
    run = await startInProcess(
      {
        'rest.extension.classes': extension,
        'rest.roles.read': '*',
        'rest.roles.operate': 'bob',
        'rest.roles.admin': 'alice',
      },
      { environment: { KAFKA_OPTS: `-Xmx1g -Djava.security.auth.login.config=${file('jaas.conf')}` } },
    );
    await run.worker.started;
  });
  afterAll(async () => {
    await run.end();
  });

  it.each([
    undefined,
    basic('alice:wonder'),
    basic('alice'),
    basic(':wonder:land'),
    basic('carol:x'),
    basic('alice:wonder:land').replace('Basic', 'Digest'),
    'Basic %%%',
    'Basic',
    'Bearer abc',
  ])("answers %s with 401 in Kafka Connect's form", async (authorization) => {
    const { status, headers, text } = await ask(run, 'GET /connectors', authorization);
    expect({ status, text }).toEqual({ status: 401, text: 'User cannot access the resource.' });
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('www-authenticate')).toBeNull();
  });

  it('protects every path that exists, and lets known users in', async () => {
    for (const path of ['/', '/health', '/metrics', '/admin/loggers', '/connector-plugins']) {
      expect(await ask(run, `GET ${path}`)).toMatchObject({ status: 401 });
      expect(await ask(run, `GET ${path}`, alice)).toMatchObject({ status: 200 });
    }
    expect(await ask(run, 'GET /nothing')).toMatchObject({ status: 404 });
    expect(await ask(run, 'POST /health')).toMatchObject({ status: 405 });
    expect(await ask(run, 'GET /', basic('bob:päss').replace('Basic', 'bASIC'))).toMatchObject({
      status: 200,
    });
  });

  it('answers probes, which know no password', async () => {
    for (const path of ['/health/live', '/health/ready']) {
      const { status, text } = await ask(run, `GET ${path}`);
      expect({ status, state: JSON.parse(text).status }).toEqual({ status: 200, state: 'healthy' });
    }
  });

  it('asks other workers for a signature, not for a password', async () => {
    expect(await ask(run, 'POST /connectors/none/tasks', undefined, [])).toMatchObject({
      status: 400,
      text: expect.stringContaining('Internal request missing required signature'),
    });
  });

  it('lets a host name in that it does not know, which DNS rebinding cannot use', async () => {
    const { port } = new URL(run.worker.url);
    const request = `GET / HTTP/1.1\r\nHost: connect.example\r\nAuthorization: ${alice}\r\n\r\n`;
    expect(await rawRequest(Number(port), [request])).toMatchObject({ status: 200 });
  });

  it('lets callers do what their role includes', async () => {
    const bob = basic('bob:päss');
    const vera = basic('vera:v');
    const refused = { status: 403, text: expect.stringContaining('needs the role') };
    for (const user of [vera, bob, alice]) {
      expect(await ask(run, 'GET /connectors', user)).toMatchObject({ status: 200 });
    }
    for (const call of ['PUT /connectors/none/pause', 'POST /connectors/none/restart']) {
      expect(await ask(run, call, vera)).toMatchObject(refused);
      expect(await ask(run, call, bob)).toMatchObject({ status: 404 });
    }
    for (const call of [
      'DELETE /connectors/none',
      'DELETE /connectors/none/offsets',
      'GET /connectors/none/records',
    ]) {
      expect(await ask(run, call, bob)).toMatchObject(refused);
      expect(await ask(run, call, alice)).toMatchObject({ status: 404 });
    }
    const level = { level: 'INFO' };
    expect(await ask(run, 'PUT /admin/loggers/levada.x', bob, level)).toMatchObject(refused);
    expect(await ask(run, 'PUT /admin/loggers/levada.x', alice, level)).toMatchObject({ status: 200 });
  });

  it('logs who changed what with which result, and no reads', async () => {
    await ask(run, 'PUT /connectors/logged/stop', basic('vera:v'));
    await ask(run, 'PUT /connectors/logged/resume');
    await ask(run, 'PUT /connectors/logged/nothing');
    const lines = logged(run, 'rest_change').filter(({ path }) => String(path).includes('/logged/'));
    expect(lines).toEqual([
      expect.objectContaining({ method: 'PUT', path: '/connectors/logged/stop', status: 403, user: 'vera' }),
      expect.objectContaining({ method: 'PUT', path: '/connectors/logged/resume', status: 401 }),
    ]);
    expect(lines[0]).toMatchObject({ client: '127.0.0.1' });
    expect(logged(run, 'rest_change').every(({ method }) => method !== 'GET')).toBe(true);
    expect(run.text()).not.toContain('rest_request');
    expect(run.text()).not.toContain('wonder');
  });
});

describe('users', () => {
  it('are read again when their file changes, and stay when it cannot be used', async () => {
    const clock = createManualClock();
    const logger = createRecordingLogger();
    const users = file('changing.properties');
    await writeFile(users, 'dora=old');
    const access = new AccessControl({
      config: {
        users: { kind: 'file', file: users },
        bearer: undefined,
        rules: { read: [], operate: [], admin: [] },
      },
      clock,
      log: eventLog(workerEvents, logger, clock),
    });
    await access.start();
    onTestFinished(() => access.stop());
    const look = (event: string): Promise<void> =>
      waitFor(async () => {
        await clock.advance(5_000);
        return logger.withEvent(event).length > 0 ? true : undefined;
      }).then(() => undefined);
    expect(await access.caller(basic('dora:old'))).toEqual({ name: 'dora', role: 'admin' });
    await writeFile(users, '# no users yet');
    await look('rest_users_unusable');
    expect(await access.caller(basic('dora:old'))).toBeDefined();
    await writeFile(users, 'dora=renewed');
    await look('rest_users_renewed');
    expect(await access.caller(basic('dora:old'))).toBeUndefined();
    expect(await access.caller(basic('dora:renewed'))).toBeDefined();
    expect(logger.text()).not.toContain('renewed=');
  });
});

describe('bearer tokens', () => {
  const issuerKeys = generateKeyPair('ES256');
  const otherKeys = generateKeyPair('ES256');
  const asked: string[] = [];
  let server: Server;
  let issuer: string;
  let answers = true;
  let endless = false;
  beforeAll(async () => {
    const jwk = { ...(await exportJWK((await issuerKeys).publicKey)), kid: 'k1', alg: 'ES256' };
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.statusCode = answers ? 200 : 503;
      if (endless && request.url === '/keys') {
        const more = (): boolean => response.writable && response.write(' '.repeat(1024 * 1024)) && more();
        response.on('drain', more);
        more();
        return;
      }
      const document = { issuer, jwks_uri: `${issuer}/keys` };
      response.end(JSON.stringify(request.url === '/keys' ? { keys: [jwk] } : document));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  const token = async (
    changes: Readonly<Record<string, unknown>> = {},
    { keys = issuerKeys, kid = 'k1' } = {},
  ): Promise<string> => {
    const now = Math.floor(systemClock.now() / 1000);
    const claims = {
      iss: issuer,
      aud: 'connect',
      sub: '4711',
      preferred_username: 'erika',
      realm_access: { roles: ['connect-operators'] },
      exp: now + 300,
      ...changes,
    };
    const { privateKey } = await keys;
    return `Bearer ${await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey)}`;
  };
  const keysOf = (): Readonly<Record<string, string>> => ({
    'rest.bearer.issuer': issuer,
    'rest.bearer.audience': 'connect',
    'rest.bearer.user.claim': 'preferred_username',
    'rest.bearer.roles.claim': 'realm_access.roles',
    'rest.roles.operate': 'role:connect-operators',
    'rest.roles.admin': 'role:connect-admins',
    'rest.request.log': 'true',
  });

  it('are accepted from their issuer, for their audience, in time, with the roles that they claim', async () => {
    const run = await startInProcess(keysOf());
    await run.worker.started;
    const known = await token();
    expect(await ask(run, 'GET /connectors', known)).toMatchObject({ status: 200 });
    expect(await ask(run, 'PUT /connectors/none/pause', known)).toMatchObject({ status: 404 });
    expect(await ask(run, 'DELETE /connectors/none', known)).toMatchObject({ status: 403 });
    const admin = await token({ realm_access: { roles: ['connect-admins'] }, aud: ['x', 'connect'] });
    expect(await ask(run, 'DELETE /connectors/none', admin)).toMatchObject({ status: 404 });
    expect(await ask(run, 'GET /connectors', await token({ realm_access: {} }))).toMatchObject({
      status: 403,
    });
    const chosen = await token({ preferred_username: 'role:connect-admins' });
    expect(await ask(run, 'DELETE /connectors/none', chosen)).toMatchObject({ status: 403 });
    const past = Math.floor(systemClock.now() / 1000) - 300;
    const wrong = [
      await token({ exp: past }),
      await token({ exp: undefined }),
      await token({ aud: 'other' }),
      await token({ iss: 'https://other.example' }),
      await token({ preferred_username: '' }),
      await token({}, { keys: otherKeys }),
      await token({}, { kid: 'k2' }),
      `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.${known.split('.')[1]}.`,
      basic('erika:x'),
    ];
    for (const authorization of wrong) {
      const { status, headers, text } = await ask(run, 'GET /connectors', authorization);
      expect({ status, offer: headers.get('www-authenticate') }).toEqual({ status: 401, offer: 'Bearer' });
      expect(JSON.parse(text)).toEqual({ error_code: 401, message: 'User cannot access the resource.' });
    }
    expect(asked.filter((url) => url.includes('openid-configuration'))).toHaveLength(1);
    expect(logged(run, 'rest_request')[0]).toMatchObject({
      method: 'GET',
      path: '/connectors',
      user: 'erika',
    });
    expect(run.text()).not.toContain(known.slice(7, 40));
    expect(await run.end()).toBe(0);
  });

  it('are answered with 503 while their issuer does not answer, and accepted afterwards', async () => {
    const clock = createManualClock({ now: systemClock.now() });
    const { config } = await checkWorkerConfig({ overrides: keysOf() });
    const access = new AccessControl({ config: config?.access as never, clock, log: () => {} });
    answers = false;
    const known = await token();
    await expect(access.caller(known)).rejects.toThrow('issuer does not answer');
    const before = asked.length;
    await expect(access.caller(known)).rejects.toThrow('issuer does not answer');
    expect(asked.length).toBe(before);
    answers = true;
    await clock.advance(5_000);
    expect(await access.caller(known)).toEqual({ name: 'erika', role: 'operate' });
  });

  it('are answered with 503 when the keys of their issuer have no end', async () => {
    const { config } = await checkWorkerConfig({ overrides: keysOf() });
    const access = new AccessControl({ config: config?.access as never, clock: systemClock, log: () => {} });
    endless = true;
    onTestFinished(() => {
      endless = false;
    });
    const refused = await access.caller(await token()).catch((thrown: unknown) => thrown);
    expect(refused).toMatchObject({ cause: { message: expect.stringContaining('is longer than') } });
  });
});

describe('a configuration of access', () => {
  it.each([
    [{ 'rest.extension.classes': 'a.B' }, 'The only REST extension is'],
    [{ 'rest.extension.classes': extension }, 'rest.basic.users.file: Invalid value null'],
    [{ 'rest.basic.users.file': '/x' }, 'It needs rest.extension.classes'],
    [{ 'rest.extension.classes': extension, 'rest.basic.users.file': '/none' }, 'ENOENT'],
    [{ 'rest.extension.classes': extension, 'rest.basic.users.file': '<empty>' }, 'has no users'],
    [
      { 'rest.extension.classes': extension, 'rest.basic.jaas.file': '<empty>' },
      'no readable entry KafkaConnect',
    ],
    [{ 'rest.roles.admin': 'alice' }, 'no caller is known'],
    [{ 'rest.bearer.issuer': 'http://issuer.example' }, 'Expected an https URL'],
    [{ 'rest.bearer.issuer': 'https://issuer.example' }, 'rest.bearer.audience: Missing required'],
  ])('refuses %j', async (raw, problem) => {
    await writeFile(file('empty'), '# nothing\n');
    const placed = Object.entries(raw).map(([key, value]) => [key, value.replace('<empty>', file('empty'))]);
    const { problems } = await checkWorkerConfig({ overrides: Object.fromEntries(placed) });
    expect(problems.map(({ key, message }) => `${key}: ${message}`).join('\n')).toContain(problem);
  });

  it('warns when requests between workers are not signed', async () => {
    const raw = {
      'rest.extension.classes': 'BasicAuthSecurityRestExtension',
      'rest.basic.users.file': file('users.properties'),
      'connect.protocol': 'compatible',
    };
    const { config, warnings } = await checkWorkerConfig({ overrides: raw });
    expect(warnings).toEqual([expect.objectContaining({ key: 'connect.protocol' })]);
    expect(config?.warnings).toEqual(warnings);
  });
});
