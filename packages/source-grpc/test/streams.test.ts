import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { eventBytes } from '@levada/test-peers/grpc';
import { describe, expect, it } from 'vitest';
import { grpcSource } from '../src/index.ts';
import { serve } from './feed.ts';
import { TestStreamService } from './gen/stream_pb.ts';

const COUNT = 3000;
const QUEUE = 100;

/** A source whose server has more to send than the queue takes. */
async function flooded(signal?: AbortSignal) {
  const server = await serve((call) => {
    call.send(
      ...Array.from({ length: COUNT }, (_, i) => eventBytes({ payload: `${i} ${'x'.repeat(1000)}` })),
    );
    call.end();
  });
  const source = grpcSource({
    host: '127.0.0.1',
    port: server.port,
    method: TestStreamService.method.streamEvents,
    topic: 'events',
    queueSize: QUEUE,
    completion: 'stop',
    signal,
  });
  return { server, source };
}

describe('a gRPC source as a stream', () => {
  it('of the web holds the server up while it is not read, and loses nothing', async () => {
    const { source } = await flooded();
    const reader = ReadableStream.from(source).getReader();
    const numbers: number[] = [];
    const read = async (): Promise<boolean> => {
      const { value } = await reader.read();
      if (value !== undefined) numbers.push(Number.parseInt(value.value.payload, 10));
      return value !== undefined;
    };
    await read();
    await waitFor(() => source.status().QueueSize >= QUEUE);
    expect(source.status().MessagesReceived).toBeLessThan(COUNT);
    while (await read());
    expect(numbers).toEqual(Array.from({ length: COUNT }, (_, i) => i));
    expect(source.status()).toMatchObject({
      RecordsProduced: COUNT,
      MessagesDropped: 0,
      UnaccountedCount: 0,
    });
  });

  it('of the web ends the call when it is cancelled', async () => {
    const { server, source } = await flooded();
    const reader = ReadableStream.from(source.batches({ max: 10 })).getReader();
    expect((await reader.read()).value).toHaveLength(10);
    await reader.cancel();
    expect(source.health()).toEqual({ status: 'down', reason: 'closed' });
    expect(source.status()).toMatchObject({ DroppedDeliveryUnknown: 10, UnaccountedCount: 0 });
    await waitFor(() => server.open().length === 0);
  });

  it('of Node ends the call when it is destroyed, also while it waits for a record', async () => {
    const server = await serve((call) => call.send(eventBytes({ payload: 'only' })));
    const source = grpcSource({
      host: '127.0.0.1',
      port: server.port,
      method: TestStreamService.method.streamEvents,
      topic: 'events',
    });
    const stream = Readable.from(source.until(({ value }) => value.payload === 'last'));
    const [first] = await stream.take(1).toArray();
    expect(first).toMatchObject({ value: { payload: 'only' } });
    stream.destroy();
    await waitFor(() => server.open().length === 0);
    await source.close();
    expect(source.status()).toMatchObject({ MessagesReceived: 1, UnaccountedCount: 0 });
  });

  it('ends after what was received when its signal aborts', async () => {
    const abort = new AbortController();
    const { source } = await flooded(abort.signal);
    let taken = 0;
    for await (const _ of Readable.from(source)) {
      taken += 1;
      if (taken === 1) abort.abort();
    }
    const { delivered, undelivered } = await source.close();
    expect([delivered, undelivered]).toEqual([taken, 0]);
    expect(taken).toBeLessThan(COUNT);
    expect(source.status()).toMatchObject({ MessagesReceived: taken, UnaccountedCount: 0 });
  });
});
