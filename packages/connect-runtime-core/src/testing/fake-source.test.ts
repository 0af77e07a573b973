import { describe, expect, it } from 'vitest';
import { pipe } from '../library/pipe.ts';
import type { SourceHandle } from '../library/source-handle.ts';
import { logSink } from '../sinks/log-sink.ts';
import { type FakeSource, fakeSource } from './fake-source.ts';
import { createManualClock } from './manual-clock.ts';
import { createScriptedLog } from './scripted-log.ts';

/** A consumer as a service has one. */
function reading(source: SourceHandle) {
  const values: unknown[] = [];
  const over = (async () => {
    for await (const { value } of source) values.push(value);
  })();
  over.catch(() => undefined);
  return { values, over };
}

async function connected(options?: Parameters<typeof fakeSource>[0]): Promise<FakeSource> {
  const source = fakeSource(options);
  await source.ready();
  return source;
}

describe('fakeSource', () => {
  it('refuses options that are wrong, all at once', () => {
    expect(() =>
      fakeSource({ record: ['1'], queueSize: 0, records: '1', offsets: 'x.json' } as object),
    ).toThrow(
      [
        'record is not an option, did you mean records?',
        'queueSize must be a whole number from 1, got 0',
        'records must be a list of records, got string',
        "offsets must be a store of offsets, such as fileOffsets('offsets.json'), got x.json",
      ].join('\n'),
    );
  });

  it('gives its records when it is used, then those that are sent, and ends', async () => {
    const source = fakeSource({ topic: 'prices', records: ['one', Buffer.from('two')] });
    source.feed.send({ value: 'three', topic: 'other', key: 'k' });
    const taken: unknown[] = [];
    const over = (async () => {
      for await (const { topic, key, value } of source) taken.push([topic, key, value]);
    })();
    await source.feed.delivered(3);
    source.feed.sendJson({ n: 4 });
    source.feed.end();
    await over;
    expect(taken).toEqual([
      ['prices', null, 'one'],
      ['prices', null, Buffer.from('two')],
      ['other', 'k', 'three'],
      ['prices', null, '{"n":4}'],
    ]);
    expect(source.status()).toMatchObject({ RecordsProduced: 4, UnaccountedCount: 0 });
    expect(source.health()).toEqual({ status: 'down', reason: 'closed' });
  });

  it('loses its connection and gets it again when the test says so', async () => {
    const source = fakeSource({ connects: false });
    const seen: string[] = [];
    source
      .on('connected', () => seen.push('connected'))
      .on('disconnected', ({ reason }) => seen.push(reason))
      .on('reconnecting', ({ attempt, error }) => seen.push(`${attempt}: ${error.message}`));
    const { values } = reading(source);
    const ready = source.ready();
    source.feed.reconnect();
    await ready;
    expect(source.health()).toEqual({ status: 'up' });
    source.feed.disconnect('maintenance');
    expect(source.health()).toEqual({
      status: 'degraded',
      reason: 'reconnect attempt 1 in 1000 ms: maintenance',
    });
    expect(() => source.feed.send('lost')).toThrow('call reconnect() before send()');
    source.feed.reconnect();
    source.feed.send('again');
    await source.feed.settled();
    expect([values, seen]).toEqual([['again'], ['connected', 'maintenance', '1: maintenance', 'connected']]);
    expect(source.status()).toMatchObject({ TotalReconnects: 1, IsConnected: true });
    await source.close();
  });

  it('fails after what was sent', async () => {
    const source = fakeSource({ records: ['one'] });
    source.feed.fail('no attempt is left');
    const { values, over } = reading(source);
    await expect(over).rejects.toMatchObject({ code: 'reconnect_exhausted', message: 'no attempt is left' });
    expect([values, source.health()]).toEqual([['one'], { status: 'down', reason: 'no attempt is left' }]);
    expect(() => source.feed.send('two')).toThrow('the fake source is over');
  });

  it('loses records, and counts those and what does not fit', async () => {
    const source = await connected({ queueSize: 2, batchSize: 1 });
    const losses: unknown[] = [];
    source
      .on('dropped', ({ cause, count }) => losses.push([cause, count]))
      .on('gap', (gap) => losses.push(gap));
    source.feed.drop(3, 'message_too_large');
    source.feed.gap(5, 8);
    source.feed.send('1', '2', '3', '4', '5');
    expect(losses.slice(0, 2)).toEqual([['message_too_large', 3], { type: 'gap', expected: 5, received: 8 }]);
    const { DroppedMessageTooLarge, DroppedQueueFull, UnaccountedCount } = source.status();
    expect([DroppedMessageTooLarge, UnaccountedCount]).toEqual([3, 0]);
    expect(DroppedQueueFull).toBeGreaterThan(0);
    await source.close({ timeoutMs: 0 });
  });

  it('says what there is when not as many records were delivered as a test waits for', async () => {
    const source = await connected();
    source.feed.send('1', '2');
    const records = source[Symbol.asyncIterator]();
    await records.next();
    await records.next();
    await source.feed.delivered(1);
    await expect(source.feed.delivered(2, { timeoutMs: 20 })).rejects.toThrow(
      'not within 20 ms: 2 records delivered, got 1 delivered, 0 dropped, 0 queued, 1 with the consumer of 2 sent',
    );
    await source.close({ timeoutMs: 0 });
  });

  it('refuses what cannot happen', async () => {
    const source = fakeSource();
    expect(() => source.feed.disconnect()).toThrow('disconnect() before the fake source was used');
    await source.ready();
    expect(() => source.feed.reconnect()).toThrow('is not disconnected');
    await source.close();
  });

  it('keeps time by the clock of the test', async () => {
    const clock = createManualClock();
    const source = await connected({ clock, records: ['one'] });
    await clock.advance(1500);
    expect(source.status()['MillisSinceLastMessage']).toBe(1500);
    const closing = source.close({ timeoutMs: 100 });
    await clock.advance(100);
    expect(await closing).toEqual({ delivered: 0, undelivered: 1 });
  });

  it('has the offsets of what was delivered stored', async () => {
    const stored: unknown[] = [];
    const offsets = {
      read: async () => undefined,
      write: async (source: string, all: readonly unknown[]) => void stored.push(source, ...all),
    };
    const at = (n: number) => ({
      value: `${n}`,
      sourcePartition: { feed: 'a' },
      sourceOffset: { sequence: n },
    });
    const source = fakeSource({ name: 'prices', offsets, records: [at(1), at(2), at(3)] });
    for await (const { value } of source.text()) if (value === '3') break;
    expect(stored).toEqual(['prices', { partition: { feed: 'a' }, offset: { sequence: 2 } }]);
  });

  it('goes into a log as any source', async () => {
    const log = createScriptedLog({ clock: createManualClock() });
    const source = fakeSource({ topic: 'prices', records: ['1', '2'] });
    const run = pipe(source, logSink(await log.connect().producer({ clientId: 'test' })));
    await source.feed.settled();
    source.feed.end();
    expect(await run.done).toEqual({ delivered: 2, undelivered: 0 });
    expect(log.values('prices')).toEqual(['1', '2']);
  });
});
