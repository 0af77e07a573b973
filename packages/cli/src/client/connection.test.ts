import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createManualClock } from '@levada/connect-runtime-core/testing';
import { createAuthority } from '@levada/test-peers/tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../test/run-command.ts';
import { workerClient } from './worker-client.ts';

let folder: string;
const closing: (() => void)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'levada-cli-contexts-'));
});
afterEach(async () => {
  for (const close of closing.splice(0)) close();
  await rm(folder, { recursive: true });
});

type Answer = (request: IncomingMessage) => { readonly status: number; readonly body: unknown };

/** A server that answers as a worker without connectors would, and the headers of what it was asked. */
async function startServer(answer: Answer = () => ({ status: 200, body: {} })) {
  const asked: IncomingMessage['headers'][] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers);
    const { status, body } = answer(request);
    response.writeHead(status, status < 400 && status >= 300 ? { location: 'http://u:Canary@x/' } : {});
    response.end(JSON.stringify(body));
  });
  return { asked, url: `http://127.0.0.1:${await listen(server)}` };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const levada = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCommand(args, { cwd: folder, env: { LEVADA_CONFIG: join(folder, 'config.yaml'), ...env } });
const get = ['get', 'connectors'];
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

describe('credentials', () => {
  it.each<[string, readonly string[], Readonly<Record<string, string>>, string | undefined]>([
    ['a token', ['--token', 'abc'], {}, 'Bearer abc'],
    ['a token of the environment', [], { LEVADA_TOKEN: 'abc' }, 'Bearer abc'],
    ['a user', ['--user', 'me:pass:word'], {}, basic('me:pass:word')],
    [
      'a user whose password is in the environment',
      ['--user', 'me'],
      { LEVADA_PASSWORD: 'x' },
      basic('me:x'),
    ],
    ['an option rather than the environment', ['--user', 'me:x'], { LEVADA_TOKEN: 'abc' }, basic('me:x')],
    ['none', [], {}, undefined],
  ])('sends %s', async (_, args, env, expected) => {
    const { asked, url } = await startServer();
    expect(await levada([...get, '--url', url, ...args], env)).toMatchObject({ code: 0 });
    expect(asked[0]?.authorization).toBe(expected);
  });

  it('user and password come from the URL and are never shown', async () => {
    const { asked, url } = await startServer(() => ({ status: 401, body: {} }));
    const secret = url.replace('//', '//me:Canary%21@');
    const { code, out, err } = await levada([...get, '--url', secret]);
    expect(asked[0]?.authorization).toBe(basic('me:Canary!'));
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(`the worker at ${url} refuses the request (401)`);
    expect(err).not.toContain('Canary');
  });

  it.each([
    ['503 while it starts', 503, 'starting'],
    ['500 while its log is away', 500, 'unhealthy'],
  ])(
    'ends with 1 for the health of a worker that answers %s, without asking again',
    async (_, status, state) => {
      const { asked, url } = await startServer(() => ({
        status,
        body: { status: state, message: 'See /health.' },
      }));
      const { code, err } = await levada(['worker', 'health', '--url', url]);
      expect([code, asked.length]).toEqual([1, 1]);
      expect(err).toContain(`the worker at ${url} is not ready: ${state}`);
    },
  );

  it('the command waits for the health of a worker for the given time', async () => {
    let answers = 0;
    const { url } = await startServer(() =>
      ++answers < 3
        ? { status: 503, body: { status: 'starting' } }
        : { status: 200, body: { status: 'healthy' } },
    );
    expect(await levada(['worker', 'health', '--wait', '60', '--url', url])).toMatchObject({ code: 0 });
  });

  it('does not say that there are no workers when they have nothing to run', async () => {
    const { url } = await startServer();
    const { code, out, err } = await levada(['get', 'workers', '--url', url]);
    expect([code, out, err]).toEqual([0, '', 'no worker has anything to run\n']);
  });

  it('says of refused credentials that they are wrong, and of none that they are missing', async () => {
    const { url } = await startServer(() => ({ status: 401, body: {} }));
    expect((await levada([...get, '--url', url])).err).toContain('give credentials with --user');
    const { err } = await levada([...get, '--url', url, '--token', 'Canary']);
    expect(err).toContain('the credentials that were sent are wrong there');
    expect(err).not.toContain('Canary');
  });

  it.each(['get connectors', 'logs', 'describe worker', 'connector restart a'])(
    'says of a server without JSON that it is no worker: levada %s',
    async (command) => {
      const { url } = await startServer(() => ({ status: 200, body: undefined }));
      const { code, err } = await levada([...command.split(' '), '--url', url]);
      expect([code, err]).toEqual([
        4,
        expect.stringContaining(`levada: ${url} answers, but it is no worker\n`),
      ]);
    },
  );

  it.each([
    'http://me:Canary@127.0.0.1:1',
    'http://me:Canary@127.0.0.1:1/?token=Canary',
    'me:Canary@127.0.0.1:1',
    'http://me:Canary@[oops',
    'ftp://me:C@n@Canary@host',
  ])('shows no password of %s', async (url) => {
    const { code, err } = await levada([...get, '--url', url]);
    expect([2, 4]).toContain(code);
    expect(err).not.toContain('Canary');
  });

  it('sends headers, and refuses a wrong one without its value', async () => {
    const { asked, url } = await startServer();
    await levada([...get, '--url', url, '--header', 'X-Team: shop'], {
      LEVADA_HEADERS: 'X-Team: a\nX-Other: b',
    });
    expect(asked[0]).toMatchObject({ 'x-team': 'shop', 'x-other': 'b' });
    const wrong = await levada([...get, '--header', 'X-Team=Canary']);
    expect([wrong.code, wrong.err]).toEqual([2, expect.not.stringContaining('Canary')]);
  });

  it('shows no control characters of an answer', async () => {
    const message = 'one\ntwo \u001b[2J';
    const { url } = await startServer(() => ({ status: 400, body: { error_code: 400, message } }));
    const { code, err } = await levada([...get, '--url', url]);
    expect([code, err]).toEqual([1, 'levada: one\ntwo \\u001b[2J\n']);
  });

  it('follows no redirect', async () => {
    const { url } = await startServer(() => ({ status: 302, body: {} }));
    const { code, err } = await levada([...get, '--url', url]);
    expect([code, err]).toEqual([4, expect.stringContaining('redirect to http://***@x/')]);
    expect(err).not.toContain('Canary');
  });

  it('trusts the given authority and shows the given certificate', async () => {
    const authority = createAuthority('authority');
    const { ca } = authority;
    const own = authority.issue('client');
    const server = createTlsServer(
      { ...authority.issue('server'), ca, requestCert: true, rejectUnauthorized: true },
      (_, response) => response.end('{}'),
    );
    const url = `https://127.0.0.1:${await listen(server)}`;
    for (const [name, text] of Object.entries({ 'ca.pem': ca, 'own.pem': own.cert, 'own.key': own.key }))
      await writeFile(join(folder, name), text);
    const unknown = await levada([...get, '--url', url]);
    expect([unknown.code, unknown.err]).toEqual([4, expect.stringContaining('--ca')]);
    const anonymous = await levada([...get, '--url', url, '--ca', 'ca.pem']);
    expect(anonymous.code).toBe(4);
    const pair = ['--cert', 'own.pem', '--key', 'own.key'];
    expect(await levada([...get, '--url', url, '--ca', 'ca.pem', ...pair])).toMatchObject({ code: 0 });
    await levada(['context', 'set', 'secure', '--url', url, '--ca', 'ca.pem', ...pair]);
    expect(await levada(get)).toMatchObject({ code: 0 });
    expect(await levada([...get, '--url', url, '--cert', 'own.pem'])).toMatchObject({ code: 2 });
    expect(await levada([...get, '--url', url, '--ca', 'own.key', ...pair])).toMatchObject({ code: 2 });
  });
});

describe('contexts', () => {
  it.runIf(process.platform === 'linux')(
    'contexts are refused where no folder can be made for them',
    async () => {
      const set = ['context', 'set', 'prod', '--url', 'http://127.0.0.1:1'];
      const { code, err } = await levada(set, { LEVADA_CONFIG: '/proc/levada/config.yaml' });
      expect(err).toContain('cannot write /proc/levada/config.yaml');
      expect(code).not.toBe(0);
    },
  );

  it('are kept in a file that only its owner can read, and listed without secrets', async () => {
    await levada(['context', 'set', 'prod', '--url', 'http://me:Canary@127.0.0.1:1/x/']);
    const file = join(folder, 'config.yaml');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toBe(
      'contexts:\n  prod:\n    url: http://127.0.0.1:1/x\n    user: me\n    password: Canary\ncurrent: prod\n',
    );
    await levada(['context', 'set', 'dev', '--url', 'http://127.0.0.1:2', '--token', 'Canary']);
    const { out } = await levada(['context', 'list']);
    expect(out).toMatch(
      /^\* +prod +http:\/\/127\.0\.0\.1:1\/x +user me\n +dev +http:\/\/127\.0\.0\.1:2 +token$/m,
    );
    expect(out).not.toContain('Canary');
    expect((await levada(get)).err).toContain('this is the URL of the context "prod"');
    await levada(['context', 'use', 'dev']);
    expect((await levada(get)).err).toContain('http://127.0.0.1:2');
    await levada(['context', 'remove', 'dev']);
    expect((await levada(['context', 'list', '--json'])).out).toContain('"current": false');
    expect(await levada([...get, '--context', 'dev'])).toMatchObject({ code: 2 });
  });

  it('send their credentials to their own URL alone', async () => {
    const { asked, url } = await startServer();
    const other = await startServer();
    await levada(['context', 'set', 'prod', '--url', url, '--token', 'abc', '--header', 'X-A: b']);
    await levada(get);
    expect(asked[0]).toMatchObject({ authorization: 'Bearer abc', 'x-a': 'b' });
    await levada([...get, '--url', other.url]);
    await levada(get, { LEVADA_URL: other.url });
    for (const headers of other.asked) expect(headers).not.toHaveProperty('authorization');
    expect(other.asked).toHaveLength(2);
    await levada([...get, '--context', 'prod'], { LEVADA_URL: other.url, LEVADA_TOKEN: 'other' });
    expect(asked[1]).toMatchObject({ authorization: 'Bearer abc' });
    await levada(get, { LEVADA_CONTEXT: 'prod', LEVADA_TOKEN: 'other' });
    expect(asked[2]).toMatchObject({ authorization: 'Bearer other' });
  });

  it('refer to the environment, keep comments, and warn when others can read them', async () => {
    const { asked, url } = await startServer();
    const file = join(folder, 'config.yaml');
    const text = `# mine\ncurrent: a\ncontexts:\n  a: { url: "${url}", token: "\${env:SECRET}" }\n`;
    await writeFile(file, text, { mode: 0o644 });
    const { err } = await levada(get, { SECRET: 'abc' });
    expect(err).toContain(`other users can read ${file}`);
    expect(asked[0]?.authorization).toBe('Bearer abc');
    const missing = await levada(get);
    expect([missing.code, missing.err]).toEqual([
      1,
      expect.stringContaining('needs the environment variable SECRET'),
    ]);
    await levada(['context', 'set', 'b', '--url', url]);
    expect(await readFile(file, 'utf8')).toMatch(/^# mine\n/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['contexts: [', 'config.yaml: '],
    ['- a\n', 'expected a map'],
    ['contexts: { a: { urll: x } }', 'unknown key "urll"'],
    ['contexts: { a: { url: 1 } }', '"url" of the context "a" is not text'],
  ])('ends with 1 for the file %j', async (text, message) => {
    await writeFile(join(folder, 'config.yaml'), text, { mode: 0o600 });
    const { code, err } = await levada(get);
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
  });
});

describe('a busy worker', () => {
  const terminal = { signal: new AbortController().signal, err: () => undefined };
  const connection = (url: string) => ({ url, base: new URL(url), headers: {}, tls: {} });

  it('is asked again until it answers', async () => {
    const answers = [
      { status: 409, body: { message: 'Cannot complete request momentarily due to a rebalance' } },
      { status: 503, body: { message: 'Worker is still starting up. x' } },
      { status: 200, body: ['a'] },
    ];
    const { url } = await startServer(() => answers.shift() as { status: number; body: unknown });
    const { code, out, err } = await levada(['get', 'connectors', '-o', 'json', '--url', url]);
    expect([code, out]).toEqual([0, '[\n  "a"\n]\n']);
    expect(err).toContain('the worker is busy');
  });

  it('is given up after 30 seconds, and not asked again about a connector that exists', async () => {
    const clock = createManualClock();
    const { asked, url } = await startServer(({ method }) => ({
      status: 409,
      body: { message: method === 'GET' ? 'rebalance' : 'Connector a already exists' },
    }));
    const client = workerClient(connection(url), terminal, { clock });
    await expect(client.change('POST', '/connectors', {})).rejects.toThrow('already exists');
    expect(asked).toHaveLength(1);
    let thrown: unknown;
    client.get('/connectors').catch((error: unknown) => {
      thrown = error;
    });
    while (thrown === undefined) {
      await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(300);
    }
    expect(thrown).toMatchObject({ message: 'rebalance', exitCode: 1 });
    expect(clock.monotonic()).toBeGreaterThanOrEqual(30_000);
  });
});
