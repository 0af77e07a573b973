import { ConnectorError } from '@levada/connect-runtime-core';
import { createRecordingLogger } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { bytes, collect, record, text } from '../test/records.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { openEmbeddedPlatform } from './open-embedded-platform.ts';

describe('the producer of the embedded log', () => {
  it('a batch is stored in order, with its keys, nulls, headers and times', async () => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    const producer = await platform.producer({ clientId: 'test' });
    const headers = [
      { key: 'trace', value: bytes('1') },
      { key: 'trace', value: null },
    ];
    const result = await producer.send([
      record('prices', 'first', { key: bytes('k'), timestamp: 5, headers }),
      record('prices', null, { timestamp: 3 }),
      record('prices', ''),
    ]);
    expect(result).toEqual({ stored: 3, failures: [] });
    const stored = await collect(platform.reader().read({ topic: 'prices' }));
    expect(
      stored.map(({ offset, key, value, timestamp }) => [offset, key && text(key), text(value), timestamp]),
    ).toEqual([
      [0, 'k', 'first', 5],
      [1, null, null, 3],
      [2, null, '', 1_700_000_000_000],
    ]);
    expect(stored[0]?.headers.map((header) => [header.key, text(header.value)])).toEqual([
      ['trace', '1'],
      ['trace', null],
    ]);
    await platform.close();
  });

  it('many concurrent batches keep their order', async () => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    const producer = await platform.producer({ clientId: 'test' });
    const padding = 'x'.repeat(1000);
    const sends = Array.from({ length: 200 }, (_, batch) =>
      producer.send(Array.from({ length: 50 }, (_, i) => record('t', `${batch * 50 + i} ${padding}`))),
    );
    const results = await Promise.all(sends);
    expect(results.every((result) => result.stored === 50)).toBe(true);
    const stored = await collect(platform.reader().read({ topic: 't' }));
    expect(stored.map((one) => Number.parseInt(text(one.value) ?? '', 10))).toEqual(
      Array.from({ length: 10_000 }, (_, i) => i),
    );
    expect(producer.pendingBytes).toBe(0);
    await platform.close();
  });

  it('the bytes are copied before send returns', async () => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    const producer = await platform.producer({ clientId: 'test' });
    const value = bytes('as handed over');
    const sent = producer.send([record('t', null, { value })]);
    value.fill(0);
    await sent;
    const [stored] = await collect(platform.reader().read({ topic: 't' }));
    expect(text(stored?.value ?? null)).toBe('as handed over');
    await platform.close();
  });

  it('invalid records are refused by index, and the others are stored', async () => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path, autoCreateTopics: false });
    await platform.createTopics([
      { name: 't', partitions: 2 },
      { name: 'map', config: { 'cleanup.policy': 'compact' } },
    ]);
    const producer = await platform.producer({ clientId: 'test', overrides: { 'max.request.size': '10' } });
    const { stored, failures } = await producer.send([
      record('t', 'x'.repeat(11)),
      record('t', 'fits'),
      record('t', 'x', { partition: 2 }),
      record('map', 'x'),
      record('elsewhere', 'x'),
      record('t', 'x', { timestamp: Number.NaN }),
      record('map', 'x', { key: bytes('k') }),
    ]);
    expect(stored).toBe(2);
    expect(failures.map(({ index, error }) => [index, error.code, error.message])).toEqual([
      [0, 'record_too_large', 'record for topic "t" has 11 bytes, more than the 10 allowed'],
      [2, 'record_rejected', 'topic "t" has no partition 2: it has 0 to 1'],
      [3, 'record_rejected', 'topic "map" is compacted: its records need a key'],
      [4, 'topic_unavailable', 'there is no topic "elsewhere", and topics are not made by writing to them'],
      [5, 'record_rejected', 'record for topic "t" has the time NaN'],
    ]);
    await platform.close();
  });

  it('a record larger than a batch of the file is stored', async () => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    const producer = await platform.producer({ clientId: 'test' });
    await producer.send([record('t', 'a'), record('t', 'b'.repeat(1_000_000)), record('t', 'c')]);
    const stored = await collect(platform.reader().read({ topic: 't' }));
    expect(stored.map((one) => one.value?.length)).toEqual([1, 1_000_000, 1]);
    await platform.close();
  });

  it('records are assigned by key as in Kafka, and those without a key to all partitions in turn', async () => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    await platform.createTopics([{ name: 't', partitions: 3 }]);
    const producer = await platform.producer({ clientId: 'test' });
    await producer.send([record('t', 'x', { key: bytes('foobar') }), record('t', 'y', { partition: 2 })]);
    await producer.send(Array.from({ length: 30 }, () => record('t', 'z'.repeat(5000))));
    const stored = await collect(platform.reader().read({ topic: 't' }));
    const partitionsOf = (value: string): number[] =>
      stored.filter((one) => text(one.value)?.startsWith(value)).map((one) => one.partition);
    expect(partitionsOf('x')).toEqual([(-790332482 & 0x7fffffff) % 3]);
    expect(partitionsOf('y')).toEqual([2]);
    expect(new Set(partitionsOf('z')).size).toBe(3);
    await platform.close();
  });

  it('__proto__ is an ordinary topic name', async () => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    const producer = await platform.producer({ clientId: 'test' });
    const result = await producer.send([record('__proto__', 'a'), record('constructor', 'b')]);
    expect(result.stored).toBe(2);
    const topics = await platform.reader().topics();
    expect(topics.map((topic) => topic.name)).toEqual(['__proto__', 'constructor']);
    await platform.close();
  });

  it('a closed producer has flushed its records and refuses to send', async () => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    const producer = await platform.producer({ clientId: 'test' });
    const sent = producer.send([record('t', 'x'.repeat(1000))]);
    expect(producer.pendingBytes).toBe(1000);
    await producer.flush();
    expect(producer.pendingBytes).toBe(0);
    expect((await sent).stored).toBe(1);
    await Promise.all([producer.close(), producer.close({ timeoutMs: 0 })]);
    await expect(producer.send([record('t', 'x')])).rejects.toMatchObject({ code: 'closed' });
    await platform.close();
  });

  it('a producer key without effect is logged once, and invalid values are refused', async () => {
    using folder = temporaryFolder();
    const logger = createRecordingLogger();
    const platform = await openEmbeddedPlatform({ folder: folder.path, logger });
    for (const clientId of ['a', 'b']) {
      await platform.producer({ clientId, overrides: { 'linger.ms': '5', 'delivery.timeout.ms': '1000' } });
    }
    expect(logger.withEvent('embedded_log_key_ignored').map((line) => line.fields['key'])).toEqual([
      'linger.ms',
    ]);
    const wrong = platform.producer({ clientId: 'c', overrides: { 'delivery.timeout.ms': 'soon' } });
    await expect(wrong).rejects.toThrow(
      new ConnectorError(
        'config_invalid',
        'producer key delivery.timeout.ms is "soon", expected a positive integer',
      ),
    );
    await platform.close();
  });
});
