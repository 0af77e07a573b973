import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import {
  grpcClient,
  logSaying,
  postExport,
  rawClient,
  requestText,
  spanName,
  spanNamed,
  sumNamed,
} from '@levada/test-peers/otlp';
import { realisticRequest } from '@levada/test-peers/otlp-requests';
import { describe, expect, it } from 'vitest';
import { otlpConfig } from '../src/config/config.ts';
import { otlpSchema } from '../src/model/otlp-schema.ts';
import { startTask, testConfig, texts } from './running-task.ts';

/** Exports that find no room are answered at once. */
const AT_ONCE = { 'otlp.queue.full.grace.ms': '0' };
const OF_TWO = { ...AT_ONCE, 'otlp.message.queue.size': '2' };
const threeSpans = realisticRequest(otlpSchema(), 'traces', 3);

describe('the queues of an OTLP task', () => {
  it('a task answers a full queue with 503 and Retry-After, drops, counts and logs', async () => {
    const running = await startTask(OF_TWO);
    for (const name of ['a', 'b']) await postExport(running.httpPort, 'traces', spanNamed(name));
    const { status, headers, json } = await postExport(running.httpPort, 'traces', spanNamed('c'));
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(json).toEqual({ code: 14, message: 'queue full' });
    const { metrics, logger, events } = running;
    expect(metrics.read('TracesReceived')).toBe(3);
    expect(metrics.read('TracesDropped')).toBe(1);
    expect(metrics.read('TracesQueueSize')).toBe(2);
    expect(metrics.read('MaxQueueUtilizationPercent')).toBe(100);
    expect(metrics.read('UnaccountedCount')).toBe(0);
    const [line] = logger.withEvent('trace_dropped');
    expect([line?.level, line?.message]).toEqual(['warn', 'Queue full, dropping message']);
    expect(events).toContainEqual({ type: 'dropped', cause: 'queue_full', count: 1, refused: true });
    expect(texts(await running.stop()).map(spanName)).toEqual(['a', 'b']);
    expect(metrics.read('TracesQueueSize')).toBe(0);
  });

  it('a task answers a full queue with UNAVAILABLE and RetryInfo over gRPC', async () => {
    const running = await startTask(OF_TWO);
    const client = grpcClient(running.grpcPort);
    for (let i = 0; i < 2; i += 1) await client.export('traces', threeSpans);
    const { code, details, trailers } = await client.export('traces', threeSpans);
    expect([code, details]).toEqual([14, 'queue full']);
    expect(String(trailers.get('grpc-status-details-bin')[0])).toContain('google.rpc.RetryInfo');
    await running.stop();
  });

  it('a task answers success with the number of rejected items with otlp.queue.full.answer=accept', async () => {
    const running = await startTask({ ...OF_TWO, 'otlp.queue.full.answer': 'accept' });
    for (const name of ['a', 'b']) await postExport(running.httpPort, 'traces', spanNamed(name));
    const { status, json } = await postExport(running.httpPort, 'traces', spanNamed('c'));
    expect(status).toBe(200);
    expect(json).toEqual({ partialSuccess: { rejectedSpans: '1', errorMessage: 'queue full' } });
    const { code, answer } = await grpcClient(running.grpcPort).export('traces', threeSpans);
    expect([code, answer?.toString('hex')]).toEqual([
      0,
      `0a0e08031 20a${Buffer.from('queue full').toString('hex')}`.replace(' ', ''),
    ]);
    expect(running.metrics.read('TracesDropped')).toBe(2);
    expect(running.metrics.read('SpansRejected')).toBe(4);
    await running.stop();
  });

  it('a task keeps the queues of signals separate', async () => {
    const running = await startTask(OF_TWO);
    for (const name of ['a', 'b', 'c']) await postExport(running.httpPort, 'traces', spanNamed(name));
    expect((await postExport(running.httpPort, 'logs', logSaying('l'))).status).toBe(200);
    expect((await postExport(running.httpPort, 'metrics', sumNamed('m'))).status).toBe(200);
    const records = await running.take(4);
    const byTopic = Map.groupBy(records, ({ topic }) => topic);
    expect(Object.fromEntries([...byTopic].map(([topic, list]) => [topic, list.length]))).toEqual({
      'otlp-logs': 1,
      'otlp-metrics': 1,
      'otlp-traces': 2,
    });
    await running.stop();
  });

  it('a task leaves a hole in the sequence where a message was dropped, and numbers each signal by itself', async () => {
    const running = await startTask(OF_TWO);
    for (const name of ['a', 'b', 'dropped']) await postExport(running.httpPort, 'traces', spanNamed(name));
    await postExport(running.httpPort, 'logs', logSaying('l'));
    await running.take(3);
    await postExport(running.httpPort, 'traces', spanNamed('d'));
    const [record] = await running.take(1);
    expect(record?.sourceOffset).toMatchObject({ signal_type: 'TRACES', sequence: 4 });
    await running.stop();
  });

  it('a task continues the sequence of an earlier run', async () => {
    const running = await startTask(
      {},
      {
        offsets: {
          offset: async (partition) =>
            partition['signal_type'] === 'TRACES'
              ? { session_id: 'earlier', signal_type: 'TRACES', sequence: 42 }
              : undefined,
        },
      },
    );
    await postExport(running.httpPort, 'traces', spanNamed('a'));
    await postExport(running.httpPort, 'logs', logSaying('l'));
    const records = await running.take(2);
    const sequences = records.map(({ sourceOffset }) => [
      sourceOffset?.['signal_type'],
      sourceOffset?.['sequence'],
    ]);
    expect(Object.fromEntries(sequences)).toEqual({ TRACES: 43, LOGS: 1 });
    expect(records[0]?.sourceOffset?.['session_id']).not.toBe('earlier');
    await running.stop();
  });

  it('a task limits the bytes of a queue, too', async () => {
    const running = await startTask({
      ...AT_ONCE,
      'otlp.message.queue.bytes': '20000',
      'otlp.max.request.size': '20000',
    });
    const name = 'n'.repeat(9000);
    const statuses: number[] = [];
    for (let i = 0; i < 3; i += 1)
      statuses.push((await postExport(running.httpPort, 'traces', spanNamed(name))).status);
    expect(statuses).toEqual([200, 200, 503]);
    await running.stop();
  });

  it('a task queues requests instead of their JSON when the JSON has no room, and returns all in order', async () => {
    const running = await startTask({
      ...AT_ONCE,
      'otlp.message.queue.bytes': '60000',
      'otlp.max.request.size': '20000',
    });
    const client = grpcClient(running.grpcPort);
    const request = realisticRequest(otlpSchema(), 'traces', 20);
    let taken = 0;
    while ((await client.export('traces', request)).code === 0) taken += 1;
    const records = await running.take(taken);
    const values = texts(records);
    expect(new Set(values).size).toBe(1);
    expect(taken * Buffer.byteLength(values[0] ?? '')).toBeGreaterThan(60_000);
    expect(records.map(({ sourceOffset }) => sourceOffset?.['sequence'])).toEqual(
      Array.from({ length: taken }, (_, index) => index + 1),
    );
    expect(running.metrics.read('QueueBytes')).toBe(0);
    await running.stop();
  });

  it.each([
    ['messages', OF_TWO, 'a'],
    [
      'bytes',
      { ...AT_ONCE, 'otlp.message.queue.bytes': '20000', 'otlp.max.request.size': '20000' },
      'n'.repeat(9000),
    ],
  ])(
    'a task answers malformed and empty exports as usual when the queue is full of %s',
    async (_, config, name) => {
      const running = await startTask(config);
      const { httpPort, metrics } = running;
      for (let i = 0; i < 2; i += 1) await postExport(httpPort, 'traces', spanNamed(name));
      const client = grpcClient(running.grpcPort);
      const bodies = [[], {}, { resourceSpans: [{ resource: {} }] }, spanNamed(name)];
      const statuses: number[] = [];
      for (const body of bodies) statuses.push((await postExport(httpPort, 'traces', body)).status);
      expect(statuses).toEqual([400, 200, 200, 503]);
      const codes: number[] = [];
      for (const body of [
        Buffer.alloc(15_000, 0xff),
        Buffer.alloc(0),
        realisticRequest(otlpSchema(), 'traces', 50),
      ])
        codes.push((await client.export('traces', body)).code);
      expect(codes).toEqual([3, 0, 14]);
      const counted = [
        'TracesReceived',
        'TracesDropped',
        'SpansReceived',
        'RejectedInvalid',
        'EmptyIgnored',
      ] as const;
      expect(counted.map((attribute) => metrics.read(attribute))).toEqual([4, 2, 53, 2, 3]);
      await running.stop();
    },
  );

  it('a task refuses a metric without points when it is full, as one that has something to record', async () => {
    const running = await startTask(OF_TWO);
    const bare = { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'a' }] }] }] };
    const statuses: number[] = [];
    for (let i = 0; i < 3; i += 1)
      statuses.push((await postExport(running.httpPort, 'metrics', bare)).status);
    expect(statuses).toEqual([200, 200, 503]);
    await running.stop();
  });

  it('a task reads at most 4 MiB of refused bodies a second', async () => {
    const clock = createManualClock();
    const running = await startTask({ ...AT_ONCE, 'otlp.message.queue.size': '1' }, { clock });
    const client = grpcClient(running.grpcPort);
    await client.export('traces', threeSpans);
    const send = async (body: Uint8Array): Promise<number> => (await client.export('traces', body)).code;
    const broken = Buffer.alloc(3 * 1024 * 1024, 0xff);
    expect([await send(broken), await send(broken)]).toEqual([3, 3]);
    const small = broken.subarray(0, 10);
    expect([await send(small), await send(Buffer.alloc(0)), await send(threeSpans)]).toEqual([14, 14, 14]);
    expect(running.metrics.read('TracesDropped')).toBe(3);
    expect(running.metrics.read('SpansReceived')).toBe(3);
    await clock.advance(500);
    expect(await send(small)).toBe(14);
    await clock.advance(500);
    expect([await send(small), await send(threeSpans)]).toEqual([3, 14]);
    expect(running.metrics.read('SpansReceived')).toBe(6);
    await running.stop();
  });

  it('a task applies a new topic, format and queue size to later exports without closing a connection', async () => {
    const running = await startTask(OF_TWO);
    await postExport(running.httpPort, 'traces', spanNamed('before'));
    await running.task.reconfigure(
      otlpConfig.parse(
        testConfig({
          'platform.topic.traces': 'other',
          'otlp.message.format': 'protobuf',
          'otlp.message.queue.size': '3',
        }),
      ),
    );
    const statuses: number[] = [];
    for (const name of ['b', 'c', 'd'])
      statuses.push((await postExport(running.httpPort, 'traces', spanNamed(name))).status);
    expect(statuses).toEqual([200, 200, 503]);
    const records = await running.stop();
    expect(records.map(({ topic }) => topic)).toEqual(['otlp-traces', 'other', 'other']);
    const [json, base64] = texts(records);
    expect(spanName(json ?? '')).toBe('before');
    expect(Buffer.from(base64 ?? '', 'base64').includes('eee19b7ec3c1b174', 0, 'hex')).toBe(true);
    expect(running.logger.withEvent('otlp_receiver_started')).toHaveLength(1);
  });

  it('a task permanently refuses an export that no queue of its size can take, and counts it only as rejected', async () => {
    const running = await startTask({ ...OF_TWO, 'otlp.record.mode': 'item' });
    const { code, details } = await grpcClient(running.grpcPort).export('traces', threeSpans);
    expect([code, details]).toEqual([8, expect.stringContaining('otlp.message.queue.size')]);
    const { metrics } = running;
    expect([metrics.read('RejectedTooLarge'), metrics.read('TracesReceived')]).toEqual([1, 0]);
    expect(metrics.read('SpansReceived')).toBe(0);
    await running.stop();
  });

  it('a task accepts exports while other clients announce much and send little', async () => {
    const running = await startTask({
      'otlp.max.inflight.bytes': '4000',
      'otlp.max.request.size': '2000',
    });
    const headers = { 'Content-Length': '2000' };
    const slow = [await rawClient(running.httpPort), await rawClient(running.httpPort)];
    for (const client of slow) client.send(requestText(headers, { body: '{' }));
    await waitFor(() => running.metrics.read('PendingBytes') === 2);
    expect((await postExport(running.httpPort, 'traces', spanNamed('a'))).status).toBe(200);
    for (const { socket } of slow) socket.destroy();
    await running.stop();
  });

  it('a task makes no record of an export without items', async () => {
    const running = await startTask();
    for (const body of [{}, { resourceSpans: [] }, { resourceSpans: [{ resource: {} }] }]) {
      const { status, json } = await postExport(running.httpPort, 'traces', body);
      expect([status, json]).toEqual([200, {}]);
    }
    expect((await grpcClient(running.grpcPort).export('traces', new Uint8Array())).code).toBe(0);
    expect(await running.stop()).toEqual([]);
    expect(running.metrics.read('TracesReceived')).toBe(0);
  });

  it('a task refuses a body that is not an export, and counts it separately', async () => {
    const running = await startTask();
    const { status, json } = await postExport(running.httpPort, 'traces', {
      resourceSpans: [{ scopeSpans: [{ spans: [{ traceId: 'abc', name: 'x' }] }] }],
    });
    expect(status).toBe(400);
    expect(json).toMatchObject({ code: 3 });
    const { code } = await grpcClient(running.grpcPort).export('traces', Uint8Array.of(10, 200, 1));
    expect(code).toBe(3);
    expect(running.metrics.read('RejectedInvalid')).toBe(2);
    expect(running.metrics.read('TotalMessagesReceived')).toBe(0);
    await running.stop();
  });

  it('a task answers requests on open connections while it stops, and then closes them', async () => {
    const running = await startTask();
    await postExport(running.httpPort, 'traces', spanNamed('a'));
    await running.task.stop();
    await waitFor(() => running.metrics.read('HttpConnections') === 0);
    expect(await running.stop()).toHaveLength(1);
    await expect(postExport(running.httpPort, 'traces', spanNamed('b'))).rejects.toThrow('fetch failed');
  });
});
