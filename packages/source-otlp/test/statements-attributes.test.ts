// Attributes of a whole task, which the worker shows under the object name and in service use `source.status()`.
import { dropAttribute } from '@levada/connect-runtime-core/source-kit';
import { createManualClock } from '@levada/connect-runtime-core/testing';
import { grpcClient, logSaying, postExport, spanNamed, sumNamed } from '@levada/test-peers/otlp';
import { realisticRequest } from '@levada/test-peers/otlp-requests';
import { describe, expect, it } from 'vitest';
import { otlpMetrics, otlpObjectName } from '../src/model/metrics.ts';
import { otlpSchema } from '../src/model/otlp-schema.ts';
import { startTask } from './running-task.ts';

/** In the order of the product definition. */
const defined = [
  'TracesReceived',
  'MetricsReceived',
  'LogsReceived',
  'TracesDropped',
  'MetricsDropped',
  'LogsDropped',
  'RecordsProduced',
  'TracesQueueSize',
  'MetricsQueueSize',
  'LogsQueueSize',
  'QueueCapacity',
  'MaxQueueUtilizationPercent',
  'TotalMessagesReceived',
  'TotalMessagesDropped',
  'TotalLagCount',
  'DropRate',
] as const;

describe('the attributes of a connector', () => {
  it('a task lists the attributes of the product definition first, in an object named after the connector', () => {
    expect(otlpObjectName('shop')).toEqual({
      domain: 'io.vendor.connect.otel',
      type: 'OpenTelemetryConnector',
      keys: { name: 'shop' },
    });
    expect(Object.keys(otlpMetrics).slice(0, defined.length)).toEqual(defined);
  });

  it('a task starts with all attributes at zero, including ratios', async () => {
    const { metrics, stop } = await startTask();
    const zero = defined.filter((name) => name !== 'QueueCapacity').map((name) => metrics.read(name));
    expect(zero).toEqual(zero.map(() => 0));
    expect([metrics.read('QueueCapacity'), metrics.read('MillisSinceLastMessage')]).toEqual([10_000, -1]);
    await stop();
  });

  it('a task counts each signal, dropped messages included, and shows queues until they are empty', async () => {
    const running = await startTask({ 'otlp.message.queue.size': '4', 'otlp.queue.full.grace.ms': '0' });
    const { metrics, httpPort } = running;
    for (let i = 0; i < 3; i += 1) await postExport(httpPort, 'traces', spanNamed('a'));
    await postExport(httpPort, 'metrics', sumNamed('m'));
    for (let i = 0; i < 6; i += 1) await postExport(httpPort, 'logs', logSaying('l'));
    const read = (names: readonly (keyof typeof otlpMetrics)[]): readonly number[] =>
      names.map((name) => metrics.read(name));
    expect(read(defined)).toEqual([3, 1, 6, 0, 0, 2, 0, 3, 1, 4, 4, 100, 10, 2, 10, 20]);
    expect(read(['QueueSize', 'BacklogCount', 'UnaccountedCount'])).toEqual([8, 8, 0]);
    expect(metrics.read('QueueBytes')).toBeGreaterThan(100);
    await running.take(8);
    expect(read(['TracesQueueSize', 'MetricsQueueSize', 'LogsQueueSize', 'QueueBytes'])).toEqual([
      0, 0, 0, 0,
    ]);
    expect(read(['MaxQueueUtilizationPercent', 'TotalMessagesReceived'])).toEqual([0, 10]);
    // What delivers records counts these.
    metrics.counter('RecordsProduced').value += 8;
    expect(read(['TotalLagCount', 'DropRate', 'UnaccountedCount'])).toEqual([2, 20, 0]);
    expect(read(['BacklogCount'])).toEqual([0]);
    await running.stop();
  });

  it('a task counts items as well as messages', async () => {
    const running = await startTask();
    const client = grpcClient(running.grpcPort);
    const schema = otlpSchema();
    await client.export('traces', realisticRequest(schema, 'traces', 5));
    await client.export('logs', realisticRequest(schema, 'logs', 7));
    await postExport(running.httpPort, 'metrics', sumNamed('m'));
    const { metrics } = running;
    const items = ['SpansReceived', 'LogRecordsReceived', 'DataPointsReceived'] as const;
    expect(items.map((name) => metrics.read(name))).toEqual([5, 7, 1]);
    await running.stop();
  });

  it('a task counts items that are permanently rejected', async () => {
    const running = await startTask({ 'otlp.record.max.bytes': '1024' });
    await postExport(running.httpPort, 'logs', logSaying('l'.repeat(2000)));
    await postExport(running.httpPort, 'metrics', sumNamed('m'.repeat(2000)));
    const { metrics } = running;
    const names = ['LogRecordsRejected', 'DataPointsRejected', dropAttribute('record_too_large')] as const;
    expect(names.map((name) => metrics.read(name as 'LogRecordsRejected'))).toEqual([1, 1, 2]);
    expect(metrics.read('UnaccountedCount')).toBe(0);
    await running.stop();
  });

  it('a task counts refused requests by their cause, and not as received', async () => {
    const running = await startTask({ 'otlp.auth.tokens': 'one', 'otlp.rate.limit': '4' });
    const token = { authorization: 'Bearer one' };
    const post = async (headers: Readonly<Record<string, string>>, body: unknown = {}): Promise<number> =>
      (await postExport(running.httpPort, 'traces', body, headers)).status;
    expect(await post({})).toBe(401);
    expect(await post({ ...token, origin: 'https://shop.example' })).toBe(403);
    expect(await post({ ...token, 'content-type': 'text/plain' })).toBe(415);
    expect(await post(token, [])).toBe(400);
    let status = 200;
    for (let i = 0; i < 12; i += 1) status = await post(token);
    expect(status).toBe(429);
    const { metrics } = running;
    const causes = ['Unauthenticated', 'Forbidden', 'Unsupported', 'Invalid'] as const;
    expect(causes.map((cause) => metrics.read(`Rejected${cause}`))).toEqual([1, 1, 1, 1]);
    expect(metrics.read('RejectedRateLimited')).toBeGreaterThan(0);
    expect(metrics.read('TotalMessagesReceived')).toBe(0);
    await running.stop();
  });

  it('a task shows open ports, connections, and the time since the last export', async () => {
    const clock = createManualClock();
    const running = await startTask({}, { clock });
    const { metrics } = running;
    expect(metrics.read('GrpcPort')).not.toBe(metrics.read('HttpPort'));
    await grpcClient(running.grpcPort).export('traces', realisticRequest(otlpSchema(), 'traces', 1));
    await postExport(running.httpPort, 'logs', logSaying('l'));
    await clock.advance(1500);
    const names = ['GrpcConnections', 'HttpConnections', 'MillisSinceLastMessage'] as const;
    expect(names.map((name) => metrics.read(name))).toEqual([1, 1, 1500]);
    await running.stop();
    expect([metrics.read('GrpcPort'), metrics.read('HttpPort')]).toEqual([0, 0]);
  });
});
