import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { collect, record } from '../../test/records.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { openEmbeddedPlatform } from '../open-embedded-platform.ts';
import { openEmbeddedReader } from '../read/open-embedded-reader.ts';
import { folderLayout } from './folder-layout.ts';
import { openDatabase } from './sqlite.ts';

/** Creates a topic of some megabytes and returns the path of its log. */
async function fillLog(folder: string): Promise<string> {
  const platform = await openEmbeddedPlatform({ folder });
  const producer = await platform.producer({ clientId: 'test' });
  for (let i = 0; i < 20; i += 1) {
    await producer.send(Array.from({ length: 100 }, () => record('t', 'x'.repeat(1000))));
  }
  await platform.close();
  return folderLayout(folder).log;
}

async function openError(folder: string): Promise<string> {
  const error: unknown = await openEmbeddedPlatform({ folder }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'log_corrupt', retriable: false });
  return (error as Error).message;
}

describe('opening a log', () => {
  it('the cluster id has 22 characters and stays the same', async () => {
    using folder = temporaryFolder();
    const ids: string[] = [];
    for (let i = 0; i < 2; i += 1) {
      const platform = await openEmbeddedPlatform({ folder: folder.path });
      ids.push(await platform.clusterId());
      await platform.close();
    }
    expect(ids[0]).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(ids[1]).toBe(ids[0]);
  });

  it.each([1, 8, 20, 31])('a file cut off at %i pages is refused', async (pages) => {
    using folder = temporaryFolder();
    const log = await fillLog(folder.path);
    truncateSync(log, pages * 32_768 + 100);
    const before = readFileSync(log);
    expect(await openError(folder.path)).toContain(`log "${log}" is damaged`);
    expect(readFileSync(log).equals(before)).toBe(true);
  });

  it('an empty or missing file is refused instead of starting an empty log', async () => {
    using folder = temporaryFolder();
    const log = await fillLog(folder.path);
    truncateSync(log, 0);
    expect(await openError(folder.path)).toContain(
      'it is empty or missing, but the folder held a log before',
    );
    rmSync(log);
    expect(await openError(folder.path)).toContain('it is empty or missing');
  });

  it('a file that is not a database, or of another program, is refused', async () => {
    using folder = temporaryFolder();
    const { log } = folderLayout(folder.path);
    writeFileSync(log, 'just some text, which is longer than a header of one hundred bytes '.repeat(10));
    expect(await openError(folder.path)).toContain('file is not a database');
    rmSync(log);
    const other = await openDatabase(log);
    other.exec('CREATE TABLE theirs (a)');
    other.close();
    expect(await openError(folder.path)).toContain('it is a SQLite file of another program');
  });

  it('overwritten pages are refused', async () => {
    using folder = temporaryFolder();
    const log = await fillLog(folder.path);
    const content = readFileSync(log);
    content.fill(0xff, 32_768, 32_768 * 8);
    writeFileSync(log, content);
    expect(await openError(folder.path)).toContain('is damaged');
  });

  it('reading stops with an error at a record with a flipped bit', async () => {
    using folder = temporaryFolder();
    const log = await fillLog(folder.path);
    const content = readFileSync(log);
    const at = content.indexOf('x'.repeat(500), content.length >> 1);
    content[at + 100] = 'y'.charCodeAt(0);
    writeFileSync(log, content);
    const reader = await openEmbeddedReader({ folder: folder.path });
    await expect(collect(reader.read({ topic: 't' }))).rejects.toMatchObject({
      code: 'log_corrupt',
      message: expect.stringMatching(/log \d+, offset \d+ is damaged: its checksum is wrong/),
    });
    await reader.close();
  });

  it('a row with a wrong count returns no records', async () => {
    using folder = temporaryFolder();
    const log = await fillLog(folder.path);
    const database = await openDatabase(log);
    database.exec('UPDATE batch SET count = count + 1 WHERE id = (SELECT max(id) FROM batch)');
    database.close();
    const reader = await openEmbeddedReader({ folder: folder.path });
    await expect(collect(reader.read({ topic: 't' }))).rejects.toMatchObject({
      code: 'log_corrupt',
      message: expect.stringContaining('the batch ends in the middle of a record'),
    });
    await reader.close();
  });

  it('a file without a table counts as an empty folder', async () => {
    using folder = temporaryFolder();
    const { log } = folderLayout(folder.path);
    const database = await openDatabase(log);
    database.exec('PRAGMA journal_mode = WAL');
    database.close();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    expect(platform.health()).toEqual({ status: 'ok' });
    await platform.close();
  });

  it('a file of a newer release is refused, even for reading', async () => {
    using folder = temporaryFolder();
    const log = await fillLog(folder.path);
    const database = await openDatabase(log);
    database.exec('PRAGMA user_version = 99');
    database.close();
    const newer = {
      code: 'unsupported',
      message: expect.stringContaining('has version 99, written by a newer release'),
    };
    await expect(openEmbeddedPlatform({ folder: folder.path })).rejects.toMatchObject(newer);
    await expect(openEmbeddedReader({ folder: folder.path })).rejects.toMatchObject(newer);
  });
});
