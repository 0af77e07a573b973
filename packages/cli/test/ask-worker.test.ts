import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { eventually } from './eventually.ts';
import { runCommand } from './run-command.ts';
import { startTestWorker, type TestWorker } from './running-worker.ts';

let worker: TestWorker;

const levada = (...args: string[]) => runCommand([...args, '--url', worker.url]);

beforeAll(async () => {
  worker = await startTestWorker();
  await worker.put('/connectors/prices/config', {
    'connector.class': 'WebSocketSource',
    'tasks.max': '1',
    'websocket.url': 'ws://127.0.0.1:1/feed',
    'platform.topic': 'prices',
    'websocket.auth.token': 'hush-hush',
  });
});
afterAll(() => worker.close());

describe('levada get', () => {
  it('shows of each connector its state and its connection', async () => {
    const out = await eventually(() => levada('get', 'connectors'), /backing-off/);
    expect(out.split('\n')[0]).toMatch(/^NAME\s+TYPE\s+STATE\s+CONNECTION\s+TASKS\s+TRACE$/);
    expect(out.split('\n')[1]).toMatch(
      /^prices\s+source\s+RUNNING\s+backing-off \(attempt \d+, next in .* s\): .*1\/1/,
    );
  });

  it('prints the same as YAML', async () => {
    const { out } = await levada('get', 'connectors', '-o', 'yaml');
    expect(parse(out)).toMatchObject({ prices: { info: { name: 'prices', type: 'source' } } });
  });

  it('shows of each worker how much of its work runs', async () => {
    const host = new URL(worker.url).host;
    const out = await eventually(() => levada('get', 'workers'), /1\/1 +1\/1/);
    expect(out).toMatch(new RegExp(`^WORKER +CONNECTORS +TASKS\n${host} +1/1 +1/1\n$`));
    const { out: json } = await levada('get', 'workers', '--json');
    expect(JSON.parse(json)).toEqual({
      schema: 'levada.workers/1',
      workers: [{ worker: host, connectors: { running: 1, total: 1 }, tasks: { running: 1, total: 1 } }],
    });
  });

  it('lists a worker that has nothing to run', async () => {
    const idle = await startTestWorker();
    const { out } = await runCommand(['get', 'workers', '--url', idle.url]);
    await idle.close();
    expect(out).toMatch(new RegExp(`^${new URL(idle.url).host} +0/0 +0/0$`, 'm'));
  });

  it('lists plugins and loggers', async () => {
    expect((await levada('get', 'plugins')).out).toContain(
      'io.vendor.connect.websocket.WebSocketSourceConnector',
    );
    expect((await levada('get', 'loggers')).out).toMatch(/^NAME\s+LEVEL\nroot\s+/);
  });
});

describe('levada logger', () => {
  it('sets the level of a logger and shows it', async () => {
    const set = await levada('logger', 'set', 'levada.rest', 'debug');
    expect(set).toMatchObject({ code: 0, out: expect.stringMatching(/^levada\.rest +DEBUG$/m) });
    expect((await levada('logger', 'get', 'levada.rest')).out).toMatch(/^levada\.rest +DEBUG +\d{4}-/m);
    expect((await levada('logger', 'get')).out).toMatch(/^levada\.rest +DEBUG/m);
    const json = JSON.parse((await levada('logger', 'get', 'levada.rest', '--json')).out);
    expect(json).toMatchObject({
      schema: 'levada.loggers/1',
      loggers: [{ name: 'levada.rest', level: 'DEBUG', last_modified: expect.any(Number) }],
    });
  });

  it('sets the level of a logger on every worker', async () => {
    expect(await levada('logger', 'set', 'levada.rest', 'WARN', '--cluster')).toMatchObject({ code: 0 });
    await eventually(() => levada('logger', 'get', 'levada.rest'), /WARN/);
  });

  it('refuses a level or a logger that does not exist', async () => {
    expect(await levada('logger', 'set', 'root', 'loud')).toMatchObject({
      code: 2,
      err: expect.stringContaining('expected TRACE, DEBUG'),
    });
    expect(await levada('logger', 'get', 'nothing')).toEqual({
      code: 1,
      out: '',
      err: 'levada: Logger nothing not found.\n',
    });
  });
});

describe('levada worker health', () => {
  it('ends with 0 when the worker is ready', async () => {
    expect(await levada('worker', 'health')).toEqual({ code: 0, out: 'healthy\n', err: '' });
  });
});

describe('levada describe', () => {
  it('shows status, connection, configuration and metrics of a connector, without its secrets', async () => {
    const out = await eventually(() => levada('describe', 'connector', 'prices'), /backing-off/);
    for (const part of ['STATUS', 'CONNECTION', 'CONFIG', 'MessagesReceived', 'websocket.url'])
      expect(out).toContain(part);
    expect(out).not.toContain('hush-hush');
  });

  it('groups metrics, and shows causes that never occurred only with --all', async () => {
    const { out, err } = await levada('describe', 'connector', 'prices');
    expect(out).toMatch(
      /\nMETRICS\nOBJECT\nio\.vendor\.connect\.websocket:.*\n\nMETRICS: TRAFFIC\nATTRIBUTE +VALUE\n/,
    );
    expect(out).toMatch(/DropRate +0\.00 %/);
    expect(out).toMatch(/MillisSinceLastMessage +none yet/);
    expect(out).not.toContain('DroppedFenced');
    expect(err).toMatch(/^\d+ attributes that are 0 are not shown; --all shows them\n$/);
    const all = await levada('describe', 'connector', 'prices', '--all');
    expect(all.out).toMatch(/\nMETRICS: DROPPED BY CAUSE\n(?:.*\n)*?DroppedFenced +0\n/);
    expect(all.err).toBe('');
  });

  it('prints metrics for programs as the worker answers them', async () => {
    const { out, err } = await levada('describe', 'connector', 'prices', '-o', 'json');
    const [values] = Object.values((JSON.parse(out) as { metrics: Record<string, object> }).metrics);
    expect(values).toMatchObject({ DropRate: 0, DroppedFenced: 0, MillisSinceLastMessage: -1 });
    expect(err).toBe('');
  });

  it('groups every attribute of an OTLP connector', async () => {
    await worker.put('/connectors/telemetry/config', {
      'connector.class': 'io.vendor.connect.otel.OpenTelemetrySourceConnector',
      'tasks.max': '1',
      'otlp.bind.address': '127.0.0.1',
      'otlp.any.port': 'grpc,http',
    });
    const out = await eventually(
      () => levada('describe', 'connector', 'telemetry', '--all'),
      /TracesReceived/,
    );
    expect(out).not.toContain('METRICS: OTHER');
  });

  it('shows the keys of a plugin and which are required', async () => {
    expect((await levada('describe', 'plugin', 'WebSocketSourceConnector')).out).toMatch(
      /websocket\.url\s+STRING\s+\(required\)/,
    );
  });

  it('shows the worker', async () => {
    expect((await levada('describe', 'worker')).out).toMatch(/status\s+healthy/);
  });

  it('passes on what the worker says of an unknown connector, and ends with 1', async () => {
    const { code, err } = await levada('describe', 'connector', 'nope');
    expect(code).toBe(1);
    expect(err).toBe('levada: Connector nope not found\n');
  });

  it('shows no connection of a connector that keeps none', async () => {
    await worker.put('/connectors/prices/pause');
    const paused = /^(?!.*\nCONNECTION\n).*\ntask 0 +PAUSED/s;
    expect(await eventually(() => levada('describe', 'connector', 'prices'), paused)).toContain('STATUS');
  });

  it('ends with 2 when the name is missing', async () => {
    expect((await levada('describe', 'connector')).code).toBe(2);
  });
});
