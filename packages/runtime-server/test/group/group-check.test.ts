import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { createTopic, withAdmin } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { expect, it } from 'vitest';
import { checkWorkerGroup } from '../../src/check-worker-group.ts';
import { loadWorkerConfig } from '../../src/load-worker-config.ts';
import type { ObservedWorker } from '../end-to-end/observed-worker.ts';
import { stage } from '../end-to-end/stage.ts';
import { startWorkerHere } from '../end-to-end/worker-here.ts';
import { onCluster } from '../end-to-end/worker-process.ts';

const { newFolder } = stage();
const fileStreamSource = fileURLToPath(new URL('../../../../examples/write-a-connector', import.meta.url));
const className = 'org.apache.kafka.connect.file.FileStreamSourceConnector';
const fits = 'Worker has completed startup and is ready to handle requests.';
const limit = { timeoutMs: 30_000 } as const;

/** What `/health` says to a client. */
async function healthText(worker: ObservedWorker): Promise<string> {
  return (await worker.call('GET', '/health')).json.message;
}

/** Waits until a worker says of its group what fits the pattern, in `/health`, its log and its metrics. */
async function untilFound(worker: ObservedWorker, pattern: RegExp): Promise<void> {
  let last = '';
  await waitFor(
    async () => {
      last = await healthText(worker);
      return pattern.test(last);
    },
    { ...limit, what: () => last },
  );
  expect((await worker.call('GET', '/health')).status).toBe(200);
  const findings = worker.logged('group_mismatch').at(-1)?.['findings'] as readonly string[];
  expect(findings.join('; ')).toMatch(pattern);
  expect((await worker.call('GET', '/metrics')).text).toMatch(/^connect_worker_group_findings [1-9]/m);
}

describeWithSharedBroker('workers of a group', {}, (broker) => {
  const start = async (id: string, more: Readonly<Record<string, string>> = {}): Promise<ObservedWorker> => {
    const keys = { ...onCluster(broker().bootstrap, id), 'scheduled.rebalance.max.delay.ms': '0' };
    const worker = startWorkerHere(await newFolder(), { ...keys, 'heartbeat.interval.ms': '200', ...more });
    await worker.ready();
    return worker;
  };

  it('say which address cannot be reached before a change fails, which it does as with Kafka Connect', async () => {
    const leader = await start('unreachable', { 'rest.advertised.port': '1' });
    const follower = await start('unreachable');
    const reason = 'java.net.ConnectException: Connection refused';
    await untilFound(
      follower,
      /^(?:Worker .* together: )?the worker at http:\/\/[^/]+:1\/ cannot be reached: java.net.ConnectException: Connection refused$/,
    );
    await untilFound(
      leader,
      /this worker cannot be reached at the address that it advertises, http:\/\/[^/]+:1\/: /,
    );
    const answer = await follower.call('PUT', '/connectors/a/config', { 'connector.class': 'x', name: 'a' });
    expect(answer.json).toEqual({
      error_code: 500,
      message: `IO Error trying to forward REST request: ${reason}`,
    });
    expect(follower.logged('forward_failed')).toMatchObject([{ level: 'error', method: 'PUT' }]);
  });

  it('say that two of them advertise the same address', async () => {
    const leader = await start('same');
    const { port } = new URL(await leader.url());
    const follower = await start('same', { 'rest.advertised.port': port });
    await untilFound(leader, /several workers advertise http:/);
    await untilFound(follower, /this worker and the leader both advertise http:/);
    await follower.end('SIGTERM');
    await waitFor(async () => (await healthText(leader)) === fits, limit);
    expect(leader.logged('group_fits')).toHaveLength(1);
  });

  it('run a connector where its class is, and say at once where it is not', async () => {
    const leader = await start('classes', { 'plugin.path': fileStreamSource });
    const folder = await newFolder();
    await writeFile(join(folder, 'lines'), 'one\n');
    const names = ['a', 'b', 'c', 'd'];
    for (const name of names) {
      await createTopic(broker(), `classes-${name}`);
      const config = {
        'connector.class': className,
        'tasks.max': '1',
        file: join(folder, 'lines'),
        topic: `classes-${name}`,
      };
      expect((await leader.call('PUT', `/connectors/${name}/config`, config)).status).toBe(201);
      await leader.untilState(name, 'RUNNING');
    }
    const follower = await start('classes');
    await untilFound(
      follower,
      new RegExp(`this worker does not have the class ${className} of "a", "b", "c", "d"$`),
    );
    for (const name of names) await leader.untilState(name, 'RUNNING');
    const { json } = await leader.call('GET', '/connectors?expand=status');
    const owners = names.flatMap((name) => [
      json[name].status.connector.worker_id,
      json[name].status.tasks[0].worker_id,
    ]);
    const { host } = new URL(await leader.url());
    expect(new Set(owners)).toEqual(
      new Set([host.replace('127.0.0.1', new URL(`http://${owners[0]}`).hostname)]),
    );
    expect(await healthText(leader)).toBe(fits);
    const check = async (more: Readonly<Record<string, string>>, id = 'classes') =>
      checkWorkerGroup(
        await loadWorkerConfig({ overrides: { ...onCluster(broker().bootstrap, id), ...more } }),
        {},
      );
    expect(await check({})).toEqual({
      connectors: 4,
      findings: [`this worker does not have the class ${className} of "a", "b", "c", "d"`],
    });
    expect(await check({ 'plugin.path': fileStreamSource })).toEqual({ connectors: 4, findings: [] });
    expect(await check({}, 'new-group')).toEqual({ connectors: undefined, findings: [] });
    const topics = await withAdmin(broker(), (admin) => admin.listTopics());
    expect(topics.filter((name) => name.includes('new-group'))).toEqual([]);
  });
});
