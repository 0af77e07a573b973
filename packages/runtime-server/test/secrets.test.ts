import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InProcessWorker, startInProcess } from './worker-in-process.ts';

const canaries = {
  token: 'canary-token-1f2e',
  header: 'canary-header-3d4c',
  user: 'canary-userinfo-5b6a',
  query: 'canary-query-7988',
  file: 'canary-file-a7b6',
  patched: 'canary-patched-c5d4',
  environment: 'canary-environment-e3f2',
};
const subscription = 'canary-subscription-0a1b';

const refusing = createServer((_request, response) => response.writeHead(401).end());
let running: InProcessWorker;
let folder: string;
let config: Readonly<Record<string, string>>;
const answers: string[] = [];

async function call(method: string, path: string, body?: unknown): Promise<number> {
  const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`${running.worker.url}${path}`, {
    method,
    ...(body === undefined ? {} : json),
  });
  answers.push(JSON.stringify([...response.headers]), await response.text());
  return response.status;
}

beforeAll(async () => {
  await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
  const { port } = refusing.address() as { port: number };
  folder = await mkdtemp(join(tmpdir(), 'levada-secrets-'));
  const secrets = join(folder, 'secrets.properties');
  await writeFile(secrets, `header=${canaries.file}\n`);
  running = await startInProcess(
    {
      'log.level': 'TRACE',
      'config.providers': 'file,env',
      'config.providers.file.class': 'file',
      'config.providers.env.class': 'env',
      'config.providers.env.param.allowlist.pattern': 'FEED_.*',
    },
    { environment: { FEED_TOKEN: canaries.environment } },
  );
  config = {
    'connector.class': 'WebSocketSource',
    'tasks.max': '1',
    'platform.topic': 't',
    'websocket.url': `ws://user:${canaries.user}@127.0.0.1:${port}/feed?access_token=${canaries.query}`,
    'websocket.auth.token': canaries.token,
    'websocket.headers': `X-Api-Key:${canaries.header}`,
    'websocket.headers.X-File': `\${file:${secrets}:header}`,
    'websocket.subscription.message': `{"auth":"${subscription}"}`,
    'websocket.reconnect.interval.ms': '50',
  };
});
afterAll(async () => {
  await running.end();
  refusing.close();
  await rm(folder, { recursive: true });
});

describe('secrets of connectors', () => {
  it('shows no secret in any answer or log line, whatever happens to a connector', async () => {
    const paths = [
      '',
      '/config',
      '/status?expand=connection',
      '/tasks',
      '/tasks-config',
      '/metrics',
      '/offsets',
      '/topics',
    ];
    const invalid = { ...config, 'websocket.message.queue.size': 'x' };
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a reference as users write it
    const reference = '${env:FEED_TOKEN}';
    const resolved = { ...config, 'websocket.auth.token': reference };
    expect(await call('POST', '/connectors', { name: 'refused', config })).toBe(201);
    expect(await call('PUT', '/connectors/resolved/config', resolved)).toBe(201);
    expect(await call('PUT', '/connectors/refused/config', invalid)).toBe(400);
    expect(await call('PUT', '/connector-plugins/WebSocketSource/config/validate', config)).toBe(200);
    expect(await call('PUT', '/connector-plugins/WebSocketSource/config/validate', invalid)).toBe(200);
    await waitFor(() => (running.text().match(/"event":"websocket_failure"/g) ?? []).length > 4);
    const change = { 'websocket.auth.token': canaries.patched };
    expect(await call('PATCH', '/connectors/refused/config', change)).toBe(200);
    for (const name of ['refused', 'resolved']) {
      for (const path of paths) expect(await call('GET', `/connectors/${name}${path}`)).toBe(200);
      await call('POST', `/connectors/${name}/restart?includeTasks=true`);
    }
    for (const path of [
      '/connectors?expand=info&expand=status&expand=connection',
      '/metrics',
      '/admin/metrics',
      '/health',
    ]) {
      expect(await call('GET', path)).toBe(200);
    }
    expect(await call('POST', '/connectors', '{"name":')).toBe(400);
    await running.end();

    const everything = [...answers, running.text()].join('\n');
    expect(everything).toContain(reference);
    const leaked = Object.entries(canaries).filter(([, canary]) => everything.includes(canary));
    expect(leaked.map(([place]) => place)).toEqual([]);
    // Users who may read configurations may see a subscription, but logs must not hold it.
    expect(answers.join('\n')).toContain(subscription);
    expect(running.text()).not.toContain(subscription);
  });
});
