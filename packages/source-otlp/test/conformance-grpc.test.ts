// OTLP/gRPC as the specification has it, over sockets against a whole task.
import { fromBinary, fromJson, toBinary, toJson } from '@bufbuild/protobuf';
import { Metadata } from '@grpc/grpc-js';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { type CallResult, grpcClient, retryDelay } from '@levada/test-peers/otlp';
import { encoded, realisticRequest } from '@levada/test-peers/otlp-requests';
import { describe, expect, it } from 'vitest';
import { otlpSchema } from '../src/model/otlp-schema.ts';
import { signals } from '../src/model/signals.ts';
import { type RefusalReason, refusals } from '../src/receive/admission/export-outcome.ts';
import { describeOverServers } from './http2-servers.ts';
import { startTask, texts } from './running-task.ts';

const schema = otlpSchema();
const spans = realisticRequest(schema, 'traces', 2);
const DEFLATE = 1;
const GZIP = 2;

function retryInfo({ trailers }: CallResult): number | undefined {
  const [details] = trailers.get('grpc-status-details-bin');
  return details === undefined ? undefined : retryDelay(details as Buffer);
}

describeOverServers('an export over gRPC', (server) => {
  it.each(['traces', 'metrics', 'logs'] as const)(
    'the receiver accepts an export of %s and answers with an empty response',
    async (signal) => {
      const running = await startTask({ 'otlp.http2.server': server });
      const body = realisticRequest(schema, signal, 3);
      expect(await grpcClient(running.grpcPort).export(signal, body)).toMatchObject({
        code: 0,
        answer: Buffer.alloc(0),
      });
      expect((await running.stop()).map(({ topic }) => topic)).toEqual([`otlp-${signal}`]);
    },
  );

  it.each([
    ['gzip', GZIP],
    ['deflate', DEFLATE],
  ])('the receiver accepts an export compressed with %s', async (_, algorithm) => {
    const running = await startTask({ 'otlp.http2.server': server, 'otlp.message.format': 'protobuf' });
    const channel = { 'grpc.default_compression_algorithm': algorithm };
    expect(await grpcClient(running.grpcPort, { channel }).export('traces', spans)).toMatchObject({
      code: 0,
    });
    expect(texts(await running.stop())).toEqual([Buffer.from(spans).toString('base64')]);
  });

  it('the receiver answers an export without items with success, and makes no record', async () => {
    const running = await startTask({ 'otlp.http2.server': server });
    const client = grpcClient(running.grpcPort);
    expect(await client.export('traces', Buffer.alloc(0))).toMatchObject({ code: 0 });
    expect(await client.export('metrics', Buffer.from('0a00', 'hex'))).toMatchObject({ code: 0 });
    expect(await running.stop()).toEqual([]);
  });

  it('the receiver refuses an export above the limit, compressed or not, with RESOURCE_EXHAUSTED without RetryInfo', async () => {
    const running = await startTask({ 'otlp.http2.server': server, 'otlp.max.request.size': '100000' });
    const large = Buffer.alloc(100_001);
    for (const channel of [{}, { 'grpc.default_compression_algorithm': GZIP }]) {
      const result = await grpcClient(running.grpcPort, { channel }).export('traces', large);
      expect([result.code, retryInfo(result)]).toEqual([8, undefined]);
    }
    expect(running.metrics.read('RejectedTooLarge')).toBe(2);
    await running.stop();
  });

  it('the receiver divides an export of a hundred thousand small spans below the limit of the log, and keeps each span', async () => {
    const running = await startTask({ 'otlp.http2.server': server });
    const count = 100_000;
    const list = Array.from({ length: count }, (_, i) => ({ name: String(i).padStart(30, '0') }));
    const body = encoded(schema, 'traces', { resourceSpans: [{ scopeSpans: [{ spans: list }] }] });
    expect(await grpcClient(running.grpcPort).export('traces', body)).toMatchObject({ code: 0 });
    const values = texts(await running.stop());
    expect(Math.max(...values.map(({ length }) => length))).toBeLessThanOrEqual(1_000_000);
    const names = values.flatMap((value) => value.match(/\d{30}/g) ?? []);
    expect([names.length, new Set(names).size]).toEqual([count, count]);
  });

  it('the receiver refuses an export that cannot be decoded with INVALID_ARGUMENT and the place', async () => {
    const running = await startTask({ 'otlp.http2.server': server });
    const client = grpcClient(running.grpcPort);
    for (const body of [
      Buffer.from('0aff', 'hex'),
      realisticRequest(schema, 'metrics', 2),
      spans.subarray(0, -1),
    ]) {
      const result = await client.export('traces', body);
      expect([result.code, retryInfo(result)]).toEqual([3, undefined]);
      expect(result.details).not.toBe('');
    }
    await running.stop();
  });

  it('the receiver requires a token when one is configured', async () => {
    const running = await startTask({ 'otlp.http2.server': server, 'otlp.auth.tokens': 'open-sesame' });
    const client = grpcClient(running.grpcPort);
    const withToken = (token: string): { readonly metadata: Metadata } => {
      const metadata = new Metadata();
      metadata.set('authorization', `Bearer ${token}`);
      return { metadata };
    };
    expect(await client.export('traces', spans)).toMatchObject({ code: 16 });
    expect(await client.export('traces', spans, withToken('wrong'))).toMatchObject({ code: 16 });
    expect(await client.export('traces', spans, withToken('open-sesame'))).toMatchObject({ code: 0 });
    await running.stop();
  });

  it('the receiver asks the client to retry after a second when a queue is full or the client sends too many exports', async () => {
    for (const [raw, code] of [
      [{ 'otlp.message.queue.size': '1', 'otlp.queue.full.grace.ms': '0' }, 14],
      [{ 'otlp.rate.limit': '1' }, 8],
    ] as const) {
      const running = await startTask({ 'otlp.http2.server': server, ...raw });
      const client = grpcClient(running.grpcPort);
      let last = await client.export('traces', spans);
      for (let i = 0; i < 2; i += 1) last = await client.export('traces', spans);
      expect(last.code).toBe(code);
      expect(retryInfo(last)).toBeGreaterThanOrEqual(1);
      expect(retryInfo(last)).toBeLessThanOrEqual(2);
      await running.stop();
    }
  });

  it('the receiver answers an export before the deadline of its client when the log is away', async () => {
    const clock = createManualClock();
    const running = await startTask({ 'otlp.http2.server': server, 'otlp.ack.mode': 'produced' }, { clock });
    const called = grpcClient(running.grpcPort).export('traces', spans, { deadline: Date.now() + 5000 });
    await waitFor(() => running.metrics.read('TracesReceived') === 1);
    await clock.advance(4999);
    const result = await called;
    expect([result.code, result.details]).toEqual([14, expect.stringContaining('acknowledge')]);
    await running.stop();
  });

  it('the receiver answers a signal or method that is not offered with UNIMPLEMENTED', async () => {
    const running = await startTask({ 'otlp.http2.server': server, 'otlp.signals': 'traces' });
    const client = grpcClient(running.grpcPort);
    expect(await client.export('logs', new Uint8Array())).toMatchObject({ code: 12 });
    expect(await client.unary(`/${signals.traces.service}/Import`, new Uint8Array())).toMatchObject({
      code: 12,
    });
    await running.stop();
  });

  it('the receiver keeps connections open that send one export after the other', async () => {
    const running = await startTask({ 'otlp.http2.server': server });
    const client = grpcClient(running.grpcPort);
    for (let i = 0; i < 50; i += 1) await client.export('traces', spans);
    expect(running.metrics.read('GrpcConnections')).toBe(1);
    expect(await running.stop()).toHaveLength(50);
  });
});

it('the receiver reports SERVING through the health service', async () => {
  const running = await startTask();
  const [request, response] = ['Request', 'Response'].map((kind) =>
    schema.message(`grpc.health.v1.HealthCheck${kind}`),
  ) as [ReturnType<typeof schema.message>, ReturnType<typeof schema.message>];
  const asked = toBinary(request, fromJson(request, { service: signals.traces.service }));
  const { answer } = await grpcClient(running.grpcPort).unary('/grpc.health.v1.Health/Check', asked);
  expect(toJson(response, fromBinary(response, answer ?? Buffer.alloc(0)))).toEqual({ status: 'SERVING' });
  await running.stop();
});

describe('a refusal', () => {
  /** OTLP specification 1.x: "OTLP/HTTP Response", and the table of gRPC codes in "Failures". */
  const retryableStatuses: readonly number[] = [429, 502, 503, 504];
  /** CANCELLED, DEADLINE_EXCEEDED, ABORTED, OUT_OF_RANGE, UNAVAILABLE, DATA_LOSS; RESOURCE_EXHAUSTED only with RetryInfo. */
  const retryableCodes: readonly number[] = [1, 4, 10, 11, 14, 15];

  it.each((Object.keys(refusals) as RefusalReason[]).filter((reason) => reason !== 'timeout'))(
    'the receiver allows a retry after a refusal as %s over both HTTP and gRPC, or over neither',
    (reason) => {
      const { httpStatus, grpcCode, retry } = refusals[reason];
      expect(retryableStatuses.includes(httpStatus)).toBe(retry);
      const withInfo = grpcCode === 8 && retry;
      expect(retryableCodes.includes(grpcCode) || withInfo).toBe(retry);
    },
  );

  it('the receiver allows a retry after a timeout over gRPC (DEADLINE_EXCEEDED), but not over HTTP (408)', () => {
    const { httpStatus, grpcCode } = refusals.timeout;
    expect(retryableStatuses.includes(httpStatus)).toBe(false);
    expect(retryableCodes.includes(grpcCode)).toBe(true);
  });
});
