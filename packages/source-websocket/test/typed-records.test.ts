import { Readable } from 'node:stream';
import { waitFor } from '@levada/connect-runtime-core/testing';
import { afterEach, describe, expect, expectTypeOf, it } from 'vitest';
import { websocketSource } from '../src/index.ts';
import { type SocketServer, startSocketServer } from './socket-server.ts';

let server: SocketServer | undefined;
afterEach(() => server?.close());

interface Price {
  readonly price: number;
}

/** A server that sends these texts to each client. */
async function serving(...texts: readonly string[]): Promise<string> {
  server = await startSocketServer(({ socket }) => {
    for (const text of texts) socket.send(text);
  });
  return server.url;
}

describe('records of a WebSocket', () => {
  it('are parsed JSON, in batches that wait for more', async () => {
    const url = await serving('{"price":1}', '{"price":2}', '{"price":3}');
    const source = websocketSource({ url, topic: 'prices' });
    const batches = source.json<Price>().batches({ max: 3, maxWaitMs: 60_000 });
    for await (const batch of batches.limit(1))
      expect(batch.map(({ value }) => value.price)).toEqual([1, 2, 3]);
    expect(source.status()).toMatchObject({ RecordsProduced: 3, IsConnected: false, UnaccountedCount: 0 });
    expectTypeOf(source.status().IsConnected).toEqualTypeOf<boolean>();
  });

  it('that are not JSON end the loop with an error that shows them', async () => {
    const source = websocketSource({ url: await serving('maintenance at noon'), topic: 'prices' });
    await expect(source.json()[Symbol.asyncIterator]().next()).rejects.toThrow(
      'WebSocketSourceConnector: the value of record 1 is not JSON: "maintenance at noon"',
    );
    expect(source.status()).toMatchObject({ DroppedConversionError: 1, UnaccountedCount: 0 });
  });

  it('go through Node streams, and their end closes the connection', async () => {
    const source = websocketSource({
      url: await serving('{"price":1}', 'x', '{"price":2}'),
      topic: 'prices',
    });
    const prices = source.json<Price>({ onInvalid: 'skip' }).limit(2);
    const lines = await Readable.from(prices)
      .map(({ value }: { value: Price }) => `${value.price}\n`)
      .toArray();
    expect(lines).toEqual(['1\n', '2\n']);
    await waitFor(() => !source.status().IsConnected);
    expect(source.status()).toMatchObject({ RecordsProduced: 2, DroppedConversionError: 1 });
  });
});
