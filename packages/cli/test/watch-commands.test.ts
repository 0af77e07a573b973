import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOn } from '../src/main.ts';
import { eventually } from './eventually.ts';
import { runCommand } from './run-command.ts';
import { startTestWorker, type TestWorker } from './running-worker.ts';

let worker: TestWorker;
let otlp: string;

const feed = {
  'connector.class': 'WebSocketSource',
  'tasks.max': '1',
  'websocket.url': 'ws://127.0.0.1:1/feed',
  'platform.topic': 'prices',
  'websocket.auth.token': 'hush-hush',
};

const levada = (...args: string[]) => runCommand([...args, '--url', worker.url]);

async function send(text: string): Promise<void> {
  const logRecords = [{ body: { stringValue: text } }];
  const response = await fetch(`${otlp}/v1/logs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] }),
  });
  expect(response.status).toBe(200);
}

beforeAll(async () => {
  worker = await startTestWorker();
  await worker.put('/connectors/telemetry/config', {
    'connector.class': 'io.vendor.connect.otel.OpenTelemetrySourceConnector',
    'tasks.max': '1',
    'otlp.bind.address': '127.0.0.1',
    'otlp.any.port': 'grpc,http',
  });
  await worker.put('/connectors/prices/config', feed);
  const shown = await eventually(
    () => levada('describe', 'connector', 'telemetry', '--all'),
    /HttpPort +[1-9]/,
  );
  otlp = `http://127.0.0.1:${/HttpPort +(\d+)/.exec(shown)?.[1]}`;
});
afterAll(() => worker.close());

describe('levada logs', () => {
  it('shows the last lines of a connector, and continues with new ones', async () => {
    await eventually(() => levada('logs', 'prices'), /ECONNREFUSED/);
    const { out } = await levada('logs', 'prices', '-n', '3');
    for (const line of out.trimEnd().split('\n'))
      expect(line).toMatch(/^\d{4}-.*Z [A-Z]+ .* connector=prices/);
    const all = (await levada('logs', '--json', '-n', '1000')).out.trimEnd().split('\n');
    expect(all.length).toBeGreaterThan(3);
    expect(JSON.parse(all[0] ?? '')).toMatchObject({ number: 1, logger: expect.any(String) });
    const interrupt = new AbortController();
    const following = runCommand(['logs', '-f', '-n', '0', '--url', worker.url], {
      signal: interrupt.signal,
      onOut: () => interrupt.abort(),
    });
    await worker.put('/connectors/prices/config', { ...feed, 'platform.topic': 'p2' });
    const followed = await following;
    expect(followed.code).toBe(0);
    expect(followed.out).not.toContain(all[0]);
  });
});

describe('levada top', () => {
  it('prints one snapshot in a pipe, with counters', async () => {
    await send('one');
    const out = await eventually(() => levada('top'), /^telemetry +RUNNING +1\/1 +1 +1 +0 +0/m);
    expect(out.split('\n')[0]).toMatch(
      /^NAME +STATE +TASKS +RECEIVED +PRODUCED +DROPPED +QUEUED +CONNECTION$/,
    );
    const { schema, connectors } = JSON.parse((await levada('top', '-c', 'tele*', '--json')).out);
    expect(schema).toBe('levada.top/1');
    expect(connectors).toMatchObject([
      { name: 'telemetry', received: 1, produced: 1, dropped: 0, queued: 0 },
    ]);
  });

  it.each([
    [40, 60],
    [0, 0],
  ])(
    'draws rates on a terminal of %i rows until interrupted, and leaves its screen',
    async (rows, columns) => {
      const interrupt = new AbortController();
      let out = '';
      const code = await runOn(['top', '--interval', '1', '--url', worker.url], {
        out: (text) => {
          out += text;
          if (/\d+\/s/.test(out)) interrupt.abort();
        },
        err: () => undefined,
        env: {},
        tty: true,
        cwd: '.',
        signal: interrupt.signal,
        size: () => ({ rows, columns }),
      });
      expect(code).toBe(0);
      expect(out).toMatch(/telemetry +RUNNING/);
      expect(out.startsWith('\u001b[?1049h')).toBe(true);
      expect(out.endsWith('\u001b[?1049l')).toBe(true);
      for (const line of out.split('\n')) expect(line.length).toBeLessThan(120);
    },
  );
});

describe('levada tap', () => {
  it.each([
    ['the worker', () => []],
    ['the folder of its embedded log', () => ['--folder', worker.folder]],
  ])('prints the last records of a connector, then new ones, from %s', async (_, from) => {
    await send('first');
    const found = await eventually(() => levada('tap', 'telemetry', '--no-follow', ...from()), /"first"/);
    expect(found).toMatch(/^\S+ {2}\d+\/\d+ {2}\d{4}-.*"first"/m);
    const interrupt = new AbortController();
    const args = ['tap', 'telemetry', '-n', '0', ...from(), '--url', worker.url];
    const tapping = runCommand([...args, '--json'], {
      signal: interrupt.signal,
      onOut: () => interrupt.abort(),
    });
    // The second is sent until it is seen: when the command begins to follow cannot be observed.
    while (!interrupt.signal.aborted) await send('second');
    const { code, out } = await tapping;
    expect(code).toBe(0);
    expect(out).toContain('second');
    expect(out).not.toContain('first');
  });

  it('says where records are when the folder is not that of the worker', async () => {
    const other = await startTestWorker();
    const { code, err } = await levada('tap', 'telemetry', '--folder', other.folder);
    await other.close();
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/does not keep its records in this folder\n.*--folder/),
    ]);
    const missing = await levada('tap', 'telemetry', '--folder', `${worker.folder}/none`);
    expect([missing.code, missing.err]).toEqual([4, expect.stringContaining('--folder')]);
    expect(await levada('tap', 'nope')).toMatchObject({ code: 1, err: 'levada: Connector nope not found\n' });
  });
});

describe('levada doctor', () => {
  it('names what is wrong and what to do about it', async () => {
    await eventually(() => levada('doctor'), /^✗ prices: task 0: .*ECONNREFUSED/m);
    const { code, out } = await levada('doctor');
    expect(code).toBe(1);
    expect(out).toMatch(/^✓ worker: http:\/\/127\.0\.0\.1:\d+ answers: levada \d/m);
    expect(out).toMatch(/^✓ worker: is healthy$/m);
    expect(out).toMatch(/^✗ prices: task 0: .*ECONNREFUSED.*\n {4}nothing listens there/m);
    expect(out).toMatch(/^! prices: holds a secret itself: websocket\.auth\.token\n/m);
    expect(out).toMatch(/^✓ telemetry: RUNNING$/m);
    const json = JSON.parse((await levada('doctor', '--json')).out);
    expect(json).toMatchObject({ schema: 'levada.doctor/1', problems: 1, warnings: 1 });
  });

  it('reports a worker that does not answer', async () => {
    const { code, out } = await runCommand(['doctor', '--url', 'http://127.0.0.1:1']);
    expect([code, out]).toEqual([
      1,
      expect.stringContaining('✗ worker: no worker answers at http://127.0.0.1:1'),
    ]);
  });
});
