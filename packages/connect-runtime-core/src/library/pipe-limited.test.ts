import { describe, expect, it } from 'vitest';
import type { PartitionOffset } from '../contract/offset-store.ts';
import type { SourceRecord } from '../contract/source-record.ts';
import type { DroppedRecords } from '../contract/source-task.ts';
import { ConnectorError } from '../diagnostics/connector-error.ts';
import { each } from '../sinks/each.ts';
import { logSink } from '../sinks/log-sink.ts';
import { createScriptedConnector } from '../testing/scripted-connector.ts';
import { createScriptedLog } from '../testing/scripted-log.ts';
import { createSource, type SourceOptions } from './create-source.ts';
import { pipe } from './pipe.ts';
import type { PipeSource } from './source-handle.ts';

const numbers = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i));

/** A source of records with offsets that has received these texts, three in a batch. */
async function numbered(texts: readonly string[], options: SourceOptions = {}) {
  const { connector, peer } = createScriptedConnector();
  const committed: (readonly SourceRecord[])[] = [];
  const settled: [records: number, dropped: [index: number, cause: string][]][] = [];
  let position = 0;
  const offset = (record: SourceRecord): SourceRecord => {
    position += 1;
    return { ...record, sourcePartition: { feed: 'f' }, sourceOffset: { position } };
  };
  const withOffsets = {
    ...connector,
    createTask: () => {
      const task = connector.createTask();
      const poll = task.poll.bind(task);
      return Object.assign(task, {
        poll: async () => (await poll()).map(offset),
        committed: (records: readonly SourceRecord[], dropped: DroppedRecords) => {
          committed.push(records);
          settled.push([records.length, [...dropped]]);
        },
      });
    },
  };
  const config = { topic: 'numbers', 'scripted.batch.size': '3' };
  const source = createSource(withOffsets, config, { name: 'feed', ...options });
  await source.ready();
  peer.send(...texts);
  const log = createScriptedLog();
  const sink = logSink(await log.connect().producer({ clientId: 'test' }));
  return { source, peer, committed, settled, log, sink };
}

describe('a pipe from a source that ends early', () => {
  it('delivers as many records as the limit, closes the source, and gives up the rest', async () => {
    const { source, peer, settled, log, sink } = await numbered(numbers(20));
    const run = pipe(source.limit(10), sink);
    expect(await run.done).toEqual({ delivered: 10, undelivered: 10 });
    expect(log.values('numbers')).toEqual(numbers(10));
    expect(peer.connections).toBe(0);
    const cut = [1, 2].map((index) => [index, 'shutdown_timeout']);
    expect(settled).toEqual([
      [3, []],
      [3, []],
      [3, []],
      [3, cut],
    ]);
    expect(run.status()).toMatchObject({
      RecordsProduced: 10,
      DroppedShutdownTimeout: 10,
      DroppedDeliveryUnknown: 0,
      UnaccountedCount: 0,
    });
  });

  it('stores no offset of a record beyond the limit', async () => {
    const written: PartitionOffset[] = [];
    const offsets = {
      read: async () => undefined,
      write: async (_: string, changed: readonly PartitionOffset[]) => void written.push(...changed),
    };
    const { source, sink } = await numbered(numbers(20), { offsets });
    await pipe(source.limit(4), sink).done;
    expect(written.at(-1)).toEqual({ partition: { feed: 'f' }, offset: { position: 4 } });
  });

  it('commits a batch that ends with the last record', async () => {
    const { source, committed, sink } = await numbered(numbers(7));
    await pipe(source.limit(6), sink).done;
    expect(committed.map(({ length }) => length)).toEqual([3, 3]);
  });

  it('starts nothing for a limit of 0', async () => {
    const { connector, peer } = createScriptedConnector();
    const source = createSource(connector, { topic: 'numbers' });
    const run = pipe(
      source.limit(0),
      each(() => undefined),
    );
    expect(await run.done).toEqual({ delivered: 0, undelivered: 0 });
    expect(peer.connections).toBe(0);
  });

  it('ends after the first record for which a condition is true, which is delivered', async () => {
    const { source, log, sink } = await numbered(numbers(20));
    const last = source.json<number>().until(({ value }) => value === 4);
    expect(await pipe(last, sink).done).toEqual({ delivered: 5, undelivered: 15 });
    expect(log.values('numbers')).toEqual(numbers(5));
  });

  it('ends with the first of several rules', async () => {
    const { source, log, sink } = await numbered(numbers(20));
    await pipe(
      source
        .text()
        .until(({ value }) => value === '8')
        .limit(5)
        .limit(7),
      sink,
    ).done;
    expect(log.values('numbers')).toEqual(numbers(5));
  });

  it('ends with what a condition throws, after the record that it was asked about', async () => {
    const { source, peer, log, sink } = await numbered(numbers(20));
    const throwing = source.text().until(({ value }) => {
      if (value === '4') throw new Error('of the condition');
      return false;
    });
    const run = pipe(throwing, sink);
    await expect(run.done).rejects.toThrow('of the condition');
    expect(log.values('numbers')).toEqual(numbers(5));
    expect([peer.connections, run.status()]).toMatchObject([0, { UnaccountedCount: 0 }]);
  });

  it('does not count invalid records that are skipped', async () => {
    const { source, log, sink } = await numbered(['1', 'one', '2', 'two', '3', '4']);
    const run = pipe(source.json({ onInvalid: 'skip' }).limit(3), sink);
    expect(await run.done).toMatchObject({ delivered: 3 });
    expect(log.values('numbers')).toEqual(['1', '2', '3']);
    expect(run.status()).toMatchObject({ DroppedConversionError: 2, UnaccountedCount: 0 });
  });

  it('gives callbacks the values of the source, and waits for them', async () => {
    const seen: number[] = [];
    const { source } = await numbered(numbers(20));
    const sink = each<number>(async ({ value }) => {
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(value);
    });
    expect(await pipe(source.json<number>().limit(5), sink).done).toMatchObject({ delivered: 5 });
    expect(seen).toEqual([0, 1, 2, 3, 4]);
  });

  it('ends at a record that cannot be delivered, and closes the source at once', async () => {
    const { source, peer, log, sink } = await numbered(numbers(20));
    log.faults.refuse(() => new ConnectorError('record_rejected', 'no'));
    const run = pipe(source.limit(2), sink);
    await expect(run.done).rejects.toThrow('no');
    expect([peer.connections, run.status()]).toMatchObject([0, { UnaccountedCount: 0 }]);
  });

  it('is refused for batches, with what to use instead', async () => {
    const { source, sink } = await numbered([]);
    const batches = source.batches() as unknown as PipeSource;
    expect(() => pipe(batches, sink)).toThrow(
      /^pipe takes a source, or its limit\(\) or until\(\); batches\(\)/,
    );
    await source.close();
  });
});
