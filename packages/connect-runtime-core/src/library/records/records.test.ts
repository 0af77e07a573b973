import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { SourceRecord } from '../../contract/source-record.ts';
import type { ConnectorError } from '../../diagnostics/connector-error.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { createScriptedConnector } from '../../testing/scripted-connector.ts';
import { waitFor } from '../../testing/wait-for.ts';
import { createSource } from '../create-source.ts';
import type { SourceHandle } from '../source-handle.ts';
import type { Records } from './records.ts';

/** A source that is connected, and has received these texts. */
async function received(texts: readonly string[], config: Record<string, string> = {}) {
  const { connector, peer } = createScriptedConnector();
  const clock = createManualClock();
  const abort = new AbortController();
  const source = createSource(
    connector,
    { topic: 'prices', ...config },
    { clock, name: 'feed', signal: abort.signal },
  );
  await source.ready();
  peer.send(...texts);
  return { source, peer, clock, abort };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) taken.push(item);
  return taken;
}

const valuesOf = <V>(records: readonly SourceRecord<V>[]): V[] => records.map(({ value }) => value);

interface Price {
  readonly price: number;
}

describe('typed records', () => {
  it('are parsed JSON, of the type that was asked for', async () => {
    const { source } = await received(['{"price":1}', '\uFEFF{"price":2}']);
    const records = source.json<Price>();
    expectTypeOf(records).toExtend<Records<Price>>();
    expectTypeOf(records).toExtend<SourceHandle<Price>>();
    const sum: number[] = [];
    for await (const { value, topic, timestamp } of records.limit(2)) {
      sum.push(value.price);
      expect([topic, typeof timestamp]).toEqual(['prices', 'number']);
    }
    expect(sum).toEqual([1, 2]);
  });

  it('are text, or bytes that the caller may keep', async () => {
    const text = await received(['é']);
    const strings = valuesOf(await all(text.source.text().limit(1)));
    expectTypeOf(strings).toEqualTypeOf<string[]>();
    expect(strings).toEqual(['é']);
    const bytes = await received(['é']);
    expect(valuesOf(await all(bytes.source.bytes().limit(1)))).toEqual([new Uint8Array([0xc3, 0xa9])]);
  });

  it('are what a function makes of them', async () => {
    const { source } = await received(['1', '2']);
    const numbers = source.decode(({ value }) => Number(value)).limit(2);
    expectTypeOf(numbers).toExtend<Records<number>>();
    expect(valuesOf(await all(numbers))).toEqual([1, 2]);
  });

  it('end the loop with an error that names source, place and text when one is invalid', async () => {
    const { source } = await received(['{"price":1}', 'not {"json"}', '{"price":3}']);
    const prices: number[] = [];
    const looping = (async () => {
      for await (const { value } of source.json<Price>()) prices.push(value.price);
    })();
    await expect(looping).rejects.toMatchObject({
      code: 'conversion_failed',
      message: expect.stringMatching(
        /^feed: the value of record 2 is not JSON: "not \{"json"\}" \(Unexpected token .*\)$/,
      ),
      cause: expect.any(SyntaxError),
    });
    expect(prices).toEqual([1]);
    expect(source.status()).toMatchObject({
      RecordsProduced: 1,
      DroppedConversionError: 1,
      DroppedShutdownTimeout: 1,
      UnaccountedCount: 0,
    });
    expect(await source.close()).toEqual({ delivered: 1, undelivered: 2 });
  });

  it('say why a decoder refused one', async () => {
    const { source } = await received(['x'.repeat(100)]);
    const refusing = source.decode(() => {
      throw new TypeError('price is missing');
    });
    await expect(all(refusing)).rejects.toThrow(
      `feed: the value of record 1 cannot be decoded (price is missing): "${'x'.repeat(80)}..."`,
    );
  });

  it('are skipped when they are invalid and that was asked for, counted and with an event', async () => {
    const { source } = await received(['1', 'two', '3', 'four']);
    const dropped: unknown[] = [];
    source.on('dropped', ({ cause, count }) => dropped.push([cause, count]));
    expect(valuesOf(await all(source.json({ onInvalid: 'skip' }).limit(2)))).toEqual([1, 3]);
    expect(dropped).toEqual([
      ['conversion_error', 1],
      ['shutdown_timeout', 1],
    ]);
    expect(source.status()).toMatchObject({
      RecordsProduced: 2,
      DroppedConversionError: 1,
      UnaccountedCount: 0,
    });
  });

  it('are given to a function when they are invalid, which is waited for', async () => {
    const { source } = await received(['one', '2']);
    const seen: unknown[] = [];
    const onInvalid = async ({ value }: SourceRecord, error: ConnectorError): Promise<void> => {
      await Promise.resolve();
      seen.push([value, error.code]);
    };
    for await (const { value } of source.json({ onInvalid }).limit(1)) seen.push(value);
    expect(seen).toEqual([['one', 'conversion_failed'], 2]);
  });

  it('end the loop when the function for invalid ones fails', async () => {
    const { source, peer } = await received(['one', '2']);
    const onInvalid = (): never => {
      throw new Error('no room for dead letters');
    };
    await expect(all(source.json({ onInvalid }))).rejects.toThrow('no room for dead letters');
    expect(peer.connections).toBe(0);
    expect(source.status()).toMatchObject({ DroppedConversionError: 1, UnaccountedCount: 0 });
  });
});

describe('a loop with an end', () => {
  it('ends after a number of records, of which the last one counts as delivered', async () => {
    const { source, peer } = await received(['1', '2', '3']);
    expect(valuesOf(await all(source.limit(2)))).toEqual(['1', '2']);
    expect(await source.close()).toEqual({ delivered: 2, undelivered: 1 });
    expect(peer.connections).toBe(0);
  });

  it('does not wait for a record that it will not give', async () => {
    const { source } = await received(['1']);
    expect(valuesOf(await all(source.limit(1)))).toEqual(['1']);
  });

  it('ends at once at a limit of zero', async () => {
    const { source, peer } = await received(['1']);
    expect(await all(source.limit(0))).toEqual([]);
    expect(peer.connections).toBe(0);
  });

  it('ends after the record for which a condition is true, asked once and after the loop was through with it', async () => {
    const { source } = await received(['1', '2', '3']);
    const seen: string[] = [];
    const isLast = ({ value }: SourceRecord<number>): boolean => {
      seen.push(`asked for ${value}`);
      return value === 2;
    };
    for await (const { value } of source.json<number>().until(isLast)) seen.push(`loop has ${value}`);
    expect(seen).toEqual(['loop has 1', 'asked for 1', 'loop has 2', 'asked for 2']);
    expect(await source.close()).toEqual({ delivered: 2, undelivered: 1 });
  });

  it('throws what a condition throws, and closes', async () => {
    const { source, peer } = await received(['1', '2']);
    const failing = source.until(() => {
      throw new Error('cannot tell');
    });
    await expect(all(failing)).rejects.toThrow('cannot tell');
    expect(peer.connections).toBe(0);
    expect(source.status()).toMatchObject({ RecordsProduced: 1, UnaccountedCount: 0 });
  });

  it('refuses a limit that is no number of records', async () => {
    const { source } = await received([]);
    expect(() => source.limit(-1)).toThrow('limit must be a whole number of 0 or more, got -1');
    expect(() => source.batches({ max: 0 })).toThrow(
      'batches: max must be a whole number of 1 or more, got 0',
    );
    await source.close();
  });
});

describe('batches', () => {
  it('are what is there, of at most so many records, across what the task gives at once', async () => {
    const { source } = await received(['1', '2', '3', '4', '5'], { 'scripted.batch.size': '2' });
    const batches = source.json<number>().batches({ max: 3, maxWaitMs: 1 });
    expectTypeOf<typeof batches>().toExtend<AsyncIterable<readonly SourceRecord<number>[]>>();
    expect((await all(batches.limit(1))).map(valuesOf)).toEqual([[1, 2, 3]]);
    expect(await source.close()).toEqual({ delivered: 3, undelivered: 2 });
  });

  it('do not wait for more unless they are asked to', async () => {
    const { source, peer } = await received(['1', '2']);
    const sizes: number[] = [];
    for await (const batch of source.batches()) {
      sizes.push(batch.length);
      if (sizes.length === 2) break;
      peer.send('3');
    }
    expect(sizes).toEqual([2, 1]);
  });

  it('wait for more records as long as they may', async () => {
    const { source, peer, clock } = await received(['1']);
    const batches = source.batches({ max: 10, maxWaitMs: 100 })[Symbol.asyncIterator]();
    const first = batches.next();
    await clock.advance(60);
    peer.send('2');
    await clock.advance(40);
    expect(valuesOf((await first).value)).toEqual(['1', '2']);
    // The record that is waited for is not lost when a batch is over.
    const second = batches.next();
    await clock.advance(1000);
    peer.send('3');
    await clock.advance(100);
    expect(valuesOf((await second).value)).toEqual(['3']);
    await batches.return?.();
    expect(source.status()).toMatchObject({
      RecordsProduced: 2,
      DroppedDeliveryUnknown: 1,
      UnaccountedCount: 0,
    });
    expect(clock.pending).toBe(0);
  });

  it('count as a whole, when the next one is asked for', async () => {
    const { source } = await received(['1', '2', '3', '4', '5']);
    const batches = source.batches({ max: 2 })[Symbol.asyncIterator]();
    await batches.next();
    expect(source.status()).toMatchObject({ RecordsProduced: 0, InFlightCount: 5 });
    await batches.next();
    expect(source.status()).toMatchObject({ RecordsProduced: 2 });
    await batches.return?.();
    expect(source.status()).toMatchObject({
      RecordsProduced: 2,
      DroppedDeliveryUnknown: 2,
      DroppedShutdownTimeout: 1,
      UnaccountedCount: 0,
    });
  });

  it('are given without the rest of their time when the source closes', async () => {
    const { source, abort, clock } = await received(['1']);
    const batches = source.batches({ max: 10, maxWaitMs: 60_000 })[Symbol.asyncIterator]();
    const first = batches.next();
    abort.abort();
    expect(valuesOf((await first).value)).toEqual(['1']);
    expect(await batches.next()).toEqual({ done: true, value: undefined });
    expect(await source.close()).toEqual({ delivered: 1, undelivered: 0 });
    expect(clock.pending).toBe(0);
  });

  it('hold what came before an invalid record, whose error comes after them', async () => {
    const { source } = await received(['1', 'two', '3']);
    const batches = source.json().batches()[Symbol.asyncIterator]();
    expect(valuesOf((await batches.next()).value)).toEqual([1]);
    await expect(batches.next()).rejects.toThrow('record 2 is not JSON');
    expect(source.status()).toMatchObject({
      RecordsProduced: 1,
      DroppedConversionError: 1,
      DroppedShutdownTimeout: 1,
      UnaccountedCount: 0,
    });
  });

  it('hold what came before a failure, which comes after them', async () => {
    const { source, peer } = await received(['1'], { 'scripted.reconnect.max.attempts': '0' });
    const batches = source.batches({ maxWaitMs: 60_000 })[Symbol.asyncIterator]();
    const first = batches.next();
    peer.drop('gone');
    expect(valuesOf((await first).value)).toEqual(['1']);
    await expect(batches.next()).rejects.toMatchObject({ code: 'reconnect_exhausted' });
    expect(await source.close()).toEqual({ delivered: 1, undelivered: 0 });
  });

  it.each([
    ['before', true],
    ['after', false],
  ])(
    'are followed by a failure that comes after their time, %s the next one is asked for',
    async (_, early) => {
      const { source, peer, clock } = await received(['1'], { 'scripted.reconnect.max.attempts': '0' });
      const batches = source.batches({ max: 10, maxWaitMs: 20 })[Symbol.asyncIterator]();
      const first = batches.next();
      await clock.advance(20);
      expect(valuesOf((await first).value)).toEqual(['1']);
      const failed = Promise.withResolvers<void>();
      source.on('disconnected', () => failed.resolve());
      if (early) {
        peer.drop('gone');
        await failed.promise;
        await clock.advance(0);
      }
      const second = batches.next();
      if (!early) peer.drop('gone');
      await expect(second).rejects.toMatchObject({ code: 'reconnect_exhausted' });
    },
  );

  it('end with the record that is the last one', async () => {
    const { source } = await received(['1', '2', '3']);
    const last = source.until(({ value }) => value === '2').batches({ maxWaitMs: 60_000 });
    expect((await all(last)).map(valuesOf)).toEqual([['1', '2']]);
    expect(await source.close()).toEqual({ delivered: 2, undelivered: 1 });
  });

  it('end after the batch for which a condition is true', async () => {
    const { source } = await received(['1', '2', '3']);
    const full = source.batches({ max: 1 }).until(([record]) => record?.value === '2');
    expect((await all(full)).map(valuesOf)).toEqual([['1'], ['2']]);
  });
});

const readers: readonly (readonly [string, (source: SourceHandle) => AsyncIterable<unknown>])[] = [
  ['a loop', (source) => source],
  ['JSON', (source) => source.json()],
  ['text with an end', (source) => source.text().until(() => false)],
  ['batches that may wait', (source) => source.batches({ max: 10, maxWaitMs: 60_000 })],
  ['a Node stream', (source) => Readable.from(source)],
  ['a web stream', (source) => ReadableStream.from(source.bytes())],
];

describe('aborting', () => {
  it.each(readers)('ends %s after what was received, without an error', async (_, readerOf) => {
    const { source, abort, clock, peer } = await received(['1', '2']);
    const reading = all(readerOf(source));
    abort.abort();
    expect((await reading).flat()).toHaveLength(2);
    expect(await source.close()).toEqual({ delivered: 2, undelivered: 0 });
    expect([peer.connections, clock.pending]).toEqual([0, 0]);
  });

  it.each(readers)('ends %s that waits for records', async (_, readerOf) => {
    const { source, abort } = await received([]);
    const reading = all(readerOf(source));
    abort.abort();
    expect(await reading).toEqual([]);
  });

  it.each(readers)('opens nothing for %s when it came before', async (_, readerOf) => {
    const { connector, peer } = createScriptedConnector();
    const source = createSource(connector, { topic: 'prices' }, { signal: AbortSignal.abort() });
    expect(await all(readerOf(source))).toEqual([]);
    expect(peer.attempts).toBe(0);
  });
});

describe('what calls an iterator', () => {
  it('gets records in order when it asks for several at once', async () => {
    const { source } = await received(['1', '2', '3']);
    const records = source[Symbol.asyncIterator]();
    const asked = await Promise.all([records.next(), records.next(), records.next()]);
    expect(asked.map(({ value }) => (value as SourceRecord).value)).toEqual(['1', '2', '3']);
    const waiting = records.next();
    await records.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
  });

  it('may be a Node stream, whose end closes the connection', async () => {
    const { source, peer } = await received(['1', '2']);
    const stream = Readable.from(source.json<number>());
    const values: unknown[] = [];
    for await (const record of stream) {
      values.push(record.value);
      if (values.length === 2) break;
    }
    expect(values).toEqual([1, 2]);
    await waitFor(() => peer.connections === 0);
  });

  it('may be a web stream, which takes no record before it is read, and whose cancel closes the connection', async () => {
    const { source, peer } = await received(['1', '2', '3']);
    const reader = ReadableStream.from(source.text()).getReader();
    expect(source.status()).toMatchObject({ InFlightCount: 0 });
    expect((await reader.read()).value).toMatchObject({ value: '1' });
    await reader.cancel();
    expect(peer.connections).toBe(0);
    expect(source.status()).toMatchObject({ DroppedDeliveryUnknown: 1, UnaccountedCount: 0 });
  });

  it('is the only one', async () => {
    const { source } = await received([]);
    const records = source.json()[Symbol.asyncIterator]();
    expect(() => source[Symbol.asyncIterator]()).toThrow('a source can be read only once');
    await records.return?.();
  });
});
