import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { bytes, collect, record, text } from '../../test/records.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { compact } from '../commit/retention.ts';
import { folderLayout } from '../folder/folder-layout.ts';
import { openDatabase } from '../folder/sqlite.ts';
import { openEmbeddedPlatform } from '../open-embedded-platform.ts';
import { openEmbeddedReader } from './open-embedded-reader.ts';
import type { ReadOptions } from './record-stream.ts';

const run = promisify(execFile);
const writer = fileURLToPath(new URL('../../test/acknowledging-writer.ts', import.meta.url));

async function tenRecords(folder: string): Promise<void> {
  const platform = await openEmbeddedPlatform({ folder });
  await platform.createTopics([{ name: 't', partitions: 2, config: { 'retention.ms': '-1' } }]);
  const producer = await platform.producer({ clientId: 'test' });
  for (let i = 0; i < 10; i += 1) {
    await producer.send([record('t', String(i), { partition: i % 2, timestamp: 1000 + i })]);
  }
  await platform.close();
}

describe('a reader of the folder', () => {
  it('clusterId returns the id of the log', async () => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    const reader = await openEmbeddedReader({ folder: folder.path });
    expect(await reader.clusterId()).toBe(await platform.clusterId());
    await reader.close();
    await platform.close();
  });

  it('topics have their partitions, offsets, bytes and keys', async () => {
    using folder = temporaryFolder();
    await tenRecords(folder.path);
    const reader = await openEmbeddedReader({ folder: folder.path });
    const expected = {
      name: 't',
      cleanupPolicy: 'delete',
      config: { 'retention.ms': '-1' },
      partitions: [
        { partition: 0, startOffset: 0, endOffset: 5, bytes: expect.any(Number) },
        { partition: 1, startOffset: 0, endOffset: 5, bytes: expect.any(Number) },
      ],
    };
    expect(await reader.topics()).toEqual([expected]);
    expect(await reader.topic('t')).toEqual(expected);
    expect(await reader.topic('u')).toBeUndefined();
    await reader.close();
    await reader.close();
    await expect(reader.topics()).rejects.toMatchObject({ code: 'closed' });
  });

  it.each<[string, Omit<ReadOptions, 'topic'>, string]>([
    ['the start, all partitions merged by time', {}, '0123456789'],
    ['the start of one partition', { partition: 1 }, '13579'],
    ['the end', { from: 'end' }, ''],
    ['an offset', { from: { offset: 3 }, partition: 0 }, '68'],
    ['an offset past the end', { from: { offset: 99 }, partition: 0 }, ''],
    ['the last three', { from: { last: 3 } }, '789'],
    ['the last of more than there are', { from: { last: 99 } }, '0123456789'],
    ['a time', { from: { timestamp: 1006 } }, '6789'],
    ['a time later than all', { from: { timestamp: 2000 } }, ''],
  ])('reads from %s', async (_, options, expected) => {
    using folder = temporaryFolder();
    await tenRecords(folder.path);
    const reader = await openEmbeddedReader({ folder: folder.path });
    const found = await collect(reader.read({ topic: 't', ...options }));
    expect(found.map((one) => text(one.value)).join('')).toBe(expected);
    await reader.close();
  });

  it.each([
    [2, 'c1 b99'],
    [3, 'a1 c1 b99'],
    [9, 'a1 c1 b99'],
    [Number.POSITIVE_INFINITY, 'a1 c1 b99'],
    [0, ''],
  ])('the last %i records of a compacted topic are found across gaps', async (last, expected) => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    const config = { 'cleanup.policy': 'compact' };
    await platform.createTopics([{ name: 't', partitions: 2, config }]);
    const producer = await platform.producer({ clientId: 'test' });
    const put = (key: string, value: string, partition: number) =>
      record('t', key + value, { key: bytes(key), partition, timestamp: Number(value) });
    await producer.send([put('a', '1', 0), ...Array.from({ length: 100 }, (_, i) => put('b', `${i}`, 0))]);
    await producer.send([put('c', '1', 1)]);
    await platform.close();
    const database = await openDatabase(folderLayout(folder.path).log);
    compact(database, [{ log: 1, below: Number.MAX_SAFE_INTEGER }], 0);
    database.close();

    const reader = await openEmbeddedReader({ folder: folder.path });
    const found = await collect(reader.read({ topic: 't', from: { last } }));
    expect(found.map((one) => text(one.value)).join(' ')).toBe(expected);
    await reader.close();
  });

  it('the error names the missing topic or partition', async () => {
    using folder = temporaryFolder();
    await tenRecords(folder.path);
    const reader = await openEmbeddedReader({ folder: folder.path });
    await expect(collect(reader.read({ topic: 'u' }))).rejects.toMatchObject({ code: 'topic_unavailable' });
    await expect(collect(reader.read({ topic: 't', partition: 2 }))).rejects.toThrow(
      'topic "t" has no partition 2: it has 0 to 1',
    );
    await reader.close();
  });

  it('a read-only folder can be read', async () => {
    using folder = temporaryFolder();
    await tenRecords(folder.path);
    // The owner grants access to others
    for (const name of readdirSync(folder.path)) chmodSync(join(folder.path, name), 0o444);
    chmodSync(folder.path, 0o555);
    const opener = new URL('open-embedded-reader.ts', import.meta.url);
    const code = `
      import { openEmbeddedReader } from ${JSON.stringify(opener.href)};
      if (process.getuid() === 0) process.setuid(65534); // root can write everything
      const reader = await openEmbeddedReader({ folder: ${JSON.stringify(folder.path)} });
      let read = 0;
      for await (const _ of reader.read({ topic: 't' })) read += 1;
      console.log(read);`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code]);
    expect(stdout).toBe('10\n');
    chmodSync(folder.path, 0o755);
  });

  it('a folder without a log is an error', async () => {
    using folder = temporaryFolder();
    await expect(openEmbeddedReader({ folder: folder.path })).rejects.toMatchObject({
      code: 'file_unreadable',
      message: `folder "${folder.path}" holds no log: start a worker that stores its records there first`,
    });
  });

  it('following returns the records of another process until the signal aborts', async () => {
    using folder = temporaryFolder();
    const child = spawn(process.execPath, [writer, folder.path], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await once(child.stdout, 'data');
      child.stdout.resume();
      const reader = await openEmbeddedReader({ folder: folder.path, pollMs: 10 });
      const stop = new AbortController();
      const numbers: number[] = [];
      for await (const one of reader.read({ topic: 'map', follow: true, signal: stop.signal })) {
        numbers.push(one.offset);
        if (numbers.length === 300) stop.abort();
      }
      expect(numbers).toEqual(Array.from({ length: 300 }, (_, i) => (numbers[0] ?? 0) + i));
      await reader.close();
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });
});

describe('following within the process that writes', () => {
  it('a follower wakes with each commit and gets each record once', async () => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    await platform.createTopics([{ name: 't' }]);
    const producer = await platform.producer({ clientId: 'test' });
    const tail = collect(platform.reader().read({ topic: 't', from: 'end', follow: true }), 50);
    for (let i = 0; i < 50; i += 1) await producer.send([record('t', String(i), { key: bytes('k') })]);
    expect((await tail).map((one) => text(one.value))).toEqual(
      Array.from({ length: 50 }, (_, i) => String(i)),
    );
    await platform.close();
  });

  it('closing the log during a read ends it with the same error', async () => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    const producer = await platform.producer({ clientId: 'test' });
    for (let i = 0; i < 2; i += 1) await producer.send([record('t', 'x'.repeat(1_000_000))]);
    const records = platform.reader().read({ topic: 't' })[Symbol.asyncIterator]();
    await records.next();
    await platform.close();
    const rest = (async () => {
      while ((await records.next()).done !== true);
    })();
    await expect(rest).rejects.toMatchObject({ code: 'closed' });
    expect(() => platform.reader()).toThrow('the embedded log is closed');
  });

  it('closing the log ends a follower with an error', async () => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    await platform.createTopics([{ name: 't' }]);
    const tail = collect(platform.reader().read({ topic: 't', follow: true }));
    const [outcome] = await Promise.all([tail.catch((thrown: unknown) => thrown), platform.close()]);
    expect(outcome).toMatchObject({ code: 'closed' });
  });
});
