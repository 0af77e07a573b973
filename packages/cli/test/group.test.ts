import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from './eventually.ts';
import { runCommand } from './run-command.ts';
import { startTestWorker } from './running-worker.ts';

const text = 'org.apache.kafka.connect.storage.StringConverter';
const fileStreamSource = fileURLToPath(new URL('../../../examples/write-a-connector', import.meta.url));

describeWithSharedBroker('levada on the workers of a group', {}, (broker) => {
  it('says with doctor and check-config --group what keeps them from working together', async () => {
    const keys = {
      'bootstrap.servers': broker().bootstrap,
      'group.id': 'misfits',
      'config.storage.topic': 'misfits-configs',
      'offset.storage.topic': 'misfits-offsets',
      'status.storage.topic': 'misfits-status',
      'config.storage.replication.factor': '1',
      'offset.storage.replication.factor': '1',
      'status.storage.replication.factor': '1',
      'key.converter': text,
      'value.converter': text,
    };
    const leader = await startTestWorker({
      ...keys,
      'plugin.path': fileStreamSource,
      'rest.advertised.port': '1',
      'heartbeat.interval.ms': '200',
    });
    onTestFinished(() => leader.close());
    await leader.put('/connectors/lines/config', {
      'connector.class': 'org.apache.kafka.connect.file.FileStreamSourceConnector',
      file: '/dev/null',
      topic: 'lines',
    });
    const folder = await mkdtemp(join(tmpdir(), 'levada-cli-group-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'worker.properties');
    const lines = Object.entries(keys).map(([key, value]) => `${key}=${value}\n`);
    await writeFile(file, lines.join(''));
    const misfit =
      'this worker does not have the class org.apache.kafka.connect.file.FileStreamSourceConnector of "lines"';
    const check = await runCommand(['worker', 'check-config', '--group', file]);
    expect([check.code, check.err]).toEqual([1, expect.stringContaining(misfit)]);
    await writeFile(file, [...lines, `plugin.path=${fileStreamSource}\n`].join(''));
    const good = await runCommand(['worker', 'check-config', '--group', file]);
    expect([good.code, good.out]).toEqual([0, expect.stringContaining('the group misfits has 1 connector')]);

    const follower = await startTestWorker(keys);
    onTestFinished(() => follower.close());
    const doctor = () => runCommand(['doctor', '--url', follower.url]);
    await eventually(
      doctor,
      /^✗ group: the worker at http:.*:1\/ cannot be reached: .*Connection refused\n {4}check rest/m,
    );
    expect((await doctor()).out).toContain(`! group: ${misfit}\n    install the plugin there`);
    expect((await doctor()).code).toBe(1);
  });
});
