import { randomBytes } from 'node:crypto';
import { silentLogger, systemClock } from '@levada/connect-runtime-core';
import { waitFor } from '@levada/connect-runtime-core/testing';
import type { ReachableBroker } from '@levada/kafka-testkit';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { openKafkaPlatform } from '@levada/platform-kafka';
import { expect, it } from 'vitest';
import { stage } from './stage.ts';
import { startWorkerHere } from './worker-here.ts';
import { onCluster } from './worker-process.ts';

const { newFolder, newFeed } = stage();

interface Garbage {
  readonly key: string | Uint8Array;
  readonly value: string | Uint8Array | null;
}

/** Records for a config topic with a connector `feed`: none of them may change it. */
const ofConfigs: readonly Garbage[] = [
  { key: 'connector-feed', value: '{"properties":{"connector.class":' },
  { key: 'connector-feed', value: '{"properties":["a"]}' },
  { key: 'connector-feed', value: '{"properties":{"a":{"b":1}}}' },
  { key: 'connector-feed', value: '[]' },
  { key: 'connector-feed', value: new Uint8Array([0, 0, 0, 0, 1, 0xff]) },
  { key: 'connector-', value: '{"properties":{}}' },
  { key: 'task-feed-', value: '{"properties":{}}' },
  { key: 'task-feed-99999999999999999999', value: '{"properties":{}}' },
  { key: 'task-feed-0', value: '{"properties":7}' },
  { key: 'commit-feed', value: '{"tasks":-1}' },
  { key: 'commit-feed', value: '{"tasks":1e300}' },
  { key: 'target-state-feed', value: '{"state":"ASLEEP","state.v2":7}' },
  { key: 'session-key', value: '{"key":1,"algorithm":"HmacSHA256"}' },
  { key: 'restart-connector-feed', value: '"now"' },
  { key: 'logger-cluster-', value: '{"level":"DEBUG"}' },
  { key: 'logger-cluster-root', value: '{"level":9}' },
  { key: 'tasks-fencing-feed', value: '{"task-count":"2"}' },
  { key: 'connector:feed:v9', value: '{"spec":{}}' },
  { key: new Uint8Array([0xff, 0xfe, 0x00]), value: '{}' },
];

const ofStatuses: readonly Garbage[] = [
  { key: 'status-connector-feed', value: '{"state":"RUNN' },
  { key: 'status-connector-feed', value: '{"state":"ASLEEP","worker_id":"w:1","generation":1}' },
  { key: 'status-connector-feed', value: '{"state":"FAILED","worker_id":7,"generation":1}' },
  { key: 'status-task-feed-0', value: 'null' },
  { key: 'status-task-feed-0', value: '"RUNNING"' },
  { key: 'status-task-feed', value: '{}' },
  { key: 'status-topic-x', value: '{}' },
  { key: new Uint8Array([0xc0]), value: null },
];

/** That many records, every second of them of random bytes. */
async function write(broker: ReachableBroker, topic: string, kinds: readonly Garbage[], count: number) {
  const config = { 'bootstrap.servers': broker.bootstrap };
  const platform = await openKafkaPlatform({ config, logger: silentLogger, clock: systemClock });
  const producer = await platform.producer({ clientId: 'garbage' });
  const bytes = (given: string | Uint8Array | null) =>
    typeof given === 'string' ? Buffer.from(given) : given;
  const records = Array.from({ length: count }, (_, at) => {
    const kind = kinds[(at / 2) % kinds.length] ?? { key: randomBytes(9), value: randomBytes(40) };
    return {
      topic,
      partition: 0,
      key: bytes(kind.key),
      value: bytes(kind.value),
      timestamp: Date.now(),
      headers: [],
    };
  });
  const { stored } = await producer.send(records);
  await platform.close();
  expect(stored).toBe(count);
}

describeWithSharedBroker('a worker whose internal topics hold garbage', {}, (broker) => {
  it('passes over it, counts it, and keeps its connectors, both at the start and while it runs', async () => {
    const feed = await newFeed();
    const group = `garbage-${process.pid}`;
    const properties = onCluster(broker().bootstrap, group);
    const first = startWorkerHere(await newFolder(), properties);
    await first.ready();
    const config = {
      'connector.class': 'io.vendor.connect.websocket.WebSocketSourceConnector',
      'tasks.max': '1',
      'websocket.url': feed.url,
      'platform.topic': `${group}-records`,
    };
    expect(await first.call('PUT', '/connectors/feed/config', config)).toMatchObject({ status: 201 });
    await first.untilState('feed', 'RUNNING');
    await write(broker(), `${group}-configs`, ofConfigs, 10_000);
    await write(broker(), `${group}-status`, ofStatuses, 10_000);
    expect(await first.call('PUT', '/connectors/feed/pause')).toMatchObject({ status: 202 });
    await first.untilState('feed', 'PAUSED');
    expect(await first.call('PUT', '/connectors/feed/resume')).toMatchObject({ status: 202 });
    await first.untilState('feed', 'RUNNING');
    expect(first.logged('store_record_skipped').length).toBeGreaterThan(0);
    await first.end('SIGTERM');

    const second = startWorkerHere(await newFolder(), properties);
    await second.untilState('feed', 'RUNNING');
    expect((await second.call('GET', '/connectors')).json).toEqual(['feed']);
    const { json } = await second.call('GET', '/connectors/feed/config');
    expect(json).toEqual({ ...config, name: 'feed' });
    await waitFor(() => second.logged('store_records_skipped').length === 2);
    const counts = second.logged('store_records_skipped').map(({ count }) => Number(count));
    // The cleaner of the topic may have removed some, and a deleted key is no garbage.
    for (const count of counts) expect(count).toBeGreaterThan(5_000);
    expect(second.errors()).toBe('');
  });
});
