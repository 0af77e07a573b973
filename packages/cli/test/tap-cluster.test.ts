import { waitFor } from '@levada/connect-runtime-core/testing';
import { describeWithSharedBroker } from '@levada/kafka-testkit/vitest';
import { postExport, spanNamed } from '@levada/test-peers/otlp';
import { expect, it } from 'vitest';
import { runCommand } from './run-command.ts';
import { startTestWorker } from './running-worker.ts';

const text = 'org.apache.kafka.connect.storage.StringConverter';

describeWithSharedBroker('levada tap of a worker on a Kafka cluster', {}, (broker) => {
  it('prints the last records, then new ones, until it is interrupted', async () => {
    const worker = await startTestWorker({
      'bootstrap.servers': broker().bootstrap,
      'group.id': 'tap',
      'config.storage.topic': 'tap-configs',
      'offset.storage.topic': 'tap-offsets',
      'status.storage.topic': 'tap-status',
      'config.storage.replication.factor': '1',
      'offset.storage.replication.factor': '1',
      'status.storage.replication.factor': '1',
      'key.converter': text,
      'value.converter': text,
    });
    await worker.put('/connectors/telemetry/config', {
      'connector.class': 'io.vendor.connect.otel.OpenTelemetrySourceConnector',
      'otlp.bind.address': '127.0.0.1',
      'otlp.any.port': 'grpc,http',
      'platform.topic.traces': 'tap-traces',
    });
    const tap = (...args: string[]) => runCommand(['tap', 'telemetry', '--url', worker.url, ...args]);
    const listening = async () => {
      const metrics = await (await fetch(`${worker.url}/connectors/telemetry/metrics`)).json();
      const port = Object.values(metrics as Record<string, { HttpPort: number }>)[0]?.HttpPort ?? 0;
      return port > 0 && port;
    };
    const port = await waitFor(listening, { timeoutMs: 30_000 });
    const send = (name: string) => postExport(port, 'traces', spanNamed(name));
    // Once: of several, one could be stored after the first was seen.
    await send('first');
    await waitFor(async () => (await tap('--no-follow')).out.includes('first'), { timeoutMs: 30_000 });
    const interrupt = new AbortController();
    const following = runCommand(['tap', 'telemetry', '--url', worker.url, '-n', '0', '--json'], {
      signal: interrupt.signal,
      onOut: () => interrupt.abort(),
    });
    while (!interrupt.signal.aborted) await send('second');
    const { code, out } = await following;
    expect([code, JSON.parse(out.split('\n')[0] ?? '')]).toMatchObject([
      0,
      { topic: 'tap-traces', key: null },
    ]);
    expect(out).toContain('second');
    expect(out).not.toContain('first');
    await worker.close();
  });
});
