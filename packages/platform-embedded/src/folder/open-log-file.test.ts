import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { collect, record } from '../../test/records.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { openEmbeddedPlatform } from '../open-embedded-platform.ts';
import { openEmbeddedReader } from '../read/open-embedded-reader.ts';
import { folderLayout } from './folder-layout.ts';
import { openDatabase } from './sqlite.ts';

/** A folder with one topic of some megabytes; its log's path. */
async function filled(folder: string): Promise<string> {
  const platform = await openEmbeddedPlatform({ folder });
  const producer = await platform.producer({ clientId: 'test' });
  for (let i = 0; i < 20; i += 1) {
    await producer.send(Array.from({ length: 100 }, () => record('t', 'x'.repeat(1000))));
  }
  await platform.close();
  return folderLayout(folder).log;
}

async function refused(folder: string): Promise<string> {
  const error: unknown = await openEmbeddedPlatform({ folder }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'log_corrupt', retriable: false });
  return (error as Error).message;
}

describe('opening a log', () => {
  it('gives the same cluster id each time, of 22 characters', async () => {
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

  it.each([1, 8, 20, 31])('refuses a file cut short at %i pages', async (pages) => {
    using folder = temporaryFolder();
    const log = await filled(folder.path);
    truncateSync(log, pages * 32_768 + 100);
    const before = readFileSync(log);
    expect(await refused(folder.path)).toContain(`log "${log}" is damaged`);
    expect(readFileSync(log).equals(before)).toBe(true);
  });

  it('refuses a file that is empty or gone instead of starting with an empty log', async () => {
    using folder = temporaryFolder();
    const log = await filled(folder.path);
    truncateSync(log, 0);
    expect(await refused(folder.path)).toContain('it is empty or missing, but the folder held a log before');
    rmSync(log);
    expect(await refused(folder.path)).toContain('it is empty or missing');
  });

  it('refuses a file that is not a database, or that of another program', async () => {
    using folder = temporaryFolder();
    const { log } = folderLayout(folder.path);
    writeFileSync(log, 'just some text, which is longer than a header of one hundred bytes '.repeat(10));
    expect(await refused(folder.path)).toContain('file is not a database');
    rmSync(log);
    const other = await openDatabase(log);
    other.exec('CREATE TABLE theirs (a)');
    other.close();
    expect(await refused(folder.path)).toContain('it is a SQLite file of another program');
  });

  it('refuses pages that were overwritten', async () => {
    using folder = temporaryFolder();
    const log = await filled(folder.path);
    const content = readFileSync(log);
    content.fill(0xff, 32_768, 32_768 * 8);
    writeFileSync(log, content);
    expect(await refused(folder.path)).toContain('is damaged');
  });

  it('never returns a record with a flipped bit: reading stops there with an error', async () => {
    using folder = temporaryFolder();
    const log = await filled(folder.path);
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

  it('never returns records from a row whose count is wrong', async () => {
    using folder = temporaryFolder();
    const log = await filled(folder.path);
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

  it('takes a process that ended before it made its first table for an empty folder', async () => {
    using folder = temporaryFolder();
    const { log } = folderLayout(folder.path);
    const database = await openDatabase(log);
    database.exec('PRAGMA journal_mode = WAL');
    database.close();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    expect(platform.health()).toEqual({ status: 'ok' });
    await platform.close();
  });

  it('refuses a file of a newer release, for reading too', async () => {
    using folder = temporaryFolder();
    const log = await filled(folder.path);
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
