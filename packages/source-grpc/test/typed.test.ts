import { create, fromBinary, toBinary, toJson } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, timestampFromMs } from '@bufbuild/protobuf/wkt';
import { pipe, type SourceHandle } from '@levada/connect-runtime-core';
import { each, logSink } from '@levada/connect-runtime-core/sinks';
import { createScriptedLog } from '@levada/connect-runtime-core/testing';
import { eventBytes, testFiles } from '@levada/test-peers/grpc';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { type GrpcSource, grpcSource } from '../src/index.ts';
import { serve } from './feed.ts';
import { PriceSchema, PriceService, WatchRequestSchema } from './gen/prices_pb.ts';
import { file_teststream_stream, type StreamEvent, TestStreamService } from './gen/stream_pb.ts';

const optionsFor = (port: number) => ({
  host: '127.0.0.1',
  port,
  method: TestStreamService.method.streamEvents,
  topic: 'events',
  reconnect: { intervalMs: 1 },
});

describe('a method of generated code', () => {
  it('gives decoded messages of its type, and takes a request of its type', async () => {
    const server = await serve((call) =>
      call.send(eventBytes({ payload: 'a', sequence: 2n ** 60n }), eventBytes({ payload: 'b' })),
    );
    const source = grpcSource({ ...optionsFor(server.port), request: { filter: 'f', intervalMs: 7 } });
    expectTypeOf(source).toEqualTypeOf<GrpcSource<StreamEvent>>();
    expectTypeOf(source).toExtend<SourceHandle>();
    const payloads: string[] = [];
    const sequences: bigint[] = [];
    for await (const { value, topic } of source.limit(2)) {
      payloads.push(value.payload);
      sequences.push(value.sequence);
      expect([topic, value.$typeName]).toEqual(['events', 'teststream.StreamEvent']);
    }
    expect([payloads, sequences]).toEqual([
      ['a', 'b'],
      [2n ** 60n, 0n],
    ]);
    expect((await server.call(0)).request.toString('hex')).toBe('0a01661007');
    expect(source.status()).toMatchObject({ RecordsProduced: 2, UnaccountedCount: 0 });
  });

  it('gives batches of messages, and listeners keep the type', async () => {
    const server = await serve((call) =>
      call.send(eventBytes({ payload: 'a' }), eventBytes({ payload: 'b' })),
    );
    const peers: string[] = [];
    const source = grpcSource(optionsFor(server.port)).on('connected', ({ peer }) => peers.push(peer));
    for await (const batch of source.batches({ max: 2, maxWaitMs: 60_000 }).limit(1)) {
      expectTypeOf(batch[0]?.value).toEqualTypeOf<StreamEvent | undefined>();
      expect(batch.map(({ value }) => value.payload)).toEqual(['a', 'b']);
    }
    expect(peers).toEqual([`127.0.0.1:${server.port}`]);
  });

  it('throws at bytes that are no message, or skips them and counts them', async () => {
    const wrong = Buffer.from([0x0a, 0x7f]);
    const server = await serve((call) => call.send(wrong, eventBytes({ payload: 'b' })));
    const throwing = grpcSource({ ...optionsFor(server.port), name: 'prices' });
    await expect(throwing[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: 'conversion_failed',
      message: expect.stringMatching(
        /^prices: the value of record 1 \(offset \{.*"sequence":1\}\) cannot be decoded \(/,
      ),
    });
    const skipping = grpcSource({ ...optionsFor(server.port), onInvalid: 'skip' });
    for await (const { value } of skipping.limit(1)) expect(value.payload).toBe('b');
    expect(skipping.status()).toMatchObject({ DroppedConversionError: 1, UnaccountedCount: 0 });
  });

  it('gives the messages as they came where bytes are asked for', async () => {
    const bytes = eventBytes({ payload: 'a' });
    const server = await serve((call) => call.send(bytes));
    const source = grpcSource(optionsFor(server.port));
    for await (const { value } of source.bytes().limit(1))
      expect(Buffer.from(value)).toEqual(Buffer.from(bytes));
  });

  it('takes messages into a callback as they are in a loop, and into a log as they came', async () => {
    const bytes = eventBytes({ payload: 'a' });
    const server = await serve((call) => {
      call.send(bytes);
      call.end();
    });
    const options = { ...optionsFor(server.port), completion: 'stop' } as const;
    const payloads: string[] = [];
    const run = pipe(
      grpcSource(options),
      each(({ value }) => void payloads.push(value.payload)),
    );
    expectTypeOf(run.status().SequenceGaps).toEqualTypeOf<number>();
    await run.done;
    expect(payloads).toEqual(['a']);
    const log = createScriptedLog();
    const producer = await log.connect().producer({ clientId: 'test' });
    await pipe(grpcSource(options), logSink(producer)).done;
    expect(log.records('events').map(({ value }) => Buffer.from(value ?? []))).toEqual([Buffer.from(bytes)]);
  });

  it('can resume after a field of its messages', async () => {
    const server = await serve((call, index) => {
      call.send(eventBytes({ eventId: `e${index}` }));
      call.end();
    });
    const source = grpcSource({ ...optionsFor(server.port), resume: { field: 'filter', from: '/eventId' } });
    const ids: string[] = [];
    for await (const { value } of source.limit(2)) ids.push(value.eventId);
    expect(ids).toEqual(['e0', 'e1']);
    expect((await server.call(1)).request.toString()).toBe('\n\u0002e0');
  });

  it('refuses a request that is none of its messages, and options that follow from it', () => {
    const at = optionsFor(1);
    // @ts-expect-error the filter is text
    expect(() => grpcSource({ ...at, request: { filter: 7 } })).toThrow(
      /^request is no teststream\.StreamRequest: .*filter/,
    );
    const doubled = { ...optionsFor(1), format: 'json', service: 'other.Service' };
    expect(() => grpcSource(doubled)).toThrow(
      'service is not an option together with a method of generated code\nformat is not an option',
    );
    const unset = { ...optionsFor(1), format: undefined };
    expect(() => grpcSource(unset)).not.toThrow();
  });

  it('brings the files that it imports, and takes messages in its request', async () => {
    const server = await serve(
      (call) =>
        call.send(toBinary(PriceSchema, create(PriceSchema, { symbol: 'ABC', time: { seconds: 7n } }))),
      { service: 'prices.v1.PriceService', method: 'Watch' },
    );
    const source = grpcSource({
      ...optionsFor(server.port),
      method: PriceService.method.watch,
      request: { symbols: ['ABC'], since: timestampFromMs(1000) },
    });
    for await (const { value } of source.limit(1))
      expect([value.symbol, value.time?.seconds]).toEqual(['ABC', 7n]);
    const request = fromBinary(WatchRequestSchema, (await server.call(0)).request);
    expect(request).toMatchObject({ symbols: ['ABC'], since: { seconds: 1n } });
  });

  it('must be server streaming', () => {
    const unary = { ...optionsFor(1), method: TestStreamService.method.getEvent };
    // @ts-expect-error it is not
    expect(() => grpcSource(unary)).toThrow('method is not server-streaming');
  });

  it('is that of the .proto file that the peers are generated from', () => {
    const proto = testFiles().get('teststream/stream.proto');
    if (proto === undefined) throw new Error('the file is not in the descriptor set');
    // Generated code has no comments.
    delete proto.sourceCodeInfo;
    expect(toJson(FileDescriptorProtoSchema, file_teststream_stream.proto)).toEqual(
      toJson(FileDescriptorProtoSchema, proto),
    );
  });
});

describe('the attributes of a gRPC source', () => {
  it('are typed by its table', async () => {
    const source = grpcSource({ ...optionsFor(1) });
    const status = source.status();
    expectTypeOf(status.MessagesReceived).toEqualTypeOf<number>();
    expectTypeOf(status.IsConnected).toEqualTypeOf<boolean>();
    // @ts-expect-error there is no such attribute
    expect(status.MessagesRecieved).toBeUndefined();
    expect([status.SequenceGaps, status.IsConnected]).toEqual([0, false]);
    await source.close();
  });
});
