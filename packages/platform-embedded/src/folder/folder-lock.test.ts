import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { openEmbeddedPlatform } from '../open-embedded-platform.ts';
import { openEmbeddedReader } from '../read/open-embedded-reader.ts';
import { folderLayout } from './folder-layout.ts';
import { lockFolder } from './folder-lock.ts';

const writer = fileURLToPath(new URL('../../test/acknowledging-writer.ts', import.meta.url));

describe('the lock of a folder', () => {
  it('the lock refuses a second writer with the id of the holder, admits readers, and ends with the holder', async () => {
    using folder = temporaryFolder();
    const holder = spawn(process.execPath, [writer, folder.path], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await once(holder.stdout, 'data');
      await expect(openEmbeddedPlatform({ folder: folder.path })).rejects.toMatchObject({
        code: 'log_in_use',
        message: `folder "${folder.path}" is in use by another process (pid ${holder.pid}): stop that one first, or choose another folder`,
      });
      const reader = await openEmbeddedReader({ folder: folder.path });
      await reader.close();
    } finally {
      holder.kill('SIGKILL');
      await once(holder, 'exit');
    }
    const platform = await openEmbeddedPlatform({ folder: folder.path });
    await platform.close();
  });

  it('a second lock within the process is refused until the first is released', async () => {
    using folder = temporaryFolder();
    const layout = folderLayout(folder.path);
    const lock = await lockFolder(layout);
    await expect(lockFolder(layout)).rejects.toThrow(`is in use by this process (pid ${process.pid})`);
    lock.release();
    lock.release();
    const again = await lockFolder(layout);
    again.release();
  });

  it('the lock is released if opening the folder fails', async () => {
    using folder = temporaryFolder();
    const layout = folderLayout(folder.path);
    mkdirSync(layout.holder);
    await expect(lockFolder(layout)).rejects.toThrow('EISDIR');
    rmdirSync(layout.holder);
    const lock = await lockFolder(layout);
    lock.release();
  });

  it('a link to the folder has the same lock', async () => {
    using folder = temporaryFolder();
    using other = temporaryFolder();
    const lock = await lockFolder(folderLayout(folder.path));
    const link = join(other.path, 'link');
    symlinkSync(folder.path, link);
    await expect(lockFolder(folderLayout(link))).rejects.toMatchObject({ code: 'log_in_use' });
    lock.release();
  });

  it('the error names the folder that cannot be created', async () => {
    await expect(lockFolder(folderLayout('/dev/null/log'))).rejects.toMatchObject({
      code: 'file_unreadable',
      message: expect.stringContaining('folder "/dev/null/log" cannot be used: ENOTDIR'),
    });
  });
});
