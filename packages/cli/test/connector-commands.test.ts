import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CommandSurroundings, runCommand } from './run-command.ts';
import { startTestWorker, type TestWorker } from './running-worker.ts';

let worker: TestWorker;
let folder: string;

const levada = (args: readonly string[], how: CommandSurroundings = {}) =>
  runCommand(['connector', ...args], { cwd: folder, env: { LEVADA_URL: worker.url }, ...how });

const feed = {
  'connector.class': 'WebSocketSource',
  'tasks.max': '1',
  'websocket.url': 'ws://127.0.0.1:1/feed',
  'platform.topic': 'prices',
};

async function write(name: string, content: unknown): Promise<void> {
  await writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
}

/** Has the port that {@link telemetry} wants. */
async function startBlocker(): Promise<Server> {
  const blocker = createServer();
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
  return blocker;
}

function telemetry(blocker: Server) {
  return {
    'connector.class': 'io.vendor.connect.otel.OpenTelemetrySourceConnector',
    'tasks.max': 1,
    'otlp.bind.address': '127.0.0.1',
    'otlp.any.port': 'grpc',
    'otlp.http.port': (blocker.address() as AddressInfo).port,
  };
}

beforeAll(async () => {
  worker = await startTestWorker();
});
afterAll(() => worker.close());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'levada-cli-connectors-'));
  return async () => {
    await runCommand(['connector', 'delete', '*', '--yes', '--url', worker.url]);
    await rm(folder, { recursive: true });
  };
});

describe('levada connector apply', () => {
  it('creates connectors of JSON, YAML and properties files in a folder, and waits until they run', async () => {
    await mkdir(join(folder, 'all/more'), { recursive: true });
    await write('all/wrapped.json', { name: 'wrapped', config: { ...feed, 'tasks.max': 1 } });
    await write('all/bare.json', feed);
    const rows = (separator: string) =>
      Object.entries(feed)
        .map(([key, value]) => `${key}${separator}${value}\n`)
        .join('');
    await write('all/more/lines.properties', rows('='));
    await write('all/two.yml', `name: first\n${rows(': ')}---\nname: second\n${rows(': ')}`);
    await write('all/notes.txt', 'not a connector');
    const { code, out, err } = await levada(['apply', '-f', 'all', '--json']);
    expect([code, err]).toEqual([0, expect.stringContaining('bare: RUNNING, tasks 1/1\n')]);
    const { schema, connectors } = JSON.parse(out);
    expect(schema).toBe('levada.connector-outcomes/1');
    expect(connectors.map(({ name }: { name: string }) => name)).toEqual([
      'bare',
      'lines',
      'first',
      'second',
      'wrapped',
    ]);
    for (const one of connectors)
      expect(one).toMatchObject({ action: 'created', state: 'RUNNING', tasks: { running: 1, total: 1 } });
    const again = await levada(['apply', '-f', 'all', '-o', 'json']);
    for (const one of JSON.parse(again.out).connectors)
      expect(one).toMatchObject({ action: 'unchanged', changed: [], error: null });
  });

  it('changes what differs and shows which keys, also those that the worker masks', async () => {
    await write('prices.json', { ...feed, 'websocket.auth.token': 'first-secret' });
    await levada(['apply', '-f', 'prices.json']);
    expect(await levada(['diff', '-f', 'prices.json'])).toEqual({
      code: 0,
      out: '',
      err: 'no differences\n',
    });
    await write('prices.json', {
      ...feed,
      'websocket.auth.token': 'second-secret',
      'kafka.topic': 'other',
      'platform.topic': undefined,
    });
    const { code, out } = await levada(['diff', '-f', 'prices.json']);
    expect(code).toBe(3);
    expect(out).toMatch(/^prices: update \(its tasks are restarted\)\n/);
    expect(out).toContain('  ~ websocket.auth.token: ******** (differs)\n');
    expect(out).not.toContain('secret');
    const applied = await levada(['apply', '-f', 'prices.json']);
    expect(applied.out).toMatch(/^prices +updated +RUNNING +1\/1 +platform\.topic, websocket\.auth\.token/m);
    expect((await levada(['diff', '-f', 'prices.json'])).code).toBe(0);
  });

  it('changes nothing in a dry run, in which the worker checks the configuration', async () => {
    await write('good.json', feed);
    await write('bad.json', { ...feed, 'websocket.url': 'ftp://x' });
    const dry = await levada(['apply', '-f', 'good.json', '-f', 'bad.json', '--dry-run']);
    expect(dry.code).toBe(1);
    expect(dry.out).toMatch(/^good +created$/m);
    expect(dry.err).toContain('bad: websocket.url: ');
    expect((await runCommand(['get', 'connectors', '--url', worker.url])).err).toBe('no connectors\n');
  });

  it('applies the others when one is refused, and deletes nothing then', async () => {
    await write('old.json', feed);
    await levada(['apply', '-f', 'old.json']);
    await write('good.json', feed);
    await write('bad.json', { ...feed, 'websocket.url': 'ftp://x' });
    const files = ['-f', 'good.json', '-f', 'bad.json', '--prune'];
    const refused = await levada(['apply', ...files]);
    expect(refused.code).toBe(1);
    expect(refused.out).toMatch(/^good +created +RUNNING/m);
    expect(refused.out).toMatch(/^bad +failed/m);
    expect(refused.err).toContain('deleted nothing, since not everything could be applied: old');
    await write('bad.json', { ...feed, 'websocket.url': 'ws://127.0.0.1:1/y' });
    expect((await levada(['diff', ...files])).out).toMatch(/^old: delete$/m);
    expect((await levada(['apply', ...files.slice(0, 4), '--prune', 'nothing-*'])).out).not.toContain('old');
    expect((await levada(['apply', ...files])).out).toMatch(/^old +deleted +-/m);
  });

  it('reads standard input', async () => {
    const text = JSON.stringify({ name: 'piped', config: feed, initial_state: 'paused' });
    const input = async () => text;
    const { out } = await levada(['apply', '-f', '-'], { input, env: { LEVADA_URL: worker.url } });
    expect(out).toMatch(/^piped +created +PAUSED +0\/\d$/m);
  });

  it('names every problem of the files before anything is done', async () => {
    await write('map.json', { ...feed, 'websocket.headers': { a: 'b' } });
    await write('class.yaml', 'name: x\ntopics: a\n');
    await write('broken.json', '{"name": "x",');
    await write('a.json', { name: 'same', config: feed });
    await write('b.json', { name: 'same', config: feed });
    const { code, err } = await levada(['apply', '-f', '.', '-f', 'missing']);
    expect(code).toBe(1);
    expect(err.split('\n').filter((line) => line !== '')).toEqual([
      'levada: 5 problems in what was given',
      expect.stringMatching(/^ {2}broken\.json: .* at line 1, column 14/),
      '  class.yaml: the connector "x" has no "connector.class"',
      '  map.json: "websocket.headers" is a map, expected text, a number, a boolean or a list of these',
      '  missing: does not exist',
      '  the connector "same" is defined in a.json and b.json',
    ]);
  });

  it('ends with 1 and what is missing when a connector does not get ready in time', async () => {
    // It waits for its port for some seconds.
    const blocker = await startBlocker();
    await write('telemetry.json', telemetry(blocker));
    const { code, err } = await levada(['apply', '-f', 'telemetry.json', '--timeout', '0']);
    await new Promise((resolve) => blocker.close(resolve));
    expect(code).toBe(1);
    expect(err).toContain('telemetry: not ready within 0 s: it ');
    expect(err).toContain('"levada describe connector telemetry"');
  });
});

describe('levada connector', () => {
  it('sets and removes keys, and says when nothing changes', async () => {
    await write('prices.json', { ...feed, 'websocket.auth.token': 'secret' });
    await levada(['create', '-f', 'prices.json']);
    const set = await levada(['set', 'prices', 'platform.topic=p2', '--unset', 'websocket.auth.token']);
    expect(set.out).toMatch(/^prices +updated +RUNNING +1\/1 +platform\.topic, websocket\.auth\.token/m);
    expect((await levada(['set', 'prices', 'platform.topic=p2'])).out).toMatch(/^prices +unchanged/m);
    const wrong = await levada(['set', 'prices', 'websocket.url=ftp://x']);
    expect(wrong).toMatchObject({ code: 1, out: '' });
    expect(await levada(['set', 'prices', 'secret-word'])).toMatchObject({ code: 2 });
    expect(await levada(['set', 'prices'])).toMatchObject({ code: 2 });
  });

  it('pauses, resumes, stops and restarts, each until the state is reached', async () => {
    await write('prices.json', feed);
    await levada(['create', '-f', 'prices.json', '--state', 'stopped']);
    expect((await levada(['resume', 'prices'])).out).toMatch(/^prices +resumed +RUNNING +1\/1/m);
    expect((await levada(['restart', 'prices', '--all'])).out).toMatch(/^prices +restarted +RUNNING +1\/1/m);
    expect((await levada(['pause', 'pri*'])).out).toMatch(/^prices +paused +PAUSED +0\/1/m);
    expect((await levada(['restart', 'prices', '--all'])).out).toMatch(/^prices +restarted +PAUSED/m);
    expect((await levada(['stop', 'prices'])).out).toMatch(/^prices +stopped +STOPPED +0\/0/m);
  });

  it('reports a task that fails, and restarts what failed', async () => {
    const blocker = await startBlocker();
    await write('telemetry.json', telemetry(blocker));
    const { code, out, err } = await levada(['apply', '-f', 'telemetry.json', '--timeout', '50']);
    expect(code).toBe(1);
    expect(out).toMatch(/^telemetry +created +FAILED +0\/1/m);
    expect(err).toMatch(/^levada: telemetry: .*in use.*\n {2}"levada describe connector telemetry"/m);
    expect((await levada(['apply', '-f', 'telemetry.json'])).code).toBe(1);
    await new Promise((resolve) => blocker.close(resolve));
    expect((await levada(['restart', 'telemetry'])).out).toMatch(/^telemetry +restarted +RUNNING +1\/1/m);
    const nothing = await levada(['restart', 'telemetry']);
    expect([nothing.code, nothing.err]).toEqual([0, expect.stringContaining('--all restarts everything')]);
  });

  it.each(['a/b?c#d e', '..', '%2F', "it's", 'ü\u{1f600}', '-x'])('takes the name %j', async (name) => {
    await write('odd.json', { name, config: feed });
    await levada(['apply', '-f', 'odd.json', '--no-wait']);
    expect(await levada(['diff', '-f', 'odd.json'])).toMatchObject({ code: 0 });
    expect(await levada(['offsets', 'get', '--', name])).toMatchObject({ code: 0 });
    const { out } = await runCommand(['connector', 'delete', '--url', worker.url, '--', name]);
    expect(out).toContain('deleted');
  });

  it('passes on what the worker says of a connector that does not exist', async () => {
    for (const verb of ['pause', 'restart', 'delete']) {
      const { code, err } = await levada([verb, 'nope']);
      expect([code, err]).toEqual([1, expect.stringMatching(/^levada: nope: .*nope/)]);
    }
    expect(await levada(['delete', 'nope', '--ignore-missing'])).toMatchObject({ code: 0, err: '' });
    expect(await levada(['pause', 'x*'])).toMatchObject({ code: 1 });
  });

  it('deletes what a pattern matches only with --yes', async () => {
    await write('prices.json', feed);
    await levada(['create', '-f', 'prices.json', '--no-wait']);
    const refused = await levada(['delete', '*']);
    expect(refused.code).toBe(5);
    expect(refused.err).toBe(
      'levada: the pattern matches 1 connectors: prices\n  nothing was deleted; --yes deletes them\n',
    );
    expect((await levada(['delete', '*', '--yes'])).out).toMatch(/^prices +deleted$/m);
  });

  it('shows, alters and resets offsets', async () => {
    await write('prices.json', feed);
    await levada(['create', '-f', 'prices.json']);
    const running = await levada(['offsets', 'reset', 'prices']);
    expect(running.code).toBe(1);
    expect(running.err).toContain('"levada connector stop prices" stops it');
    await levada(['stop', 'prices']);
    expect(await levada(['offsets', 'reset', 'prices'])).toMatchObject({ code: 0 });
    expect(await levada(['offsets', 'get', 'prices', '--json'])).toMatchObject({
      out: '{\n  "offsets": []\n}\n',
    });
    const wrong = await levada(['offsets', 'alter', 'prices', '--partition', '{', '--offset', 'null']);
    expect(wrong).toMatchObject({ code: 2 });
    expect(await levada(['offsets', 'alter', 'prices'])).toMatchObject({ code: 2 });
  });

  it('exports connectors to files that apply takes, whatever their names are', async () => {
    const names = ['prices', 'a/b', '.hidden', '..', '*', "it's", 'ü\u{1f600}'];
    await write(
      'all.json',
      names.map((name) => ({ name, config: { ...feed, 'websocket.auth.token': 'secret' } })),
    );
    await levada(['create', '-f', 'all.json', '--no-wait']);
    await levada(['pause', 'prices']);
    const exported = await levada(['export', '--folder', 'out/here']);
    expect(exported.code).toBe(0);
    expect(exported.out).toMatch(/^prices +WebSocketSource +out\/here\/prices\.json$/m);
    expect(exported.err).toContain('out/here/prices.json: the worker masks websocket.auth.token');
    expect(await levada(['diff', '-f', 'out/here', '--prune'])).toMatchObject({ code: 0, out: '' });
    const file = join(folder, 'out/here/prices.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const { name, config, initial_state } = JSON.parse(await readFile(file, 'utf8'));
    expect([name, initial_state, Object.keys(config)]).toEqual([
      'prices',
      'PAUSED',
      Object.keys(config).toSorted(),
    ]);
    expect(await readdir(join(folder, 'out/here'))).toEqual(
      expect.arrayContaining(['a%2Fb.json', '%2E..json', '%2Ehidden.json', 'ü\u{1f600}.json']),
    );
    await levada(['resume', 'prices']);
    const some = await levada(['export', 'pri*', '--folder', 'out/here', '--json']);
    expect(JSON.parse(some.out)).toMatchObject({
      schema: 'levada.connector-export/1',
      connectors: [{ name: 'prices', masked: ['websocket.auth.token'] }],
    });
    expect(await readFile(file, 'utf8')).not.toContain('initial_state');
    expect(await readdir(join(folder, 'out/here'))).toHaveLength(names.length);
    expect(await levada(['export', 'nope'])).toMatchObject({ code: 1 });
    const noFolder = await levada(['export', '--folder', 'all.json']);
    expect([noFolder.code, noFolder.err]).toEqual([
      1,
      expect.stringMatching(/^levada: all\.json\/.*is not a folder/),
    ]);
  });

  it('lets the worker validate files', async () => {
    await write('good.json', feed);
    await write('bad.json', { ...feed, 'websocket.url': 'ftp://x', 'tasks.max': 'many' });
    await write('unknown.json', { 'connector.class': 'Nothing' });
    const { code, out, err } = await levada(['validate', '-f', '.', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      schema: 'levada.connector-validation/1',
      valid: false,
      connectors: [
        { name: 'bad', valid: false, errors: [{ key: 'tasks.max' }, { key: 'websocket.url' }] },
        { name: 'good', valid: true, errors: [] },
        { name: 'unknown', valid: false, errors: [{ key: 'connector.class' }] },
      ],
    });
    expect(err).toContain('bad.json: websocket.url: ');
  });
});
