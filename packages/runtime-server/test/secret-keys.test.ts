import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AddressInfo, WebSocketServer } from 'ws';
import { type InProcessWorker, startInProcess } from './worker-in-process.ts';

const subscription = '{"op":"subscribe","key":"canary-9c1f"}';
const request = '{"key": "canary-9c1f"';
const masked = '********';

let running: InProcessWorker;
let server: WebSocketServer;
let webSocket: Readonly<Record<string, string>>;
const received: string[] = [];
const answers: string[] = [];

async function call(method: string, path: string, body?: unknown) {
  const answer = await fetch(running.worker.url + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  answers.push(text);
  return { status: answer.status, text, json: text === '' ? undefined : JSON.parse(text) };
}

beforeAll(async () => {
  running = await startInProcess({ 'log.level': 'TRACE' });
  server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  // A peer that repeats what it was sent in its refusal.
  server.on('connection', (socket) =>
    socket.on('message', (data: Buffer) => {
      received.push(data.toString());
      socket.close(1008, `refused ${data.toString()}`);
    }),
  );
  const { port } = server.address() as AddressInfo;
  webSocket = {
    'connector.class': 'WebSocketSource',
    'websocket.url': `ws://127.0.0.1:${port}/`,
    'websocket.subscription.message': subscription,
    'websocket.reconnect.interval.ms': '50',
    'platform.topic': 't',
    'secret.keys': 'websocket.subscription.message',
  };
});
afterAll(async () => {
  await running.end();
  server.close();
});

describe('a key that secret.keys names', () => {
  it('masks a key of secret.keys in every answer and log line, and keeps the stored value when the mask comes back', async () => {
    expect(await call('POST', '/connectors', { name: 'a', config: webSocket })).toMatchObject({
      status: 201,
    });
    const { json } = await call('GET', '/connectors/a/config');
    expect(json).toEqual({ ...webSocket, name: 'a', 'websocket.subscription.message': masked });
    await waitFor(() => received.length > 0);
    await call('PUT', '/connectors/a/config', { ...json, 'platform.topic': 'u' });
    const before = received.length;
    await call('POST', '/connectors/a/restart?includeTasks=true');
    await waitFor(() => received.length > before);
    const paths = ['', '/config', '/tasks', '/tasks-config', '/status?expand=connection', '/metrics'];
    for (const path of paths) await call('GET', `/connectors/a${path}`);
    await call('GET', '/connectors?expand=info&expand=status&expand=connection');
    await call('PUT', '/connector-plugins/WebSocketSource/config/validate', { ...webSocket, name: 'a' });
    expect(new Set(received)).toEqual(new Set([subscription]));
    expect([...answers, running.text()].join('\n')).not.toContain('canary');
  });

  it('does not quote a wrong value of a key of secret.keys', async () => {
    const { json, text } = await call('PUT', '/connector-plugins/GrpcSource/config/validate', {
      'connector.class': 'GrpcSource',
      name: 'b',
      'grpc.request.message': request,
      'secret.keys': 'grpc.request.message',
    });
    expect(json.error_count).toBeGreaterThan(0);
    expect(text).toContain('grpc.request.message');
    expect(text).not.toContain('canary');
  });

  it.each([
    ['websocket.subscripton.message', 'is neither a key of the connector nor of this configuration'],
    ['name', 'is a key of every connector and always shown'],
  ])('refuses %s in secret.keys', async (key, problem) => {
    const config = { ...webSocket, name: 'c', 'secret.keys': key };
    const { status, text } = await call('PUT', '/connectors/c/config', config);
    expect(status).toBe(400);
    expect(JSON.parse(text).message).toContain(
      `Invalid value ${key} for configuration secret.keys: "${key}" ${problem}`,
    );
  });
});

describe('a secret of a message', () => {
  const handshake = { 'websocket.handshake.1.message': '{"login":"{{secret:key}}"}' };

  it('is sent in its place, and shown in no answer or log line, though the server repeats it', async () => {
    const { 'secret.keys': _, 'websocket.subscription.message': __, ...bare } = webSocket;
    const config = { ...bare, ...handshake, 'websocket.secret.key': 'canary-77aa' };
    expect(await call('POST', '/connectors', { name: 'c', config })).toMatchObject({ status: 201 });
    const { json } = await call('GET', '/connectors/c/config');
    expect(json).toEqual({ ...config, name: 'c', 'websocket.secret.key': masked });
    await waitFor(() => received.includes('{"login":"canary-77aa"}'));
    await waitFor(() => running.text().includes('refused {\\"login'));
    await call('GET', '/connectors/c/status?expand=connection');
    expect([...answers, running.text()].join('\n')).not.toContain('canary');
  });

  it('that does not exist, and a wrong value, are reported under their numbered keys', async () => {
    const { json } = await call('PUT', '/connector-plugins/WebSocketSource/config/validate', {
      ...webSocket,
      ...handshake,
      name: 'd',
      'websocket.secret.kez': 'canary-77aa',
      'websocket.handshake.2.timeout.ms': '0',
    });
    const errors = (json.configs as { value: { name: string; errors: string[] } }[]).flatMap(({ value }) =>
      value.errors.length === 0 ? [] : [[value.name, ...value.errors]],
    );
    expect(errors).toEqual([
      [
        'websocket.handshake.1.message',
        'Invalid value [hidden] for configuration websocket.handshake.1.message: cannot hold {{secret:key}}, only {{secret:kez}}, {{time.ms}}, {{time.s}}, {{count}}',
      ],
      [
        'websocket.handshake.2.timeout.ms',
        'Invalid value 0 for configuration websocket.handshake.2.timeout.ms: Value must be at least 1',
      ],
    ]);
  });
});
