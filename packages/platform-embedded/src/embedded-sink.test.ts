import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipe, silentLogger, systemClock } from '@levada/connect-runtime-core';
import { createSource } from '@levada/connect-runtime-core/library';
import { createManualClock, createScriptedConnector } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { type EmbeddedSinkOptions, embeddedSink } from './embedded-sink.ts';
import { openDatabase } from './folder/sqlite.ts';
import { openEmbeddedPlatform } from './open-embedded-platform.ts';
import { openEmbeddedReader } from './read/open-embedded-reader.ts';
import { sqliteOffsets } from './sqlite-offsets.ts';

async function valuesOf(folder: string, topic: string): Promise<string[]> {
  const reader = await openEmbeddedReader({ folder });
  const values: string[] = [];
  for await (const { value } of reader.read({ topic, from: 'start' }))
    values.push(Buffer.from(value ?? []).toString());
  await reader.close();
  return values;
}

describe('embeddedSink', () => {
  it('invalid options are refused, all at once', () => {
    expect(() =>
      embeddedSink({ retentionMs: 'a week', topics: 'a' } as object as EmbeddedSinkOptions),
    ).toThrow(
      [
        'folder is required',
        'retentionMs must be a whole number from -1, got a week',
        'topics is not an option, did you mean topic?',
      ].join('\n'),
    );
  });

  it('each run opens and closes the log of the folder', async () => {
    using folder = temporaryFolder();
    for (const value of ['1', '2']) {
      const { connector, peer } = createScriptedConnector();
      const source = createSource(connector, { topic: 'prices' });
      const run = pipe(source, embeddedSink({ folder: folder.path, topic: 'kept' }));
      await source.ready();
      peer.send(value);
      expect(await run.close()).toEqual({ delivered: 1, undelivered: 0 });
    }
    expect(await valuesOf(folder.path, 'kept')).toEqual(['1', '2']);
  });

  it('a run ends before its source starts if another process uses the folder', async () => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    const { connector, peer } = createScriptedConnector();
    const run = pipe(createSource(connector, { topic: 't' }), embeddedSink({ folder: folder.path }));
    await expect(run.done).rejects.toMatchObject({ code: 'log_in_use' });
    expect(peer.connections).toBe(0);
    await platform.close();
  });
});

describe('sqliteOffsets', () => {
  it('an invalid path or option is refused', () => {
    expect(() => sqliteOffsets('', { flushIntervalMs: Number.NaN })).toThrow(
      'path must be a string that is not empty, got an empty string\n' +
        'flushIntervalMs must be a number of milliseconds from 0, got NaN',
    );
  });

  const context = {
    source: 'feed',
    logger: silentLogger,
    clock: systemClock,
    signal: new AbortController().signal,
  };

  it('each source reads its offsets of an earlier process, in any order of keys', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'offsets.db');
    const first = sqliteOffsets(path);
    await first.open?.(context);
    await first.write('one', [{ partition: { a: 1, b: 'x' }, offset: { n: 1, last: null } }]);
    await first.write('one', [{ partition: { b: 'x', a: 1 }, offset: { n: 2 } }]);
    await first.close?.('one');
    const second = sqliteOffsets(path);
    await second.open?.(context);
    expect(await second.read('one', { b: 'x', a: 1 })).toEqual({ n: 2 });
    expect(await second.read('two', { b: 'x', a: 1 })).toBeUndefined();
    await second.close?.('one');
  });

  it('several processes can use one file', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'offsets.db');
    const stores = [sqliteOffsets(path), sqliteOffsets(path)];
    for (const [n, store] of stores.entries()) {
      await store.open?.(context);
      await store.write(`source ${n}`, [{ partition: {}, offset: { n } }]);
    }
    expect(await stores[0]?.read('source 1', {})).toEqual({ n: 1 });
    for (const store of stores) await store.close?.('feed');
  });

  it('a damaged or foreign file is refused and left unchanged', async () => {
    using folder = temporaryFolder();
    const damaged = join(folder.path, 'damaged.db');
    await writeFile(damaged, 'this is no database, but text of a certain length');
    await expect(sqliteOffsets(damaged).open?.(context)).rejects.toMatchObject({ code: 'log_corrupt' });
    expect(await readFile(damaged, 'utf8')).toContain('no database');
    const foreign = join(folder.path, 'foreign.db');
    const other = await openDatabase(foreign);
    other.exec('CREATE TABLE t (x)');
    other.close();
    await expect(sqliteOffsets(foreign).open?.(context)).rejects.toThrow('a SQLite file of another program');
  });

  it('a write waits for another process that holds the file, without blocking this one', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'offsets.db');
    const store = sqliteOffsets(path);
    await store.open?.(context);
    const other = await openDatabase(path);
    for (const n of [1, 2]) {
      other.exec('BEGIN IMMEDIATE');
      const written = store.write('one', [{ partition: {}, offset: { n } }]);
      await new Promise((resolve) => setImmediate(resolve));
      other.exec('COMMIT');
      await written;
      expect(await store.read('one', {})).toEqual({ n });
    }
    other.close();
    await store.close?.('feed');
  });

  it('a write fails if the file stays locked', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'offsets.db');
    const clock = createManualClock();
    const store = sqliteOffsets(path);
    await store.open?.({ ...context, clock });
    const other = await openDatabase(path);
    other.exec('BEGIN IMMEDIATE');
    const written = store.write('one', [{ partition: {}, offset: { n: 1 } }]);
    const refused = written.catch((error: unknown) => error);
    await clock.advance(5000);
    expect(await refused).toMatchObject({ code: 'log_unavailable' });
    other.close();
    await store.close?.('feed');
  });

  it('the error names the file that cannot be opened', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'no', 'offsets.db');
    await expect(sqliteOffsets(path).open?.(context)).rejects.toMatchObject({
      code: 'log_unavailable',
      message: expect.stringContaining(`offset file "${path}"`),
    });
  });
});
