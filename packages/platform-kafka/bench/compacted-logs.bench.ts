// Three compacted logs, as in a worker, with a real broker: the cost of a change, of reading and of idling.
import { silentLogger, systemClock } from '@levada/connect-runtime-core';
import type { LogPlatform } from '@levada/connect-runtime-core/platform';
import { startBroker } from '@levada/kafka-testkit';
import { openKafkaPlatform } from '@levada/platform-kafka';

const RECORDS = 100_000;
const CHANGES = 200;
const IDLE_MS = 20_000;

const topics = [
  ['configs', 1],
  ['offsets', 25],
  ['statuses', 5],
] as const;

function openLog(platform: LogPlatform, index: 0 | 1 | 2, onRecord: () => void = () => undefined) {
  const [name, partitions] = topics[index];
  const topic = { name, partitions, replicationFactor: 1 };
  return platform.compactedLog({ topic, configKey: 'offset.storage.topic', onRecord, clientId: name });
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

const broker = await startBroker();
try {
  const config = { 'bootstrap.servers': broker.bootstrap };
  await using stack = new AsyncDisposableStack();
  const platform = await openKafkaPlatform({ config, logger: silentLogger, clock: systemClock });
  stack.defer(() => platform.close());
  const configs = await openLog(platform, 0);
  const offsets = await openLog(platform, 1);
  await openLog(platform, 2);

  const key = (i: number) => Buffer.from(`["connector",{"file":"${i}"}]`);
  const value = Buffer.from('{"position":123456}');
  const changes = await seconds(async () => {
    for (let i = 0; i < CHANGES; i++) {
      await configs.put(key(i), value);
      await configs.readToEnd();
    }
  });
  const writing = await seconds(() =>
    Promise.all(Array.from({ length: RECORDS }, (_, i) => offsets.put(key(i), value))),
  );
  let count = 0;
  const reading = await seconds(() => openLog(platform, 1, () => count++));

  const before = process.cpuUsage();
  const idling = await seconds(() => systemClock.sleep(IDLE_MS));
  const { user, system } = process.cpuUsage(before);
  console.table([
    { what: 'put, then read to the end', figure: `${((changes / CHANGES) * 1000).toFixed(1)} ms` },
    { what: 'put', figure: `${Math.round(RECORDS / writing)} records/s` },
    { what: `open and read ${count} records`, figure: `${Math.round(count / reading)} records/s` },
    {
      what: 'idle, four logs (56 partitions)',
      figure: `${((user + system) / 1e4 / idling).toFixed(2)} % of a core`,
    },
  ]);
} finally {
  await broker.stop();
}
