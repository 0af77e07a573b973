import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openEmbeddedPlatform } from '../src/open-embedded-platform.ts';
import { sqliteOffsets } from '../src/sqlite-offsets.ts';
import { record } from './records.ts';
import { temporaryFolder } from './temporary-folder.ts';

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** The access rights of the files of an open log. */
async function modesOfLog(folder: string): Promise<Readonly<Record<string, string>>> {
  const platform = await openEmbeddedPlatform({ folder });
  const producer = await platform.producer({ clientId: 'test' });
  await producer.send([record('prices', '1')]);
  const modes = Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(join(folder, name))]));
  await platform.close();
  return modes;
}

describe.skipIf(process.platform === 'win32')(
  'what is stored (not on Windows, which has no such modes)',
  () => {
    const own = '600';
    const files = {
      'cluster-id': own,
      'holder.pid': own,
      'lock.db': own,
      'log.db': own,
      'log.db-shm': own,
      'log.db-wal': own,
    };

    it('new folders and files belong to their user only', async () => {
      using folder = temporaryFolder();
      const made = join(folder.path, 'made');
      expect(await modesOfLog(join(made, 'log'))).toEqual(files);
      expect([made, join(made, 'log')].map(modeOf)).toEqual(['700', '700']);
    });

    it('an existing folder keeps its mode', async () => {
      using folder = temporaryFolder();
      const given = join(folder.path, 'given');
      mkdirSync(given, { mode: 0o755 });
      expect(await modesOfLog(given)).toEqual(files);
      expect(modeOf(given)).toBe('755');
    });

    it('offset files belong to their user only', async () => {
      using folder = temporaryFolder();
      const path = join(folder.path, 'offsets.db');
      const offsets = sqliteOffsets(path);
      await offsets.write('one', [{ partition: { part: 1 }, offset: { at: 1 } }]);
      expect(readdirSync(folder.path).map((name) => modeOf(join(folder.path, name)))).toEqual([
        own,
        own,
        own,
      ]);
      await offsets.close?.('one');
    });

    it('offsets in memory have no file', async () => {
      const offsets = sqliteOffsets(':memory:');
      await offsets.write('one', [{ partition: { part: 1 }, offset: { at: 1 } }]);
      expect(await offsets.read('one', { part: 1 })).toEqual({ at: 1 });
      await offsets.close?.('one');
      expect(existsSync(':memory:')).toBe(false);
    });
  },
);
