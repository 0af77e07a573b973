import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { grpcClient, postExport, rawClient, requestText, spanName, spanNamed } from '@levada/test-peers/otlp';
import { realisticRequest } from '@levada/test-peers/otlp-requests';
import { describe, expect, it } from 'vitest';
import { otlpSourceConnector } from '../src/connector.ts';
import { otlpSchema } from '../src/model/otlp-schema.ts';
import { type RunningTask, startTask, testConfig, texts } from './running-task.ts';

const OF_ONE = { 'otlp.message.queue.size': '1' };
const oneLog = { resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: 'one' } }] }] }] };
const threeSpans = realisticRequest(otlpSchema(), 'traces', 3);

/** A task whose queue of traces is full. */
async function fullTask(config: Readonly<Record<string, string>> = {}) {
  const clock = createManualClock();
  const running = await startTask({ ...OF_ONE, ...config }, { clock });
  await postExport(running.httpPort, 'traces', spanNamed('first'));
  return { clock, running };
}

const underWay = ({ metrics }: RunningTask, exports: number): Promise<unknown> =>
  waitFor(() => metrics.read('PendingExports') === exports);

describe('an export that arrives at a full queue', () => {
  it('an export at a full queue waits until the log takes something, and is answered with success over HTTP and gRPC', async () => {
    const { running } = await fullTask();
    const { httpPort, grpcPort, metrics } = running;
    const overHttp = postExport(httpPort, 'traces', spanNamed('second'));
    await underWay(running, 1);
    const overGrpc = grpcClient(grpcPort).export('traces', threeSpans);
    await underWay(running, 2);
    expect(metrics.read('TracesReceived')).toBe(1);
    const records = [...(await running.take(1)), ...(await running.take(1))];
    expect((await overHttp).status).toBe(200);
    records.push(...(await running.take(1)));
    expect((await overGrpc).code).toBe(0);
    expect(texts(records).map(spanName).slice(0, 2)).toEqual(['first', 'second']);
    expect([metrics.read('TracesReceived'), metrics.read('TracesDropped')]).toEqual([3, 0]);
    expect(records.map(({ sourceOffset }) => sourceOffset?.['sequence'])).toEqual([1, 2, 3]);
    await running.stop();
  });

  it('an export at a full queue is refused when the log took nothing for the grace period, and later ones at once', async () => {
    const { clock, running } = await fullTask();
    const held = postExport(running.httpPort, 'traces', spanNamed('second'));
    await underWay(running, 1);
    await clock.advance(400);
    expect(running.metrics.snapshot()).toMatchObject({ IsHeldUp: true });
    expect(running.task.connection()).toMatchObject({ state: 'listening', heldUpMs: 400 });
    await clock.advance(600);
    expect(await held).toMatchObject({ status: 503, json: { message: 'queue full' } });
    expect(running.metrics.snapshot()).toMatchObject({ IsHeldUp: false, HeldUpMillis: 1000 });
    const graceOver = { signal: 'traces', grace_ms: 1000, queue_size: 1, queue_capacity: 1 };
    expect(running.logger.withEvent('queue_grace_over')).toMatchObject([
      { level: 'warn', fields: graceOver },
    ]);
    expect((await postExport(running.httpPort, 'traces', spanNamed('third'))).status).toBe(503);
    expect(running.metrics.read('TracesDropped')).toBe(2);
    expect(running.metrics.read('UnaccountedCount')).toBe(0);
    await running.take(1);
    expect((await postExport(running.httpPort, 'traces', spanNamed('fourth'))).status).toBe(200);
    await running.stop();
  });

  it('an export at a full queue is answered as configured after the grace period', async () => {
    const { clock, running } = await fullTask({
      'otlp.queue.full.answer': 'accept',
      'otlp.queue.full.grace.ms': '50',
    });
    const held = postExport(running.httpPort, 'traces', spanNamed('second'));
    await underWay(running, 1);
    await clock.advance(50);
    const partialSuccess = { rejectedSpans: '1', errorMessage: 'queue full' };
    expect(await held).toMatchObject({ status: 200, json: { partialSuccess } });
    await running.stop();
  });

  it('an export at a full queue has its body read only when there is room', async () => {
    const { running } = await fullTask({ 'otlp.max.request.size': '1000000' });
    const client = await rawClient(running.httpPort);
    const headers = { 'Content-Length': '900000', Expect: '100-continue' };
    client.send(requestText(headers));
    await underWay(running, 1);
    expect([client.rest(), running.metrics.read('PendingBytes')]).toEqual(['', 0]);
    await running.take(1);
    expect((await client.answer()).status).toBe(100);
    client.socket.destroy();
    await running.stop();
  });

  it('an export at a full queue has its body read before Node gives up waiting for it', async () => {
    const { clock, running } = await fullTask({
      'otlp.http.request.timeout.ms': '4000',
      'otlp.queue.full.grace.ms': '60000',
    });
    const client = await rawClient(running.httpPort);
    client.send(requestText({ 'Content-Length': '900000', Expect: '100-continue' }));
    await underWay(running, 1);
    await clock.advance(3499);
    expect(client.rest()).toBe('');
    await clock.advance(1);
    expect((await client.answer()).status).toBe(100);
    client.socket.destroy();
    await running.stop();
  });

  it('an export at a full queue is refused unread once the budget for refused bodies is spent', async () => {
    const { clock, running } = await fullTask();
    const held = postExport(running.httpPort, 'traces', spanNamed('second'));
    await underWay(running, 1);
    await clock.advance(1000);
    expect((await held).status).toBe(503);
    const broken = Buffer.alloc(5 * 1024 * 1024, 0xff);
    expect((await grpcClient(running.grpcPort).export('traces', broken)).code).toBe(3);
    const client = await rawClient(running.httpPort);
    client.send(requestText({ 'Content-Length': '900000', Expect: '100-continue' }));
    expect(await client.answer()).toMatchObject({ status: 503, headers: { connection: 'close' } });
    expect(running.metrics.read('TracesDropped')).toBe(2);
    await running.stop();
  });

  it('an export at a full queue is forgotten when its client leaves', async () => {
    const { running } = await fullTask();
    const client = await rawClient(running.httpPort);
    client.send(requestText({ 'Content-Length': '2' }, { body: '{}' }));
    await underWay(running, 1);
    client.socket.destroy();
    await underWay(running, 0);
    const records = await running.stop();
    expect(records).toHaveLength(1);
    expect(running.metrics.read('TotalMessagesDropped')).toBe(0);
  });

  it('an export at a full queue is answered before the deadline of its client', async () => {
    const { clock, running } = await fullTask({ 'otlp.queue.full.grace.ms': '60000' });
    const client = grpcClient(running.grpcPort);
    const held = client.export('traces', threeSpans, { deadline: Date.now() + 4000 });
    await underWay(running, 1);
    await clock.advance(4000);
    expect(await held).toMatchObject({ code: 14, details: 'queue full' });
    await running.stop();
  });

  it('an export at a full queue is reported for each signal whose log takes nothing', async () => {
    const { clock, running } = await fullTask();
    await postExport(running.httpPort, 'logs', oneLog);
    const held = [postExport(running.httpPort, 'traces', spanNamed('second'))];
    held.push(postExport(running.httpPort, 'logs', oneLog));
    await underWay(running, 2);
    await clock.advance(1000);
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([503, 503]);
    const signals = running.logger.withEvent('queue_grace_over').map(({ fields }) => fields['signal']);
    expect(new Set(signals)).toEqual(new Set(['logs', 'traces']));
    await running.stop();
  });

  it('an export at a full queue waits for otlp.ack.timeout.ms at most, while others are taken, and nothing of it is written', async () => {
    const more = { 'otlp.ack.timeout.ms': '2000', 'otlp.message.queue.bytes': '20500' };
    const clock = createManualClock();
    const running = await startTask({ ...more, 'otlp.max.request.size': '20500' }, { clock });
    const { httpPort, metrics } = running;
    await postExport(httpPort, 'traces', spanNamed('x'.repeat(3000)));
    const held = postExport(httpPort, 'traces', spanNamed('y'.repeat(20_000)));
    await underWay(running, 1);
    for (let half = 0; half < 3; half += 1) {
      await clock.advance(500);
      await running.task.reconfigure(otlpSourceConnector.config.parse(testConfig(more)));
    }
    expect(metrics.read('PendingExports')).toBe(1);
    await clock.advance(500);
    expect(await held).toMatchObject({ status: 503, json: { message: 'queue full' } });
    expect(texts(await running.stop())).toHaveLength(1);
  });

  it('an export at a full queue is answered when the receivers stop', async () => {
    const { running } = await fullTask();
    const held = postExport(running.httpPort, 'traces', spanNamed('second'));
    await underWay(running, 1);
    const left = await running.stop();
    expect((await held).status).toBe(503);
    expect(texts(left).map(spanName)).toEqual(['first']);
  });

  it('an export at a full queue stops waiting when an earlier admitted one turns out to be invalid', async () => {
    const { running } = await fullTask();
    const client = grpcClient(running.grpcPort);
    const broken = client.export('traces', Buffer.from('not OTLP'));
    await underWay(running, 1);
    const held = client.export('traces', threeSpans);
    await underWay(running, 2);
    await running.take(1);
    expect((await broken).code).toBe(3);
    expect((await held).code).toBe(0);
    await running.stop();
  });

  it('an export at a full queue is not overtaken by a smaller one that comes later', async () => {
    const large = realisticRequest(otlpSchema(), 'traces', 100);
    const bytes = `${large.length + 1000}`;
    const running = await startTask(
      { 'otlp.message.queue.bytes': bytes, 'otlp.max.request.size': bytes },
      { clock: createManualClock() },
    );
    const client = grpcClient(running.grpcPort);
    await client.export('traces', threeSpans);
    const answered: string[] = [];
    const first = client.export('traces', large).then(() => answered.push('large'));
    await underWay(running, 1);
    const second = client.export('traces', threeSpans).then(() => answered.push('small'));
    await waitFor(() => running.metrics.read('PendingExports') === 2 || answered.length > 0);
    expect(answered).toEqual([]);
    await running.take(1);
    await first;
    await running.take(1);
    await second;
    expect(answered).toEqual(['large', 'small']);
    await running.stop();
  });

  it('an export at a full queue passes an earlier admitted one that sends its body slowly', async () => {
    const { clock, running } = await fullTask();
    const slow = await rawClient(running.httpPort);
    const json = { 'Content-Type': 'application/json', 'Content-Length': '2' };
    slow.send(requestText({ ...json, Expect: '100-continue' }));
    await underWay(running, 1);
    const held = grpcClient(running.grpcPort).export('traces', threeSpans);
    await underWay(running, 2);
    await running.take(1);
    expect((await slow.answer()).status).toBe(100);
    await clock.advance(100);
    expect((await held).code).toBe(0);
    slow.send('{}');
    await running.take(1);
    expect((await slow.answer()).status).toBe(200);
    expect(running.metrics.read('TotalMessagesDropped')).toBe(0);
    await running.stop();
  });

  it('an export at a full queue observes its limit when its size is known only after reading', async () => {
    const clock = createManualClock();
    const bytes = '20500';
    const running = await startTask(
      {
        'otlp.message.queue.bytes': bytes,
        'otlp.max.request.size': bytes,
        'otlp.queue.full.grace.ms': '60000',
      },
      { clock },
    );
    await postExport(running.httpPort, 'traces', spanNamed('x'.repeat(3000)));
    const held = postExport(running.httpPort, 'traces', spanNamed('x'.repeat(20_000)));
    await underWay(running, 1);
    await waitFor(() => clock.pending > 0);
    await clock.advance(8000);
    expect(await held).toMatchObject({ status: 503, json: { message: 'queue full' } });
    await running.stop();
  });

  it('an export at a full queue waits for the log as well with otlp.ack.mode=produced', async () => {
    const { running } = await fullTaskWaiting();
    const held = grpcClient(running.grpcPort).export('traces', threeSpans);
    await underWay(running, 2);
    const first = await running.poll();
    running.task.committed(first, new Map());
    const second = await running.poll();
    running.task.committed(second, new Map());
    expect((await held).code).toBe(0);
    await running.stop();
  });
});

/** A task with `otlp.ack.mode=produced` whose queue is full. */
async function fullTaskWaiting() {
  const running = await startTask({ ...OF_ONE, 'otlp.ack.mode': 'produced' });
  void grpcClient(running.grpcPort).export('traces', threeSpans);
  await waitFor(() => running.metrics.read('TracesQueueSize') === 1);
  return { running };
}
