import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RawConfig } from '@levada/connect-runtime-core';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { prefixed } from '@levada/test-peers/http2';
import {
  exportRequest,
  grpcClient,
  http2Session,
  logSaying,
  type PostAnswer,
  postExport,
  spanName,
  spanNamed,
} from '@levada/test-peers/otlp';
import { realisticRequest } from '@levada/test-peers/otlp-requests';
import { describe, expect, it, onTestFinished } from 'vitest';
import { otlpSourceConnector } from '../src/connector.ts';
import { otlpSchema } from '../src/model/otlp-schema.ts';
import { startTask, testConfig, texts } from './running-task.ts';

const none = new Map();
const PRODUCED = { 'otlp.ack.mode': 'produced' };
const twoSpans = realisticRequest(otlpSchema(), 'traces', 2);

/** A request on its way, and what came back. */
function sending(answer: Promise<PostAnswer>): { readonly status: () => number | undefined } {
  let status: number | undefined;
  void answer.then(
    (result) => {
      status = result.status;
    },
    () => {
      status = 0;
    },
  );
  return { status: () => status };
}

function spoolConfig(): RawConfig {
  const folder = mkdtempSync(join(tmpdir(), 'levada-otlp-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { 'otlp.ack.mode': 'spool', 'otlp.spool.path': folder };
}

describe('otlp.ack.mode=produced', () => {
  it('the receiver answers when the log has acknowledged, and not before', async () => {
    const running = await startTask(PRODUCED);
    const sent = sending(postExport(running.httpPort, 'traces', spanNamed('a')));
    const batch = await running.poll();
    expect([batch.length, sent.status(), running.metrics.read('PendingExports')]).toEqual([1, undefined, 1]);
    running.task.committed(batch, none);
    await waitFor(() => sent.status() === 200);
    await waitFor(() => running.metrics.read('PendingExports') === 0);
    await running.stop();
  });

  it('the receiver reports items that the log rejects as a partial success, so that clients do not send them again', async () => {
    const running = await startTask(PRODUCED);
    const called = grpcClient(running.grpcPort).export('traces', twoSpans);
    const batch = await running.poll();
    running.task.committed(batch, new Map([[0, 'record_too_large']]));
    const { code, answer } = await called;
    expect([code, answer?.subarray(0, 4).toString('hex').endsWith('0802')]).toEqual([0, true]);
    await running.stop();
  });

  it('the receiver asks a client to retry when it is unknown whether its export was stored', async () => {
    const running = await startTask(PRODUCED);
    const answer = postExport(running.httpPort, 'traces', spanNamed('a'));
    const batch = await running.poll();
    running.task.committed(batch, new Map([[0, 'delivery_unknown']]));
    const { status, headers } = await answer;
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    await running.stop();
  });

  it('the receiver answers before the deadline of the client, then refuses at once until the log answers again', async () => {
    const clock = createManualClock();
    const running = await startTask(PRODUCED, { clock });
    const answer = sending(postExport(running.httpPort, 'traces', spanNamed('a')));
    await waitFor(() => running.metrics.read('TracesReceived') === 1);
    await clock.advance(8000);
    await waitFor(() => answer.status() === 503);
    expect(running.logger.withEvent('acknowledgement_late')).toHaveLength(1);
    const next = await postExport(running.httpPort, 'traces', spanNamed('b'));
    expect([next.status, next.json]).toEqual([503, { code: 14, message: 'the log does not acknowledge' }]);
    expect((await postExport(running.httpPort, 'traces', {})).status).toBe(200);
    expect((await postExport(running.httpPort, 'traces', [])).status).toBe(400);
    const batch = await running.poll();
    running.task.committed(batch, none);
    expect(running.metrics.read('AckedLate')).toBe(1);
    const last = sending(postExport(running.httpPort, 'traces', spanNamed('c')));
    const more = await running.poll();
    running.task.committed(more, none);
    await waitFor(() => last.status() === 200);
    await running.stop();
  });

  it('the receiver accepts exports again when the log gave up all that it did not acknowledge', async () => {
    const clock = createManualClock();
    const running = await startTask(PRODUCED, { clock });
    const late = postExport(running.httpPort, 'traces', spanNamed('a'));
    const batch = await running.poll();
    await clock.advance(8000);
    expect((await late).status).toBe(503);
    running.task.committed(batch, new Map([[0, 'delivery_unknown']]));
    const next = sending(postExport(running.httpPort, 'traces', spanNamed('b')));
    running.task.committed(await running.poll(), none);
    await waitFor(() => next.status() === 200);
    await running.stop();
  });

  it('the receiver refuses no other signal while the log does not acknowledge one', async () => {
    const clock = createManualClock();
    const running = await startTask(PRODUCED, { clock });
    const late = postExport(running.httpPort, 'traces', spanNamed('a'));
    await running.poll();
    await clock.advance(8000);
    expect((await late).status).toBe(503);
    const logs = sending(postExport(running.httpPort, 'logs', logSaying('l')));
    running.task.committed(await running.poll(), none);
    await waitFor(() => logs.status() === 200);
    expect((await postExport(running.httpPort, 'traces', spanNamed('b'))).status).toBe(503);
    await running.stop();
  });

  it('the receiver answers sooner when a gRPC client gives up sooner', async () => {
    const clock = createManualClock();
    const running = await startTask(PRODUCED, { clock });
    const called = grpcClient(running.grpcPort).export('traces', twoSpans, { deadline: Date.now() + 15_000 });
    await waitFor(() => running.metrics.read('TracesReceived') === 1);
    await clock.advance(8000);
    expect((await called).code).toBe(14);
    await running.stop();
  });

  it('the receiver counts the time that a gRPC client took to send its request', async () => {
    const clock = createManualClock();
    const running = await startTask(PRODUCED, { clock });
    const stream = http2Session(running.grpcPort).request(exportRequest({ 'grpc-timeout': '10S' }));
    let status: unknown;
    // Without a message the status is in the only headers.
    stream.on('response', (headers) => {
      status = headers['grpc-status'];
    });
    const message = prefixed(twoSpans);
    stream.write(message.subarray(0, 100));
    await waitFor(() => running.metrics.read('PendingExports') === 1);
    await clock.advance(4000);
    stream.end(message.subarray(100));
    await waitFor(() => running.metrics.read('TracesReceived') === 1);
    await clock.advance(5500);
    await waitFor(() => status !== undefined);
    expect(status).toBe('14');
    await running.stop();
  });

  it('the receiver counts items as rejected only when their client is not asked to send them again', async () => {
    const running = await startTask({ ...PRODUCED, 'otlp.record.max.bytes': '2000' });
    const spans = [spanNamed('small'), spanNamed('n'.repeat(3000))];
    const both = { resourceSpans: spans.flatMap(({ resourceSpans }) => resourceSpans) };
    for (const [cause, rejected] of [
      ['delivery_unknown', 0],
      ['produce_rejected', 2],
    ] as const) {
      const answer = postExport(running.httpPort, 'traces', both);
      running.task.committed(await running.poll(), new Map([[0, cause]]));
      expect((await answer).status).toBe(rejected === 0 ? 503 : 200);
      expect(running.metrics.read('SpansRejected')).toBe(rejected);
    }
    await running.stop();
  });

  it('the receiver answers every waiting client when it stops before records are settled', async () => {
    const clock = createManualClock();
    const running = await startTask(PRODUCED, { clock });
    const answer = sending(postExport(running.httpPort, 'traces', spanNamed('a')));
    await waitFor(() => running.metrics.read('PendingExports') === 1);
    const stopped = running.task.stop();
    running.abort();
    await stopped;
    await waitFor(() => running.metrics.read('PendingExports') === 0);
    // Cut off or asked to retry, but not answered with success.
    await waitFor(() => answer.status() !== undefined);
    expect(answer.status()).not.toBe(200);
  });
});

describe('otlp.ack.mode=spool', () => {
  it('the receiver answers when the export is on the disk, and hands it out', async () => {
    const running = await startTask(spoolConfig());
    for (const name of ['a', 'b', 'c'])
      expect((await postExport(running.httpPort, 'traces', spanNamed(name))).status).toBe(200);
    const records = await running.take(3);
    expect(texts(records).map(spanName)).toEqual(['a', 'b', 'c']);
    await running.stop();
  });

  it('the receiver hands out after a crash what was answered and not produced, in order, with its numbers', async () => {
    const config = spoolConfig();
    const first = await startTask(config);
    for (const name of ['a', 'b']) await postExport(first.httpPort, 'traces', spanNamed(name));
    const batch = await first.poll();
    first.task.committed(batch, none);
    for (const name of ['c', 'd']) await postExport(first.httpPort, 'traces', spanNamed(name));
    await first.poll();
    first.abort();
    await first.task.stop();

    const second = await startTask(config);
    const { metrics } = second;
    expect([metrics.read('MessagesReplayed'), metrics.read('BacklogCount')]).toEqual([2, 2]);
    await postExport(second.httpPort, 'traces', spanNamed('e'));
    const records = await second.take(3);
    // What delivers records counts these: more than were received, because two were replayed.
    metrics.counter('RecordsProduced').value += 3;
    expect([metrics.read('TotalLagCount'), metrics.read('BacklogCount')]).toEqual([-2, 0]);
    expect(texts(records).map(spanName)).toEqual(['c', 'd', 'e']);
    expect(records.map(({ sourceOffset }) => sourceOffset?.['sequence'])).toEqual([3, 4, 5]);
    await second.stop();
  });

  it('the receiver keeps what is not produced when it stops, and produces it in another mode', async () => {
    const config = spoolConfig();
    const first = await startTask(config);
    await postExport(first.httpPort, 'traces', spanNamed('a'));
    await first.stop();
    const second = await startTask({ ...config, 'otlp.ack.mode': 'queued' });
    expect(texts(await second.take(1)).map(spanName)).toEqual(['a']);
    await second.stop();
  });

  it('the receiver produces with topic and format of the time of receipt', async () => {
    const config = spoolConfig();
    const first = await startTask({
      ...config,
      'platform.topic.traces': 'old',
      'otlp.message.format': 'protobuf',
    });
    await postExport(first.httpPort, 'traces', spanNamed('a'));
    await first.stop();
    const second = await startTask(config);
    const [record] = await second.take(1);
    expect([record?.topic, texts([record as never])[0]?.startsWith('{')]).toEqual(['old', false]);
    await second.stop();
  });

  it('the receiver answers a full spool as a full queue', async () => {
    const running = await startTask({
      ...spoolConfig(),
      'otlp.spool.bytes': '1048576',
      'otlp.max.request.size': '1048576',
    });
    const name = 'n'.repeat(300_000);
    const statuses: number[] = [];
    for (let i = 0; i < 5; i += 1)
      statuses.push((await postExport(running.httpPort, 'traces', spanNamed(name))).status);
    expect(statuses.at(0)).toBe(200);
    expect(statuses.at(-1)).toBe(503);
    expect(running.metrics.read('TracesDropped')).toBeGreaterThan(0);
    expect(running.metrics.read('UnaccountedCount')).toBe(0);
    await running.stop();
  });

  it('the receiver permanently refuses an export that would not fit into an empty spool', async () => {
    const running = await startTask({
      ...spoolConfig(),
      'otlp.spool.bytes': '1048576',
      'otlp.max.request.size': '1048576',
      'otlp.record.mode': 'item',
    });
    const [one] = spanNamed('s').resourceSpans as [{ readonly scopeSpans: readonly object[] }];
    const attributes = [{ key: 'large', value: { stringValue: 'v'.repeat(200_000) } }];
    const spans = Array.from({ length: 10 }, () => one.scopeSpans[0]);
    const { status } = await postExport(running.httpPort, 'traces', {
      resourceSpans: [{ resource: { attributes }, scopeSpans: spans }],
    });
    expect(status).toBe(413);
    expect(running.metrics.read('SpansReceived')).toBe(0);
    await running.stop();
  });

  it('the receiver assigns one number to each message, also to those that a full spool drops', async () => {
    const running = await startTask({
      ...spoolConfig(),
      'otlp.spool.bytes': '1048576',
      'otlp.max.request.size': '1048576',
    });
    const name = 'n'.repeat(300_000);
    let sent = 0;
    for (let full = false; !full; sent += 1)
      full = (await postExport(running.httpPort, 'traces', spanNamed(name))).status === 503;
    for (let left = sent - 1; left > 0; ) {
      const batch = await running.poll();
      running.task.committed(batch, none);
      left -= batch.length;
    }
    await postExport(running.httpPort, 'traces', spanNamed('next'));
    const [record] = await running.take(1);
    expect(record?.sourceOffset?.['sequence']).toBe(sent + 1);
    await running.stop();
  });

  it('the receiver rereads what was not committed', () => {
    const rereads = (raw: RawConfig): boolean | undefined =>
      otlpSourceConnector.rereads?.(otlpSourceConnector.config.parse(testConfig(raw)));
    expect(rereads(spoolConfig())).toBe(true);
    expect(rereads({})).toBe(false);
  });
});
