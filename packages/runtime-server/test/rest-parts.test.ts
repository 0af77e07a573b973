import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../src/rest/handler.ts';
import { type RuntimeFixture, scriptedClass, startRuntime } from './runtime-fixture.ts';

let worker: RuntimeFixture;
beforeAll(async () => {
  worker = await startRuntime();
});
afterAll(() => worker.close());

const config = { 'connector.class': scriptedClass, 'tasks.max': 1, topic: 'prices' };
let count = 0;

function newName(): string {
  count += 1;
  return `c${count}`;
}

async function created(): Promise<string> {
  const name = newName();
  const answer = await worker.call('POST', '/connectors', { name, config });
  expect(answer).toMatchObject({ status: 201 });
  return name;
}

async function running(): Promise<string> {
  const name = await created();
  await worker.until(`/connectors/${name}/status`, ({ json }) => json.tasks?.[0]?.state === 'RUNNING');
  return name;
}

describe('resources of a connector', () => {
  it('lists tasks with their configuration, in both forms', async () => {
    const name = await running();
    const { json } = await worker.call('GET', `/connectors/${name}/tasks`);
    expect(json).toMatchObject([{ id: { connector: name, task: 0 }, config: { topic: 'prices' } }]);
    expect((await worker.call('GET', `/connectors/${name}/tasks-config`)).json).toEqual({
      [`${name}-0`]: json[0].config,
    });
  });

  it('lets only workers of the group fence tasks', async () => {
    const name = await running();
    expect(await worker.call('PUT', `/connectors/${name}/fence`)).toMatchObject({
      status: 400,
      json: { error_code: 400, message: 'Internal request missing required signature' },
    });
  });

  it.each(['-1', '+1', '007'])('reads the task id %s as a number that no task has', async (id) => {
    const name = await created();
    const answer = await worker.call('GET', `/connectors/${name}/tasks/${id}/status`);
    const message = `No status found for task ${name}-${Number(id)}`;
    expect(answer).toMatchObject({ status: 404, json: { message } });
  });

  it.each(['1.5', '99999999999999999999', '0x1', '٣', 'a'])('answers 404 for the task id %s', async (id) => {
    const name = await created();
    const answer = await worker.call('GET', `/connectors/${name}/tasks/${encodeURIComponent(id)}/status`);
    expect(answer).toMatchObject({ status: 404, json: { message: 'HTTP 404 Not Found' } });
  });

  it('lists the topics that were written to, and resets them', async () => {
    const name = await running();
    worker.peer.send('one');
    await worker.until(`/connectors/${name}/topics`, ({ json }) => json[name].topics.includes('prices'));
    await worker.call('PUT', `/connectors/${name}/pause`);
    await worker.until(`/connectors/${name}/status`, ({ json }) => json.connector?.state === 'PAUSED');
    expect(await worker.call('PUT', `/connectors/${name}/topics/reset`)).toMatchObject({
      status: 202,
      text: '',
    });
    await worker.until(`/connectors/${name}/topics`, ({ json }) => json[name].topics.length === 0);
    expect((await worker.call('GET', '/connectors/none/topics')).json).toEqual({ none: { topics: [] } });
  });

  it("reads offsets always and changes them only when stopped, with Connect's messages", async () => {
    const name = await running();
    const offsets = `/connectors/${name}/offsets`;
    expect((await worker.call('GET', offsets)).json).toEqual({ offsets: [] });
    const change = { offsets: [{ partition: { p: 1 }, offset: { o: 2 } }] };
    expect(await worker.call('PATCH', offsets, change)).toMatchObject({
      status: 400,
      json: { message: expect.stringMatching(/^Connectors must be in the STOPPED state/) },
    });
    for (const body of [{}, { offsets: [] }]) {
      expect((await worker.call('PATCH', offsets, body)).json.message).toBe(
        'Partitions / offsets need to be provided for an alter offsets request',
      );
    }
    await worker.call('PUT', `/connectors/${name}/stop`);
    await worker.until(`/connectors/${name}/status`, ({ json }) => json.connector?.state === 'STOPPED');
    expect(await worker.call('PATCH', offsets, change)).toMatchObject({
      status: 200,
      json: {
        message: expect.stringMatching(
          /^The Connect framework-managed offsets for this connector have been altered/,
        ),
      },
    });
    expect((await worker.call('GET', offsets)).json).toEqual(change);
    expect(await worker.call('DELETE', offsets)).toMatchObject({
      status: 200,
      json: { message: expect.stringContaining('have been reset successfully') },
    });
    expect((await worker.call('GET', offsets)).json).toEqual({ offsets: [] });
  });

  it('shows metrics by attribute name, and their series as Prometheus text from the first scrape', async () => {
    const name = await running();
    const object = `io.vendor.connect.scripted:type=ScriptedConnector,name=${name}`;
    const { json } = await worker.call('GET', `/connectors/${name}/metrics`);
    expect(json[object]).toMatchObject({
      MessagesReceived: 0,
      IsConnected: true,
      MillisSinceLastMessage: -1,
    });
    expect((await worker.call('GET', '/admin/metrics')).json[object]).toBeDefined();
    const { headers, text } = await worker.call('GET', '/metrics');
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    const labels = `{connector="${name}",plugin="ScriptedSourceConnector"}`;
    expect(text).toContain(`connect_source_messages_received_total${labels} 0\n`);
    expect(text).toContain(`connect_source_connected${labels} 1\n`);
    expect(text).toContain(`kafka_connect_connector_status{connector="${name}",status="running"} 1\n`);
    expect((await worker.call('GET', '/connectors/none/metrics')).status).toBe(404);
  });
});

describe('plugins', () => {
  it('lists plugins with class, type and version', async () => {
    const { json } = await worker.call('GET', '/connector-plugins/');
    expect(json).toContainEqual({ class: scriptedClass, type: 'source', version: '1.0.0' });
    expect(json.every(({ type }: { type: string }) => type === 'source')).toBe(true);
    const all = (await worker.call('GET', '/connector-plugins?connectorsOnly=false')).json;
    expect(all.map(({ class: name }: { class: string }) => name)).toContain(
      'org.apache.kafka.connect.storage.StringConverter',
    );
  });

  it('lists the configuration keys of a plugin', async () => {
    const { json } = await worker.call('GET', '/connector-plugins/ScriptedSourceConnector/config');
    expect(json.find(({ name }: { name: string }) => name === 'topic')).toEqual({
      name: 'topic',
      type: 'STRING',
      required: true,
      default_value: null,
      importance: 'HIGH',
      documentation: 'Topic to write to.',
      group: null,
      width: 'NONE',
      display_name: 'topic',
      dependents: [],
      order: -1,
    });
    expect(await worker.call('GET', '/connector-plugins/nothing/config')).toMatchObject({
      status: 404,
      json: { message: 'Unknown plugin nothing.' },
    });
  });

  it.each([scriptedClass, 'ScriptedSourceConnector', 'ScriptedSource'])(
    'validate under the name %s',
    async (plugin) => {
      const path = `/connector-plugins/${plugin}/config/validate`;
      const { status, json } = await worker.call('PUT', path, {
        ...config,
        'connector.class': scriptedClass,
        topic: '',
      });
      expect(status).toBe(200);
      expect(Object.keys(json)).toEqual(['name', 'error_count', 'groups', 'configs']);
      expect(json.error_count).toBeGreaterThan(0);
      const topic = json.configs.find(({ value }: { value: { name: string } }) => value.name === 'topic');
      expect(topic.value).toMatchObject({
        value: '',
        errors: [expect.stringContaining('non-empty')],
        visible: true,
      });
      expect(Object.keys(topic.value)).toEqual(['name', 'value', 'recommended_values', 'errors', 'visible']);
    },
  );

  it('validates with the changes that storing the configuration would make, on request', async () => {
    const name = await running();
    const path = '/connector-plugins/ScriptedSource/config/validate';
    const changed = { ...config, name, topic: 'quotes', 'scripted.token': 's3cret' };
    const { status, json, text } = await worker.call('PUT', `${path}?expand=update`, changed);
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(['name', 'error_count', 'groups', 'configs', 'update']);
    expect(json.update).toEqual({
      effect: 'restart',
      changed: [
        { name: 'topic', update: 'live' },
        { name: 'scripted.token', update: 'restart' },
      ],
    });
    expect(text).not.toContain('s3cret');
    const effectOf = async (body: object) =>
      (await worker.call('PUT', `${path}?expand=update`, body)).json.update;
    expect(await effectOf({ ...config, name, topic: 'quotes' })).toMatchObject({ effect: 'live' });
    expect(await effectOf({ ...config, name })).toEqual({ effect: 'none', changed: [] });
    expect(await effectOf({ ...config, name: newName() })).toEqual({ effect: 'create', changed: [] });
    expect(Object.keys((await worker.call('PUT', path, changed)).json)).not.toContain('update');
  });

  it('refuses to validate a body with another class', async () => {
    const answer = await worker.call('PUT', `/connector-plugins/${scriptedClass}/config/validate`, {
      'connector.class': 'org.example.Other',
    });
    expect(answer).toMatchObject({
      status: 400,
      json: {
        message: expect.stringMatching(
          /^Included connector type org.example.Other does not match request type/,
        ),
      },
    });
  });
});

describe('requests that workers send each other', () => {
  it.each([
    ['POST', 'tasks', []],
    ['PUT', 'fence', undefined],
  ] as const)(
    "refuses %s %s without a valid signature, with Connect's messages",
    async (method, what, body) => {
      const name = await created();
      const path = `/connectors/${name}/${what}`;
      const call = (headers: Readonly<Record<string, string>>) => worker.call(method, path, body, headers);
      expect(await call({})).toMatchObject({
        status: 400,
        json: { message: 'Internal request missing required signature' },
      });
      const signed = (algorithm: string, signature = 'AAAA') => ({
        'x-connect-authorization': signature,
        'x-connect-request-signature-algorithm': algorithm,
      });
      expect(await call(signed('NoSuch'))).toMatchObject({
        status: 400,
        json: { message: 'Algorithm NoSuch not available' },
      });
      expect(await call(signed('HmacSHA1'))).toMatchObject({
        status: 400,
        json: { message: expect.stringContaining("the 'HmacSHA1' key signing algorithm") },
      });
      expect(await call(signed('HmacSHA256', '*'))).toMatchObject({ status: 400 });
      expect(await call(signed('HmacSHA256'))).toMatchObject({
        status: 403,
        json: { message: 'Internal request contained invalid signature.' },
      });
    },
  );
});

describe('loggers', () => {
  it('lists, reads and sets loggers', async () => {
    expect((await worker.call('GET', '/admin/loggers/')).json).toEqual({
      root: { level: 'INFO', last_modified: null },
    });
    expect(await worker.call('GET', '/admin/loggers/none')).toMatchObject({
      status: 404,
      json: { message: 'Logger none not found.' },
    });
    expect(await worker.call('PUT', '/admin/loggers/a.b', { level: 'debug' })).toMatchObject({
      status: 200,
      json: ['a.b'],
    });
    expect((await worker.call('GET', '/admin/loggers/a.b')).json).toEqual({
      level: 'DEBUG',
      last_modified: expect.any(Number),
    });
    expect(await worker.call('PUT', '/admin/loggers/a.b?scope=cluster', { level: 'INFO' })).toMatchObject({
      status: 204,
      text: '',
    });
    expect((await worker.call('GET', '/admin/loggers/a.b')).json).toMatchObject({ level: 'INFO' });
    expect(await worker.call('PUT', '/admin/loggers/a.b', { level: 'loud' })).toMatchObject({
      status: 404,
      json: { message: "invalid log level 'loud'." },
    });
    expect(await worker.call('PUT', '/admin/loggers/a.b', {})).toMatchObject({
      status: 400,
      json: { message: "Desired 'level' parameter was not specified in request." },
    });
  });
});

describe('the logger of a connector', () => {
  it('keeps the logger of a connector as long as the connector', async () => {
    const name = await created();
    const path = `/admin/loggers/levada.connector.${name}`;
    expect((await worker.call('GET', path)).json).toMatchObject({ level: 'INFO' });
    const set = await worker.call('PUT', '/admin/loggers/levada.connector', { level: 'INFO' });
    expect(set.json).toContain(`levada.connector.${name}`);
    await worker.call('DELETE', `/connectors/${name}`);
    expect((await worker.call('GET', path)).status).toBe(404);
  });
});

describe('any request', () => {
  it('is described by /openapi.json, with the file of the package', async () => {
    const { status, json } = await worker.call('GET', '/openapi.json');
    expect(status).toBe(200);
    const file = new URL('../openapi.json', import.meta.url);
    expect(json).toEqual(JSON.parse(await readFile(file, 'utf8')));
    const operations = Object.values(json.paths).flatMap((path) => Object.keys(path as object));
    expect(operations).toHaveLength(routes.length);
  });

  it.each([
    ['GET', '/nothing', 404, 'HTTP 404 Not Found'],
    ['GET', '/connectors//a', 404, 'HTTP 404 Not Found'],
    ['GET', '/favicon.ico', 404, 'HTTP 404 Not Found'],
    ['PATCH', '/connectors', 405, 'HTTP 405 Method Not Allowed'],
    ['HEAD', '/connectors/a/pause', 405, 'HTTP 405 Method Not Allowed'],
    ['GET', '/connectors/__proto__', 404, 'Connector __proto__ not found'],
  ])('answers %s %s with %i', async (method, target, status, message) => {
    expect(await worker.call(method, target)).toMatchObject({
      status,
      json: { error_code: status, message },
    });
  });

  it('answers HEAD with the status of GET', async () => {
    expect((await worker.call('HEAD', '/connectors')).status).toBe(200);
  });

  it.each([
    ['/connectors', 'HEAD,POST,GET,OPTIONS'],
    ['/connectors/none', 'HEAD,DELETE,GET,OPTIONS'],
    ['/connectors/none/config', 'HEAD,GET,OPTIONS,PUT,PATCH'],
    ['/connectors/none/offsets', 'HEAD,DELETE,GET,OPTIONS,PATCH'],
    ['/connectors/none/pause', 'OPTIONS,PUT'],
  ])("answers OPTIONS %s with the methods in Connect's order", async (path, allow) => {
    const answer = await worker.call('OPTIONS', path);
    expect(answer).toMatchObject({ status: 200, text: allow.replaceAll(',', ', ') });
    expect(answer.headers['allow']).toBe(allow);
  });

  it('answers with the parameters of the media type that Accept asks for', async () => {
    const accept = 'text/html, application/json; charset=utf-8;q=0.9';
    const answer = await worker.call('GET', '/connectors', undefined, { accept });
    expect(answer.headers['content-type']).toBe('application/json;charset=utf-8');
  });

  it('answers 406 rather than 404 for a known path', async () => {
    const answer = await worker.call('GET', '/connectors/none', undefined, { accept: 'text/plain' });
    expect(answer).toMatchObject({ status: 406, json: { message: 'HTTP 406 Not Acceptable' } });
  });

  it('answers 415 to a pause with another content type', async () => {
    const answer = await worker.call('PUT', '/connectors/none/pause', undefined, {
      'content-type': 'text/plain',
    });
    expect(answer).toMatchObject({ status: 415, json: { message: 'HTTP 415 Unsupported Media Type' } });
  });
});

describe('log lines', () => {
  it('are answered as JSON, by connector, level and number', async () => {
    const line = { time: 0, level: 'warn', logger: 'levada.x', message: 'full' } as const;
    worker.log({ ...line, fields: { event: 'one', connector: 'a/b' } });
    worker.log({ ...line, fields: { event: 'two' } });
    const { json } = await worker.call('GET', '/admin/logs?connector=a%2Fb&level=WARN&after=0&last=5');
    expect(json).toMatchObject({ last: 2, lost: 0, lines: [{ number: 1, event: 'one', msg: 'full' }] });
    expect((await worker.call('GET', '/admin/logs?after=1')).json.lines).toMatchObject([{ event: 'two' }]);
  });

  it.each([
    ['level=loud', 'level is not one of debug, info, warn, error'],
    ['after=-1', 'after is not a whole number from 0'],
    ['last=x', 'last is not a whole number from 0'],
  ])('are refused for %s', async (query, message) => {
    const answer = await worker.call('GET', `/admin/logs?${query}`);
    expect(answer).toMatchObject({ status: 400, json: { error_code: 400, message } });
  });
});
