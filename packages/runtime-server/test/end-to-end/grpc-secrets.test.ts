import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { grpcConfig, grpcFeeds } from './grpc-feed.ts';
import { stage } from './stage.ts';
import { startWorkerHere } from './worker-here.ts';

const { newFolder } = stage();
const { newFeed } = grpcFeeds();

/** A text that is in no output by chance. */
const canary = (): string => `canary${randomUUID().replaceAll('-', '')}`;

const canaries = {
  token: canary(),
  named: canary(),
  file: canary(),
  rotated: canary(),
  clientSecret: canary(),
  privateKey: canary(),
  replaced: canary(),
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
];

describe('a worker with gRPC connectors that logs everything it can', () => {
  it('shows no secret in any answer, log line or trace, also when the server repeats it', async () => {
    let refusing = true;
    const feed = await newFeed({
      onCall: (call) => {
        const [token = ''] = call.metadata.get('authorization');
        if (refusing) call.end('UNAUTHENTICATED', `who is ${String(token)}`);
      },
    });
    const folder = await newFolder();
    const file = join(folder, 'secrets.properties');
    await writeFile(file, `token=${canaries.file}\n`);
    const worker = startWorkerHere(folder, {
      'log.level': 'TRACE',
      'config.providers': 'file',
      'config.providers.file.class': 'org.apache.kafka.common.config.provider.FileConfigProvider',
    });
    const answers: string[] = [];
    const ask = async (method: string, path: string, body?: unknown): Promise<number> => {
      const answer = await worker.call(method, path, body);
      answers.push(answer.text);
      return answer.status;
    };
    const askAll = async (): Promise<void> => {
      await ask('GET', '/connectors?expand=info&expand=status&expand=connection');
      await ask('GET', '/metrics');
      for (const name of ['literal', 'referring']) {
        for (const path of paths) await ask('GET', `/connectors/${name}${path}`);
      }
    };
    await worker.ready();

    const literal = grpcConfig(feed.port, {
      'grpc.metadata': `authorization:Bearer ${canaries.token}`,
      'grpc.metadata.x-api-key': canaries.named,
    });
    const misplaced = {
      ...literal,
      'grpc.tls.client.key.pem': canaries.privateKey,
      'grpc.oauth2.client.secret': canaries.clientSecret,
    };
    const referring = grpcConfig(feed.port, {
      'grpc.metadata': `authorization:Bearer \${file:${file}:token},x-other:shown-nowhere`,
    });
    expect(await ask('PUT', '/connectors/referring/config', referring)).toBe(201);
    // There is no certificate for the key, and no token endpoint for the secret, which is reported without showing them.
    expect(await ask('POST', '/connectors', { name: 'literal', config: misplaced })).toBe(400);
    await ask('PUT', '/connector-plugins/GrpcSourceConnector/config/validate', misplaced);
    expect(await ask('POST', '/connectors', { name: 'literal', config: literal })).toBe(201);
    await waitFor(() => worker.logged('connection_failed').length > 5, { timeoutMs: 20_000 });
    await askAll();

    const { json: shown } = await worker.call('GET', '/connectors/literal/config');
    expect(shown).toMatchObject({ 'grpc.metadata': '********', 'grpc.metadata.x-api-key': '********' });
    const { json: template } = await worker.call('GET', '/connectors/referring/config');
    expect(template).toEqual({ ...referring, name: 'referring' });

    // A masked value that is sent back keeps the one that is stored.
    expect(
      await ask('PUT', '/connectors/literal/config', { ...shown, 'grpc.message.queue.size': '50' }),
    ).toBe(200);
    const wrong = { ...literal, 'grpc.metadata': `Bearer ${canaries.token}` };
    expect(await ask('PUT', '/connectors/literal/config', wrong)).toBe(400);
    await ask('PUT', '/connectors/literal/config', { ...literal, 'grpc.metadata.bad name': canaries.named });
    await ask('PUT', '/connectors/literal/config', {
      ...literal,
      'grpc.metadata.x-bin': `!${canaries.named}`,
    });
    await ask('PATCH', '/connectors/literal/config', { 'grpc.metadata.x-api-key': canaries.replaced });

    const seen = (name: string, value: string) => (): boolean =>
      feed.calls.some(({ metadata }) => metadata.get(name).includes(value));
    await waitFor(seen('authorization', `Bearer ${canaries.file}`), { timeoutMs: 20_000 });
    await waitFor(seen('x-api-key', canaries.replaced), { timeoutMs: 20_000 });
    // A rotated secret is used at the next attempt, by the same task.
    await writeFile(file, `token=${canaries.rotated}\n`);
    await waitFor(seen('authorization', `Bearer ${canaries.rotated}`), { timeoutMs: 20_000 });
    refusing = false;
    await worker.untilAttribute('referring', 'IsConnected', (connected) => Boolean(connected));
    await askAll();
    const starts = worker.logged('task_started').filter(({ connector }) => connector === 'referring');
    expect(starts).toHaveLength(1);
    refusing = true;
    await ask('PATCH', '/connectors/literal/config', { 'grpc.fail.on.status': 'UNAUTHENTICATED' });
    feed.kill();
    await feed.listen();
    expect(await worker.untilTask('literal', 'FAILED')).toContain('16 UNAUTHENTICATED: who is ');
    await askAll();
    expect(await worker.end('SIGTERM')).toBe(0);

    const everything = [...answers, worker.output(), worker.errors()].join('\n');
    // Each was sent somewhere, or this would prove little.
    expect(everything.split('16 UNAUTHENTICATED: who is ').length).toBeGreaterThan(10);
    const visible = Object.entries(canaries).filter(([, text]) => everything.includes(text));
    expect(visible.map(([place]) => place)).toEqual([]);
  });
});
