import { cpSync, renameSync, rmSync } from 'node:fs';
import { createRecordingLogger } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { collect, record } from '../../test/records.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { openEmbeddedPlatform } from '../open-embedded-platform.ts';
import { folderLayout } from './folder-layout.ts';

describe('a log whose files are taken away while it is open', () => {
  it.each(['the folder', 'log.db', 'log.db-wal', 'lock.db'])(
    'a log without %s acknowledges nothing and says why',
    async (gone) => {
      using folder = temporaryFolder();
      const logger = createRecordingLogger();
      const platform = await openEmbeddedPlatform({ folder: folder.path, logger });
      const producer = await platform.producer({ clientId: 'test' });
      expect((await producer.send([record('t', 'safe')])).stored).toBe(1);
      rmSync(gone === 'the folder' ? folder.path : `${folder.path}/${gone}`, { recursive: true });
      const { stored, failures } = await producer.send([record('t', 'lost')]);
      expect(stored).toBe(0);
      expect(failures[0]?.error.code).toBe('log_corrupt');
      expect(failures[0]?.error.message).toContain('was removed or replaced while it was in use');
      expect(platform.health().status).toBe('away');
      expect(logger.withEvent('embedded_log_failed')).toHaveLength(1);
      await platform.close();
    },
  );

  it('a replaced file is noticed', async () => {
    using folder = temporaryFolder();
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    const producer = await platform.producer({ clientId: 'test' });
    await producer.send([record('t', 'safe')]);
    const { log } = folderLayout(folder.path);
    cpSync(log, `${log}.copy`);
    renameSync(`${log}.copy`, log);
    expect((await producer.send([record('t', 'lost')])).failures).toHaveLength(1);
    expect(await collect(platform.reader().read({ topic: 't' }))).not.toEqual([]);
    await platform.close();
  });
});
