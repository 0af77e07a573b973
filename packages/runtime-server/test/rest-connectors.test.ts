import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RuntimeFixture, scriptedClass, startRuntime } from './runtime-fixture.ts';

let worker: RuntimeFixture;
beforeAll(async () => {
  worker = await startRuntime();
});
afterAll(() => worker.close());

const config = { 'connector.class': scriptedClass, 'tasks.max': 1, topic: 'prices' };
const stored = { 'connector.class': scriptedClass, 'tasks.max': '1', topic: 'prices' };
let count = 0;

function newName(): string {
  count += 1;
  return `c${count}`;
}

async function created(extra: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const name = newName();
  const answer = await worker.call('POST', '/connectors', { name, config, ...extra });
  expect(answer).toMatchObject({ status: 201 });
  return name;
}

async function running(): Promise<string> {
  const name = await created();
  await worker.until(`/connectors/${name}/status`, ({ json }) => json.tasks?.[0]?.state === 'RUNNING');
  return name;
}

describe('the worker', () => {
  it('answers GET / with version, commit and the cluster id under both names', async () => {
    const { status, json } = await worker.call('GET', '/');
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(['version', 'commit', 'platform_cluster_id', 'kafka_cluster_id']);
    expect(json.version).toMatch(/^\d+\.\d+/);
    expect(json.kafka_cluster_id).toBe(json.platform_cluster_id);
    expect(json.kafka_cluster_id).not.toBe('');
  });

  it("answers GET /health with Connect's body", async () => {
    expect(await worker.call('GET', '/health')).toMatchObject({
      status: 200,
      json: { status: 'healthy', message: 'Worker has completed startup and is ready to handle requests.' },
    });
  });
});

describe('connectors', () => {
  it('creates on POST: 201, an absolute Location, the connector with its name in the config', async () => {
    const name = newName();
    const answer = await worker.call('POST', '/connectors/', { name: `  ${name} `, config });
    expect(answer.status).toBe(201);
    expect(answer.headers['location']).toBe(`http://worker.example:8083/connectors/${name}`);
    expect(Object.keys(answer.json)).toEqual(['name', 'config', 'tasks', 'type']);
    expect(answer.json).toMatchObject({ name, config: { ...stored, name }, type: 'source' });
    expect(await worker.call('GET', `/connectors/${name}`)).toMatchObject({ status: 200, json: { name } });
    expect((await worker.call('GET', `/connectors/${name}/config`)).json).toEqual({ ...stored, name });
  });

  it('answers 409 to POST of an existing name', async () => {
    const name = await created();
    expect(await worker.call('POST', '/connectors', { name, config })).toMatchObject({
      status: 409,
      json: { error_code: 409, message: `Connector ${name} already exists` },
    });
  });

  it('lets exactly one of 50 parallel creates of the same name succeed', async () => {
    const name = newName();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => worker.call('POST', '/connectors', { name, config })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
  });

  it.each<readonly [what: string, body: unknown, message: RegExp]>([
    ['no name', { config }, /Connector configuration is invalid and contains the following 1 error/],
    ['an empty name', { name: ' ', config }, /String may not be empty/],
    ['a control character in the name', { name: 'a\u0007b', config }, /control sequences/],
    ['a name of 300 bytes', { name: 'x'.repeat(300), config }, /longer than 255 bytes/],
    [
      'another name in the config',
      { name: 'a', config: { ...config, name: 'b' } },
      /^Connector name configuration \(b\) doesn't match connector name in the URL \(a\)$/,
    ],
    ['no class', { name: 'a', config: {} }, /contains no connector type/],
    [
      'an unknown class',
      { name: 'a', config: { 'connector.class': '../../x' } },
      /Failed to find any class that implements Connector and which name matches \.\.\/\.\.\/x/,
    ],
    ['a null value', { name: 'a', config: { ...config, 'tasks.max': null } }, /Null value|non-null|null/i],
    [
      'several problems',
      { name: 'a', config: { ...config, 'tasks.max': 'x', topic: '' } },
      /following \d+ error\(s\)/,
    ],
  ])('answers 400 to POST with %s', async (_what, body, message) => {
    const answer = await worker.call('POST', '/connectors', body);
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({ error_code: 400, message: expect.stringMatching(message) });
  });

  it('lists names on GET, and expands as asked', async () => {
    const name = await running();
    expect((await worker.call('GET', '/connectors')).json).toContain(name);
    const { json } = await worker.call('GET', '/connectors?expand=status&expand=info&expand=x');
    expect(json[name]).toMatchObject({
      status: { name, connector: { state: 'RUNNING' } },
      info: { name, config: { ...stored, name } },
    });
    expect((await worker.call('GET', '/connectors?expand=x')).json[name]).toEqual({});
    const connections = (await worker.call('GET', '/connectors?expand=connection')).json[name].connection;
    expect(connections).toEqual([
      {
        task: 0,
        state: 'connected',
        last_message_age_ms: null,
        held_up_ms: null,
        last_error: null,
        attempt: null,
        next_try_in_ms: null,
        log: 'ok',
      },
    ]);
  });

  it("shows status with Connect's fields and no other, and the connection only when asked", async () => {
    const name = await running();
    const { json } = await worker.call('GET', `/connectors/${name}/status`);
    expect(json).toEqual({
      name,
      connector: { state: 'RUNNING', worker_id: '127.0.0.1:8083' },
      tasks: [{ id: 0, state: 'RUNNING', worker_id: '127.0.0.1:8083' }],
      type: 'source',
    });
    const expanded = await worker.call('GET', `/connectors/${name}/status?expand=connection`);
    expect(expanded.json.connection).toMatchObject([{ task: 0, state: 'connected' }]);
    expect((await worker.call('GET', `/connectors/${name}/tasks/0/status`)).json).toEqual(json.tasks[0]);
  });

  it('shows a task that cannot start as FAILED with a trace', async () => {
    const name = newName();
    await worker.call('PUT', `/connectors/${name}/config`, {
      ...config,
      'scripted.start.error': 'no such file',
    });
    const { json } = await worker.until(
      `/connectors/${name}/status`,
      (answer) => answer.json.tasks?.[0]?.state === 'FAILED',
    );
    expect(json.tasks[0].trace.split('\n')[0]).toContain('no such file');
  });

  it('creates on PUT config with 201 and Location, and updates with 200', async () => {
    const name = newName();
    const first = await worker.call('PUT', `/connectors/${name}/config`, config);
    expect(first).toMatchObject({ status: 201, json: { name } });
    expect(first.headers['location']).toBe(`http://worker.example:8083/connectors/${name}`);
    const second = await worker.call('PUT', `/connectors/${name}/config`, { ...config, topic: 'other' });
    expect(second).toMatchObject({ status: 200, json: { config: { topic: 'other' } } });
    expect(second.headers['location']).toBeUndefined();
  });

  it('merges on PATCH config, and removes keys with null', async () => {
    const name = await created();
    await worker.call('PATCH', `/connectors/${name}/config`, { topic: 'other', 'scripted.batch.size': '5' });
    const { status, json } = await worker.call('PATCH', `/connectors/${name}/config`, {
      'scripted.batch.size': null,
    });
    expect(status).toBe(200);
    expect(json.config).toEqual({ ...stored, name, topic: 'other' });
    expect(await worker.call('PATCH', '/connectors/none/config', {})).toMatchObject({
      status: 404,
      json: { message: 'Connector none not found' },
    });
  });

  it('masks a literal secret, and keeps it when the mask comes back', async () => {
    const name = newName();
    await worker.call('PUT', `/connectors/${name}/config`, { ...config, 'scripted.token': 's3cr3t' });
    const { json, text } = await worker.call('GET', `/connectors/${name}/config`);
    expect(json['scripted.token']).toBe('********');
    expect(text).not.toContain('s3cr3t');
    expect((await worker.call('PUT', `/connectors/${name}/config`, json)).status).toBe(200);
  });

  it.each(['a/b', 'a%b', 'a b', 'ä?#;+é', '..', '__proto__', 'constructor', '\u202Ex', '100%25'])(
    'the name %s works in paths, and in Location',
    async (name) => {
      const answer = await worker.call('POST', '/connectors', { name, config });
      expect(answer.status).toBe(201);
      const path = new URL(answer.headers['location'] ?? '').pathname;
      expect(decodeURIComponent(answer.headers['location']?.split('/').at(-1) ?? '')).toBe(name);
      const target = name === '..' ? '/connectors/%2e%2e' : path;
      expect((await worker.call('GET', target)).json.name).toBe(name);
      expect((await worker.call('GET', `${target}/topics`)).json[name]).toEqual({ topics: [] });
      expect(Object.keys((await worker.call('GET', '/connectors?expand=info')).json)).toContain(name);
      expect((await worker.call('DELETE', target)).status).toBe(204);
    },
  );

  it('answers pause, resume and stop with 202, 202 and 204 without a body', async () => {
    const name = await running();
    const state = (wanted: string) =>
      worker.until(`/connectors/${name}/status`, ({ json }) => json.connector?.state === wanted);
    expect(await worker.call('PUT', `/connectors/${name}/pause`)).toMatchObject({ status: 202, text: '' });
    await state('PAUSED');
    expect(await worker.call('PUT', `/connectors/${name}/resume`)).toMatchObject({ status: 202, text: '' });
    await state('RUNNING');
    expect(await worker.call('PUT', `/connectors/${name}/stop`)).toMatchObject({ status: 204, text: '' });
    expect((await state('STOPPED')).json.tasks).toEqual([]);
    for (const verb of ['pause', 'resume', 'stop']) {
      expect(await worker.call('PUT', `/connectors/none/${verb}`)).toMatchObject({
        status: 404,
        json: { message: 'Unknown connector none' },
      });
    }
  });

  it('creates a stopped connector with initial_state', async () => {
    const name = await created({ initial_state: 'stopped' });
    const { json } = await worker.until(`/connectors/${name}/status`, (answer) => answer.status === 200);
    expect(json.connector.state).toBe('STOPPED');
  });

  it('answers restart with 204, or 202 with the plan', async () => {
    const name = await running();
    const restart = `/connectors/${name}/restart`;
    expect(await worker.call('POST', restart)).toMatchObject({ status: 204, text: '' });
    expect(await worker.call('POST', `${restart}?includeTasks=maybe`)).toMatchObject({ status: 204 });
    expect(await worker.call('POST', `${restart}?includeTasks=TRUE`)).toMatchObject({
      status: 202,
      json: { connector: { state: 'RESTARTING' }, tasks: [{ id: 0, state: 'RESTARTING' }] },
    });
    await worker.until(`/connectors/${name}/status`, ({ json }) => json.tasks?.[0]?.state === 'RUNNING');
    expect(await worker.call('POST', `/connectors/${name}/tasks/0/restart`)).toMatchObject({
      status: 204,
      text: '',
    });
    expect((await worker.call('POST', '/connectors/none/restart')).json.message).toBe(
      'Unknown connector: none',
    );
    expect((await worker.call('POST', `/connectors/${name}/tasks/7/restart`)).json).toEqual({
      error_code: 404,
      message: `Unknown task: ${name}-7`,
    });
  });

  it('answers DELETE with 204, and 404 to everything about the connector afterwards', async () => {
    const name = await running();
    expect(await worker.call('DELETE', `/connectors/${name}`)).toMatchObject({ status: 204, text: '' });
    for (const path of ['', '/config', '/tasks', '/tasks-config', '/offsets']) {
      expect(await worker.call('GET', `/connectors/${name}${path}`)).toMatchObject({
        status: 404,
        json: { error_code: 404, message: `Connector ${name} not found` },
      });
    }
    const gone = await worker.until(`/connectors/${name}/status`, ({ status }) => status === 404);
    expect(gone.json.message).toBe(`No status found for connector ${name}`);
    expect((await worker.call('DELETE', `/connectors/${name}`)).status).toBe(404);
  });
});
