import { silentLogger, systemClock } from '@levada/connect-runtime-core';
import { builtInConverters } from '@levada/connect-runtime-core/host';
import { createScriptedConnector, waitFor } from '@levada/connect-runtime-core/testing';
import { createConnectRuntime } from '@levada/connect-worker';
import { openEmbeddedPlatform } from '@levada/platform-embedded';

const text = { className: 'org.apache.kafka.connect.storage.StringConverter', config: {} };
const { connector, peer } = createScriptedConnector();
const platform = await openEmbeddedPlatform({ folder: './log' });
const runtime = createConnectRuntime({
  platform,
  logger: silentLogger,
  clock: systemClock,
  version: '1.0.0',
  // The connector classes of this worker, and converters as configurations name them.
  connectors: [connector],
  converters: builtInConverters,
  configProviders: new Map(),
  keyConverter: text,
  valueConverter: text,
  headerConverter: { ...text, className: 'org.apache.kafka.connect.storage.SimpleHeaderConverter' },
  // Its place in a group. The embedded log has one worker, so these have no effect there.
  workerId: '127.0.0.1:8083',
  workerUrl: 'http://127.0.0.1:8083/',
  groupId: 'connect-cluster',
  groupProtocol: 'sessioned',
  sessionTimeoutMs: 10_000,
  heartbeatIntervalMs: 3000,
  rebalanceTimeoutMs: 60_000,
  scheduledRebalanceMaxDelayMs: 300_000,
  workerSyncTimeoutMs: 3000,
  workerUnsyncBackoffMs: 300_000,
  requestSigning: {
    keyAlgorithm: 'HmacSHA256',
    keyBits: null,
    signatureAlgorithm: 'HmacSHA256',
    verificationAlgorithms: ['HmacSHA256'],
    keyTtlMs: 3_600_000,
  },
  configTopic: { name: 'connect-configs', partitions: 1 },
  offsetTopic: { name: 'connect-offsets', partitions: 25 },
  statusTopic: { name: 'connect-status', partitions: 5 },
  offsetFlushIntervalMs: 60_000,
  offsetFlushTimeoutMs: 5000,
  taskShutdownGracefulTimeoutMs: 5000,
  topicTrackingEnabled: true,
  topicTrackingAllowReset: true,
  topicCreationEnabled: true,
  producerConfig: {},
  overridePolicy: 'All',
});

await runtime.start();
await runtime.herder.create('prices', { 'connector.class': connector.className, topic: 'prices' });
await waitFor(() => peer.connections === 1);
peer.send('{"price":42}');
export const report = await runtime.stop(); // { undelivered: [] }
await platform.close();
