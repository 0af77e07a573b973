import JolokiaSimple from '@jolokia.js/simple';
import { waitFor } from '@levada/connect-runtime-core/testing';
import Jolokia from 'jolokia.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InProcessWorker, startInProcess } from './worker-in-process.ts';

let worker: InProcessWorker;
let url: string;

beforeAll(async () => {
  worker = await startInProcess({ 'jolokia.listeners': 'http://127.0.0.1:0' });
  await worker.worker.started;
  await worker.worker.herder.create('prices', {
    'connector.class': 'WebSocketSource',
    // Nothing listens there: the task runs, and tries to connect.
    'websocket.url': 'ws://127.0.0.1:9/feed?a=1',
    'platform.topic': 'prices',
  });
  const status = () => worker.worker.herder.status('prices').catch(() => undefined);
  await waitFor(async () => (await status())?.tasks[0]?.state === 'RUNNING');
  const [, found] = /jolokia_listening[^\n]*?(http:\/\/[^\s"]+)/.exec(worker.text()) ?? [];
  url = String(found);
});
afterAll(() => worker.end());

const workerBean = 'kafka.connect:type=connect-worker-metrics';

describe('the client jolokia.js', () => {
  it('reads attributes, one by one and all of a bean', async () => {
    const jolokia = new JolokiaSimple({ url });
    expect(await jolokia.getAttribute(workerBean, 'task-count')).toBe(1);
    expect(
      await jolokia.getAttribute('kafka.connect:type=connector-metrics,connector=prices', 'status'),
    ).toBe('running');
    expect(await jolokia.getAttribute(workerBean)).toMatchObject({
      'connector-count': 1,
      'connector-startup-failure-total': 0,
    });
  });

  it('finds the names of Kafka Connect and of the connector, as its definition writes them', async () => {
    const jolokia = new JolokiaSimple({ url });
    expect(await jolokia.search('kafka.connect:type=source-task-metrics,*')).toEqual([
      'kafka.connect:connector=prices,task=0,type=source-task-metrics',
    ]);
    expect(await jolokia.search('io.vendor.connect.*:*', { canonicalNaming: false })).toEqual([
      'io.vendor.connect.websocket:type=WebSocketConnector,name=prices,url=127.0.0.1_9_feed',
    ]);
    const [name] = (await jolokia.search('io.vendor.connect.websocket:*')) as string[];
    expect(await jolokia.getAttribute(String(name), 'IsConnected')).toBe(false);
  });

  it('sends several requests at once, by POST and GET', async () => {
    const jolokia = new Jolokia({ url });
    const answers = await jolokia.request([
      { type: 'read', mbean: workerBean, attribute: ['task-count', 'connector-count'] },
      { type: 'read', mbean: 'kafka.connect:type=none' },
      { type: 'version' },
    ]);
    expect(answers).toMatchObject([
      { status: 200, value: { 'task-count': 1, 'connector-count': 1 } },
      { status: 404, error_type: 'javax.management.InstanceNotFoundException' },
      { status: 200, value: { protocol: '8.2' } },
    ]);
    const got = await jolokia.request(
      { type: 'read', mbean: workerBean, attribute: 'task-count' },
      { method: 'get' },
    );
    expect(got).toMatchObject({ status: 200, value: 1 });
  });

  it('reads all attributes of the beans of a pattern by GET, for which it asks for the attribute *', async () => {
    const jolokia = new Jolokia({ url });
    const pattern = 'kafka.connect:type=connect-worker-*';
    const got = await jolokia.request({ type: 'read', mbean: pattern }, { method: 'get' });
    expect(got).toMatchObject({ status: 200, value: { [workerBean]: { 'task-count': 1 } } });
    const mbean = 'kafka.connect:type=connector-metrics,connector=prices';
    const inner = await jolokia.request({ type: 'read', mbean, path: 'status' }, { method: 'get' });
    expect(inner).toMatchObject({ status: 200, value: 'running' });
  });

  it('lists domains, beans and attributes with their types', async () => {
    const jolokia = new JolokiaSimple({ url });
    expect(await jolokia.list('kafka.connect/type=connect-worker-metrics/attr/task-count')).toEqual({
      rw: false,
      type: 'double',
      desc: 'Tasks of this worker',
    });
  });
});

/** What the agent answers to a request that no client sends. */
async function ask(path: string, body?: string): Promise<Record<string, unknown>> {
  const response = await fetch(url + path, body === undefined ? {} : { method: 'POST', body });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

describe('the Jolokia agent', () => {
  it('reads patterns, by bean', async () => {
    const { value } = await ask('read/kafka.connect:type=connector-*,*/status,batch-size-avg');
    expect(value).toEqual({
      'kafka.connect:connector=prices,type=connector-metrics': { status: 'running' },
      'kafka.connect:connector=prices,task=0,type=connector-task-metrics': {
        status: 'running',
        // Nothing was measured yet, and JSON has no NaN.
        'batch-size-avg': null,
      },
    });
  });

  it.each([
    ['status,connector-type', { status: 'running', 'connector-type': 'source' }],
    ['', expect.objectContaining({ status: 'running', 'connector-type': 'source' })],
  ])('reads the attributes %j of a POST', async (attribute, value) => {
    const mbean = 'kafka.connect:type=connector-metrics,connector=prices';
    expect(await ask('', JSON.stringify({ type: 'read', mbean, attribute }))).toMatchObject({
      status: 200,
      value,
    });
  });

  it('changes nothing', async () => {
    for (const type of ['write', 'exec']) {
      const body = JSON.stringify({ type, mbean: workerBean, attribute: 'task-count', value: 5 });
      expect(await ask('', body)).toMatchObject({ status: 403, error_type: 'java.lang.SecurityException' });
    }
  });

  it.each([
    ['', '{"type":"read"', 400, 'The body is no JSON'],
    ['', '5', 400, 'A request is a JSON object'],
    ['', '{"type":"read"}', 400, 'A read needs the key "mbean"'],
    ['', '{"type":"read","mbean":"nothing"}', 400, '"nothing" is no object name'],
    ['', '{"type":"constructor"}', 400, 'Unknown type of request "constructor"'],
    ['', JSON.stringify(Array.from({ length: 1001 }, () => ({}))), 400, 'there are 1001'],
    [`read/${workerBean}/none`, undefined, 404, 'No such attribute: none'],
    [`read/kafka.connect:type=none,*`, undefined, 404, 'No MBean with pattern'],
    ['list/none', undefined, 404, 'Nothing is at the path none'],
    ['%E0%A4%A', undefined, 400, 'Unknown type of request'],
  ])('answers %s %s with %i and a reason', async (path, body, status, reason) => {
    const answer = await ask(path, body);
    expect(answer).toMatchObject({ status, error: expect.stringContaining(reason) });
  });

  it('answers nothing outside of its path, and no other methods', async () => {
    expect((await fetch(new URL('/connectors', url))).status).toBe(404);
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(405);
  });

  it('is not there unless it is asked for', async () => {
    expect((await fetch(`${worker.worker.url}/jolokia/version`)).status).toBe(404);
  });
});
