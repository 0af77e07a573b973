import { fromBinary, toJson } from '@bufbuild/protobuf';
import { Metadata } from '@grpc/grpc-js';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { type CallResult, grpcClient, retryDelay } from '@levada/test-peers/otlp';
import { expect, it } from 'vitest';
import { otlpSchema } from '../src/model/otlp-schema.ts';
import { type SignalName, signals } from '../src/model/signals.ts';
import { accepted, type RefusalReason, refusals, refuse } from '../src/receive/admission/export-outcome.ts';
import { scriptedIntake } from './grpc-intake.ts';
import { openedReceiver } from './grpc-receiver-under-test.ts';
import { describeOverServers } from './http2-servers.ts';

const body = Buffer.from('0a0012', 'hex');

function delayOf({ trailers }: CallResult): number | undefined {
  const [details] = trailers.get('grpc-status-details-bin');
  return details === undefined ? undefined : retryDelay(details as Buffer);
}

describeOverServers('an export over gRPC', (server) => {
  it('the receiver accepts an export as it was sent, and answers with an empty response', async () => {
    const intake = scriptedIntake();
    const { port } = await openedReceiver(intake, { http2: server });
    const result = await grpcClient(port).export('traces', body);
    expect(result).toMatchObject({ code: 0, answer: Buffer.alloc(0) });
    expect(intake.taken).toEqual([{ body, form: 'protobuf' }]);
    expect(intake.open).toBe(0);
  });

  it('the receiver accepts an empty export', async () => {
    const intake = scriptedIntake();
    const { port } = await openedReceiver(intake, { http2: server });
    expect(await grpcClient(port).export('metrics', Buffer.alloc(0))).toMatchObject({ code: 0 });
    expect(intake.taken).toEqual([{ body: Buffer.alloc(0), form: 'protobuf' }]);
  });

  it.each([64 * 1024, 300_001, 1024 * 1024])(
    'the receiver accepts an export of %i bytes unchanged',
    async (length) => {
      const intake = scriptedIntake();
      const { port } = await openedReceiver(intake, { http2: server });
      const large = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
      const sent = Buffer.concat(Array.from({ length: Math.ceil(length / 256) }, () => large)).subarray(
        0,
        length,
      );
      expect(await grpcClient(port).export('logs', sent)).toMatchObject({ code: 0 });
      expect(intake.taken[0]?.body.equals(sent)).toBe(true);
      expect(intake.held[0]).toBe(length);
    },
  );

  it.each(['gzip', 'deflate'] as const)(
    'the receiver inflates an export that is compressed with %s',
    async (encoding) => {
      const intake = scriptedIntake();
      const { port } = await openedReceiver(intake, { http2: server });
      const algorithm = encoding === 'gzip' ? 2 : 1;
      const client = grpcClient(port, { channel: { 'grpc.default_compression_algorithm': algorithm } });
      for (const length of [3, 600_000]) {
        const sent = Buffer.alloc(length, 'otlp');
        expect(await client.export('traces', sent)).toMatchObject({ code: 0 });
        expect(intake.taken.at(-1)?.body.equals(sent)).toBe(true);
      }
      expect(intake.open).toBe(0);
    },
  );

  it('the receiver passes the sender of an export and its deadline to the intake', async () => {
    const intake = scriptedIntake();
    const { port } = await openedReceiver(intake, { http2: server });
    const metadata = new Metadata();
    metadata.set('authorization', 'Bearer abc');
    const client = grpcClient(port, { channel: { 'grpc.default_authority': 'otlp.example:4317' } });
    await client.export('metrics', body, { metadata, deadline: Date.now() + 60_000 });
    expect(intake.heads).toEqual([
      {
        signal: 'metrics',
        transport: 'grpc',
        authorization: 'Bearer abc',
        host: 'otlp.example:4317',
        peer: '127.0.0.1',
        declaredBytes: undefined,
        timeoutMs: expect.toSatisfy((ms: number) => ms > 50_000 && ms <= 60_000),
      },
    ]);
  });

  it.each<SignalName>(['traces', 'metrics', 'logs', 'profiles'])(
    'answers a partly accepted export of %s with the number of rejected items and the reason',
    async (signal) => {
      const partial = { rejected: 2 ** 40 + 1, message: 'zu groß' };
      const intake = scriptedIntake({ take: () => ({ ...accepted, partial }) });
      const { port } = await openedReceiver(intake, { http2: server, signals: new Set([signal]) });
      const { answer = Buffer.alloc(0) } = await grpcClient(port).export(signal, body);
      const schema = otlpSchema().message(signals[signal].response);
      expect(toJson(schema, fromBinary(schema, answer))).toEqual({
        partialSuccess: { [signals[signal].rejected]: '1099511627777', errorMessage: 'zu groß' },
      });
    },
  );

  it('the receiver answers an export once the intake accepts it later', async () => {
    const later = Promise.withResolvers<typeof accepted>();
    const intake = scriptedIntake({ take: () => later.promise });
    const { port } = await openedReceiver(intake, { http2: server });
    const result = grpcClient(port).export('traces', body);
    await waitFor(() => intake.taken.length === 1);
    expect(intake.open).toBe(1);
    later.resolve(accepted);
    expect(await result).toMatchObject({ code: 0 });
    expect(intake.open).toBe(0);
  });

  it.each(Object.keys(refusals) as RefusalReason[])(
    'the receiver answers an export that is refused as %s, before or after it was read, with the code of the table',
    async (reason) => {
      const refusal = refuse(reason, 'not now: "größer" 100 %');
      const [read, unread] = [
        scriptedIntake({ take: () => refusal }),
        scriptedIntake({ admit: () => refusal }),
      ];
      for (const intake of [read, unread]) {
        const { port } = await openedReceiver(intake, { http2: server });
        const result = await grpcClient(port).export('traces', Buffer.alloc(500_000));
        expect(result).toMatchObject({ code: refusals[reason].grpcCode, details: refusal.message });
        expect(delayOf(result) !== undefined).toBe(refusals[reason].retry);
        expect(intake.open).toBe(0);
        expect(intake.early).toEqual([]);
      }
      expect(unread.taken).toEqual([]);
    },
  );

  it('the receiver asks clients to retry after a varying delay between one and two seconds', async () => {
    const intake = scriptedIntake({ take: () => refuse('unavailable', 'queue full') });
    const { port } = await openedReceiver(intake, { http2: server });
    const client = grpcClient(port);
    const results = await Promise.all(Array.from({ length: 20 }, () => client.export('traces', body)));
    const delays = results.map(delayOf) as number[];
    for (const delay of delays) expect(delay >= 1 && delay < 2).toBe(true);
    expect(new Set(delays).size).toBeGreaterThan(1);
  });

  it('the receiver permanently refuses an export above the limit, before reading it', async () => {
    const intake = scriptedIntake();
    const { port } = await openedReceiver(intake, { http2: server, maxRequestBytes: 1000 });
    const result = await grpcClient(port).export('traces', Buffer.alloc(5_000_000));
    expect(result).toMatchObject({ code: 8, details: 'message of 5000000 bytes, expected at most 1000' });
    expect(delayOf(result)).toBeUndefined();
    expect(intake.early).toMatchObject([{ reason: 'too_large' }]);
    expect(intake).toMatchObject({ open: 0, held: [0] });
  });

  it('the receiver permanently refuses an export that is above the limit once it is inflated', async () => {
    const intake = scriptedIntake();
    const { port } = await openedReceiver(intake, { http2: server });
    const client = grpcClient(port, { channel: { 'grpc.default_compression_algorithm': 2 } });
    const result = await client.export('traces', Buffer.alloc(8 * 1024 * 1024));
    expect(result).toMatchObject({ code: 8, details: 'the inflated body is larger than 1048576 bytes' });
    expect(delayOf(result)).toBeUndefined();
    expect(intake.early).toMatchObject([{ reason: 'too_large' }]);
    expect(intake).toMatchObject({ open: 0, taken: [] });
  });

  it('the receiver asks the client to retry an export for which no bytes are left', async () => {
    const intake = scriptedIntake({ hold: (bytes) => bytes < 50_000 });
    const { port } = await openedReceiver(intake, { http2: server });
    const client = grpcClient(port);
    const result = await client.export('traces', Buffer.alloc(60_000));
    expect(result.code).toBe(14);
    expect(delayOf(result)).toBeDefined();
    expect(intake.early).toMatchObject([{ reason: 'unavailable' }]);
    expect(intake).toMatchObject({ open: 0, taken: [] });
    expect(await client.export('traces', Buffer.alloc(1000))).toMatchObject({ code: 0 });
  });

  it('the receiver asks the client to retry an export for which no bytes are left once it is inflated', async () => {
    const intake = scriptedIntake({ hold: (bytes) => bytes < 50_000 });
    const { port } = await openedReceiver(intake, { http2: server });
    const client = grpcClient(port, { channel: { 'grpc.default_compression_algorithm': 2 } });
    expect(await client.export('traces', Buffer.alloc(60_000))).toMatchObject({ code: 14 });
    expect(intake.early).toMatchObject([{ reason: 'unavailable' }]);
    expect(intake).toMatchObject({ open: 0, taken: [] });
  });

  it('the receiver answers a signal that is not offered with UNIMPLEMENTED', async () => {
    const intake = scriptedIntake();
    const { port } = await openedReceiver(intake, { http2: server, signals: new Set(['logs']) });
    const client = grpcClient(port);
    expect(await client.export('traces', body)).toMatchObject({
      code: 12,
      details: 'unknown method "/opentelemetry.proto.collector.trace.v1.TraceService/Export"',
    });
    expect(await client.export('logs', body)).toMatchObject({ code: 0 });
    expect(intake.heads.length).toBe(1);
  });

  it('the receiver releases an export whose client gives up while it waits, and discards the late answer', async () => {
    const later = Promise.withResolvers<typeof accepted>();
    const intake = scriptedIntake({ take: () => later.promise });
    const { port } = await openedReceiver(intake, { http2: server });
    const client = grpcClient(port);
    const called = client.export('traces', body, { deadline: Date.now() + 1000 });
    await waitFor(() => intake.taken.length === 1);
    expect(await called).toMatchObject({ code: 4 });
    await waitFor(() => intake.open === 0);
    later.resolve(accepted);
    await later.promise;
    expect(intake.taken.length).toBe(1);
  });

  it('the receiver accepts exports of many clients at once, and answers each with its own outcome', async () => {
    const intake = scriptedIntake({
      take: async (taken) => {
        await new Promise((resolve) => setImmediate(resolve));
        return (taken[0] ?? 0) % 2 === 0 ? accepted : refuse('invalid', `odd ${taken[0]}`);
      },
    });
    const { port } = await openedReceiver(intake, { http2: server });
    const clients = Array.from({ length: 4 }, () => grpcClient(port));
    const calls = Array.from({ length: 200 }, (_, index) =>
      clients[index % 4]?.export('traces', Buffer.alloc(1 + index * 300, index)),
    );
    const results = await Promise.all(calls);
    for (const [index, result] of results.entries()) {
      expect(result).toMatchObject(index % 2 === 0 ? { code: 0 } : { code: 3, details: `odd ${index}` });
    }
    expect(intake.open).toBe(0);
  });
});
