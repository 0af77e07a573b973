import { waitFor } from '@levada/connect-runtime-core/testing';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { describe, expect, it } from 'vitest';
import type { ObservedWorker } from './observed-worker.ts';
import { otlpClient, transports } from './otlp-client.ts';
import { type OtlpPorts, otlpConfig, otlpPorts } from './otlp-connector.ts';
import { numberedExport, type Signal, threeSignals } from './otlp-numbered.ts';
import { stage } from './stage.ts';
import { clusterLog, embeddedLog, type StoredLog } from './stored-log.ts';
import { startWorkerHere } from './worker-here.ts';
import { startWorkerProcess } from './worker-process.ts';

const { newFolder } = stage();

const OBJECT = 'io.vendor.connect.otel:type=OpenTelemetryConnector,name=telemetry';

/** The attributes that the product definition names, after one export of each signal over each transport. */
const attributes = {
  TracesReceived: 3,
  MetricsReceived: 3,
  LogsReceived: 3,
  TracesDropped: 0,
  MetricsDropped: 0,
  LogsDropped: 0,
  RecordsProduced: 9,
  TracesQueueSize: 0,
  MetricsQueueSize: 0,
  LogsQueueSize: 0,
  QueueCapacity: 10_000,
  MaxQueueUtilizationPercent: 0,
  TotalMessagesReceived: 9,
  TotalMessagesDropped: 0,
  TotalLagCount: 0,
  DropRate: 0,
};

const labels = '{connector="telemetry",plugin="OpenTelemetrySourceConnector"';

/** Lines of `/metrics` that operators have alerts on. */
const series = [
  ...threeSignals.map((signal) => `connect_source_messages_received_total${labels},signal="${signal}"} 3`),
  `connect_source_messages_dropped_total${labels},signal="logs",cause="queue_full"} 0`,
  `connect_source_records_produced_total${labels}} 9`,
  `connect_source_queue_capacity${labels}} 10000`,
  `connect_source_queue_utilization_ratio${labels}} 0`,
  `connect_source_lag_messages${labels}} 0`,
  `connect_source_drop_percent${labels}} 0`,
  `connect_source_unaccounted_messages${labels}} 0`,
  `connect_task_state{connector="telemetry",task="0",plugin="OpenTelemetrySourceConnector",state="RUNNING"} 1`,
];

async function created(folder: string, log: StoredLog, ports: OtlpPorts): Promise<ObservedWorker> {
  const worker = await startWorkerProcess(folder, { ...log.properties, 'offset.flush.interval.ms': '50' });
  await worker.ready();
  const config = otlpConfig(ports);
  expect(await worker.call('POST', '/connectors', { name: 'telemetry', config })).toMatchObject({
    status: 201,
    json: { name: 'telemetry', config: { ...config, name: 'telemetry' }, type: 'source' },
  });
  await worker.untilState('telemetry', 'RUNNING');
  return worker;
}

/** One export of each signal over each transport, one after the other. */
async function exportAll(ports: OtlpPorts): Promise<void> {
  const client = otlpClient(ports);
  for (const transport of transports) {
    for (const signal of threeSignals)
      expect(await client.send(transport, signal, `${signal} over ${transport}`)).toMatchObject({
        kind: 'success',
      });
  }
}

async function offsetsOf(worker: ObservedWorker, sequence: number): Promise<readonly unknown[]> {
  let last: unknown;
  return await waitFor(
    async () => {
      last = (await worker.call('GET', '/connectors/telemetry/offsets')).json;
      const { offsets } = last as { offsets: readonly { offset: { sequence: number } }[] };
      return offsets.length === 3 && offsets.every(({ offset }) => offset.sequence === sequence)
        ? offsets
        : undefined;
    },
    { timeoutMs: 20_000, what: () => JSON.stringify(last) },
  );
}

const partition = (signal: Signal) => ({
  connector_name: 'telemetry',
  signal_type: signal.toUpperCase(),
});

/** Resolves with a second worker, which continued where the first one ended. */
async function examine(folder: string, log: StoredLog): Promise<ObservedWorker> {
  const ports = await otlpPorts();
  const worker = await created(folder, log, ports);
  const listening = await worker.call('GET', '/connectors/telemetry/status?expand=connection');
  expect(listening.json).toMatchObject({
    connector: { state: 'RUNNING' },
    connection: [{ task: 0, state: 'listening', last_message_age_ms: null, last_error: null }],
  });
  await exportAll(ports);
  await worker.untilAttribute('telemetry', 'RecordsProduced', (n) => n === 9);
  for (const signal of threeSignals) {
    const records = await log.records(`otlp-${signal}`);
    // What was sent as JSON and what was sent as protobuf become the same line.
    expect(records.map(({ value }) => value)).toEqual(
      transports.map((transport) => numberedExport(signal, `${signal} over ${transport}`).json),
    );
    expect(records.map(({ key, headers }) => [key, headers])).toEqual(transports.map(() => [null, {}]));
  }
  const metrics = await worker.call('GET', '/connectors/telemetry/metrics');
  expect(Object.keys(metrics.json)).toEqual([OBJECT]);
  expect(metrics.json[OBJECT]).toMatchObject({ ...attributes, UnaccountedCount: 0 });
  expect((await worker.call('GET', '/metrics')).text.split('\n')).toEqual(expect.arrayContaining(series));

  const session_id = worker.logged('session_initialized')[0]?.['session_id'];
  const offsets = await offsetsOf(worker, 3);
  expect(offsets).toHaveLength(3);
  expect(offsets).toEqual(
    expect.arrayContaining(
      threeSignals.map((signal) => ({
        partition: partition(signal),
        offset: { session_id, signal_type: signal.toUpperCase(), sequence: 3 },
      })),
    ),
  );
  const topics = await worker.call('GET', '/connectors/telemetry/topics');
  expect(topics.json.telemetry.topics.toSorted()).toEqual(['otlp-logs', 'otlp-metrics', 'otlp-traces']);
  expect(
    ['task_starting', 'otlp_receiver_started'].map((event) => worker.logged(event).map(({ level }) => level)),
  ).toEqual([['info'], ['info']]);
  expect(worker.logged('receivers_open_to_network')).toMatchObject([
    { level: 'warn', bind_address: '0.0.0.0' },
  ]);
  expect(await worker.end('SIGTERM')).toBe(0);
  expect(worker.logged('task_stopping')).toMatchObject([{ level: 'info' }]);
  expect(worker.errors()).toBe('');

  const next = await startWorkerProcess(folder, { ...log.properties, 'offset.flush.interval.ms': '50' });
  await next.untilState('telemetry', 'RUNNING');
  await exportAll(ports);
  expect(await offsetsOf(next, 6)).toHaveLength(3);
  expect(next.logged('offset_restored').map(({ session_id: id, sequence }) => [id, sequence])).toEqual(
    threeSignals.map(() => [session_id, 3]),
  );
  return next;
}

describe('an OTLP connector on the embedded log, with only its ports configured', () => {
  it('writes the exports that were sent to three topics, and logs what it did', async () => {
    const folder = await newFolder();
    const worker = await examine(folder, embeddedLog(folder));
    expect(await worker.end('SIGTERM')).toBe(0);
  });
});

describeWithSharedBroker('an OTLP connector on a broker, with only its ports configured', {}, (broker) => {
  it('writes the exports that were sent to three topics, and logs what it did', async () => {
    const worker = await examine(await newFolder(), clusterLog(broker(), 'telemetry-worker'));
    expect(await worker.end('SIGTERM')).toBe(0);
  });
});

describe('validation of an OTLP connector', () => {
  it('reports all mistakes of an OTLP connector at once, in the words of the product definition', async () => {
    const worker = startWorkerHere(await newFolder());
    await worker.ready();
    const path = '/connector-plugins/OpenTelemetrySourceConnector/config/validate';
    const { status, json } = await worker.call('PUT', path, {
      name: 'telemetry',
      'connector.class': 'io.vendor.connect.otel.OpenTelemetrySourceConnector',
      'tasks.max': '2',
      'otlp.grpc.enabled': 'false',
      'otlp.http.enabled': 'false',
      'otlp.grpc.port': '1023',
      'otlp.http.port': '65536',
      'otlp.message.format': 'xml',
      'otlp.message.queue.size': '0',
      'otlp.tls.cert.path': '/nowhere/cert.pem',
      'otlp.ack.mode': 'spool',
    });
    expect(status).toBe(200);
    const errors = json.configs.flatMap(({ value }: { value: { name: string; errors: string[] } }) =>
      value.errors.map((error) => `${value.name}: ${error}`),
    );
    expect(errors.toSorted()).toEqual([
      expect.stringMatching(/^otlp.grpc.enabled: At least one protocol must be enabled$/),
      expect.stringMatching(/^otlp.grpc.port: Invalid value for otlp.grpc.port\b/),
      expect.stringMatching(/^otlp.http.port: Invalid value for otlp.http.port\b/),
      expect.stringMatching(/^otlp.message.format: Invalid value for otlp.message.format\b/),
      expect.stringMatching(/^otlp.message.queue.size: Invalid value for otlp.message.queue.size\b/),
      expect.stringMatching(/^otlp.spool.path: otlp.spool.path is required with otlp.ack.mode=spool$/),
      expect.stringMatching(/^otlp.tls.cert.path: /),
      expect.stringMatching(/^tasks.max: .*Value must be 1$/),
    ]);
    const created = await worker.call('POST', '/connectors', {
      name: 'telemetry',
      config: otlpConfig({ grpc: 80, http: 81 }),
    });
    expect(created).toMatchObject({ status: 400, json: { error_code: 400 } });
    expect(created.json.message).toContain('Invalid value for otlp.grpc.port');
    expect((await worker.call('GET', '/connectors')).json).toEqual([]);
  });
});
