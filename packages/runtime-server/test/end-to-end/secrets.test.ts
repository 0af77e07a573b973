import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { stage, webSocketConfig } from './stage.ts';
import { startWorkerHere } from './worker-here.ts';

const { newFolder, newFeed } = stage();

/** A text that is in no output by chance, also not with its special characters escaped. */
const canary = (): string => `canary${randomUUID().replaceAll('-', '')}`;

const canaries = {
  token: canary(),
  header: canary(),
  namedHeader: canary(),
  userInfo: canary(),
  query: canary(),
  file: canary(),
  rotated: canary(),
  directory: canary(),
  replaced: canary(),
  saslPassword: canary(),
};

const paths = [
  '',
  '/config',
  '/status',
  '/status?expand=connection',
  '/tasks',
  '/tasks-config',
  '/metrics',
  '/offsets',
  '/topics',
];
const workerPaths = [
  '/',
  '/health',
  '/metrics',
  '/admin/metrics',
  '/admin/loggers',
  '/connector-plugins',
  '/connectors?expand=info&expand=status&expand=connection',
];

describe('a worker that logs everything it can', () => {
  it('shows no secret in any answer, log line, trace or metric, through a whole life with its failures', async () => {
    let refusing = true;
    const feed = await newFeed({ refuses: () => refusing });
    const folder = await newFolder();
    const file = join(folder, 'secrets.properties');
    await writeFile(file, `key=${canaries.file}\n`);
    await mkdir(join(folder, 'secrets'));
    await writeFile(join(folder, 'secrets', 'key'), canaries.directory);
    const worker = startWorkerHere(folder, {
      'log.level': 'TRACE',
      'config.providers': 'file,directory',
      'config.providers.file.class': 'org.apache.kafka.common.config.provider.FileConfigProvider',
      'config.providers.directory.class': 'org.apache.kafka.common.config.provider.DirectoryConfigProvider',
      // Not used on the embedded log, and not to be repeated in a warning about that.
      'sasl.jaas.config': `some.LoginModule required password="${canaries.saslPassword}";`,
    });
    const answers: string[] = [];
    const ask = async (method: string, path: string, body?: unknown): Promise<number> => {
      const answer = await worker.call(method, path, body);
      answers.push(answer.text);
      return answer.status;
    };
    const askAll = async (): Promise<void> => {
      for (const path of workerPaths) await ask('GET', path);
      for (const name of ['literal', 'referring']) {
        for (const path of paths) await ask('GET', `/connectors/${name}${path}`);
      }
    };
    await worker.ready();

    const literal = webSocketConfig(feed, {
      'websocket.url': `${feed.url.replace('ws://', `ws://user:${canaries.userInfo}@`)}?api_key=${canaries.query}`,
      'websocket.auth.token': canaries.token,
      'websocket.headers': `X-Api-Key:${canaries.header}`,
      'websocket.headers.X-Other': canaries.namedHeader,
    });
    const referring = webSocketConfig(feed, {
      'websocket.auth.token': `\${file:${file}:key}`,
      'websocket.headers.X-Other': `\${directory:${join(folder, 'secrets')}:key}`,
    });
    expect(await ask('POST', '/connectors', { name: 'literal', config: literal })).toBe(201);
    expect(await ask('PUT', '/connectors/referring/config', referring)).toBe(201);
    const refused = () => worker.logged('websocket_failure').length;
    await waitFor(() => refused() > 3, { timeoutMs: 20_000 });
    await askAll();

    // Mistakes in configurations that hold the secrets.
    const wrong = { ...literal, 'websocket.message.queue.size': 'many' };
    expect(await ask('PUT', '/connectors/literal/config', wrong)).toBe(400);
    await ask('PUT', '/connector-plugins/WebSocketSourceConnector/config/validate', wrong);
    await ask('PUT', '/connectors/literal/config', { ...literal, 'websocket.headers': canaries.header });
    await ask('PUT', '/connectors/literal/config', {
      ...literal,
      'websocket.auth.token': `${canaries.token}\n`,
    });
    await ask('POST', '/connectors', { name: 'literal', config: literal });
    await ask('POST', '/connectors', {
      name: 'other',
      config: { ...literal, 'connector.class': 'example.Unknown' },
    });
    await ask('PUT', '/connectors/missing/config', {
      ...referring,
      'websocket.auth.token': `\${file:${file}:no-such-key}`,
    });
    await ask('PATCH', '/connectors/literal/config', { 'websocket.auth.token': canaries.replaced });

    refusing = false;
    const seen = (token: string) => () =>
      feed.connections.some(({ headers }) => headers['authorization'] === `Bearer ${token}`);
    await waitFor(seen(canaries.file), { timeoutMs: 20_000 });
    await waitFor(seen(canaries.replaced), { timeoutMs: 20_000 });
    await writeFile(file, `key=${canaries.rotated}\n`);
    await ask('POST', '/connectors/referring/restart?includeTasks=true');
    await waitFor(seen(canaries.rotated), { timeoutMs: 20_000 });
    await askAll();
    await ask('PUT', '/connectors/literal/pause');
    await worker.untilState('literal', 'PAUSED');
    await ask('PATCH', '/connectors/referring/config', {
      'websocket.reconnect.enabled': 'false',
      'websocket.url': `ws://user:${canaries.userInfo}@127.0.0.1:1/?api_key=${canaries.query}`,
    });
    await worker.untilTask('referring', 'FAILED');
    await askAll();
    await ask('DELETE', '/connectors/literal');
    expect(await worker.end('SIGTERM')).toBe(0);

    const everything = [...answers, worker.output(), worker.errors()].join('\n');
    // Each was sent somewhere, or this would prove little.
    expect(answers.length).toBeGreaterThan(60);
    expect(everything).toContain('"event":"websocket_failure"');
    const shown = Object.entries(canaries).filter(([, text]) => everything.includes(text));
    expect(shown.map(([place]) => place)).toEqual([]);
  });
});
