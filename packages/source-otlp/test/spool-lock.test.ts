import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { open, spoolFolder } from './spool-folder.ts';

const writer = fileURLToPath(new URL('./spool-writer.ts', import.meta.url));

function locksIn(path: string): readonly string[] {
  return readdirSync(path).filter((name) => name.startsWith('lock-'));
}

describe('the lock of a spool', () => {
  it('the lock refuses another process with the process id of the holder, and ends with the holder, however that ends', async () => {
    using folder = spoolFolder();
    const holder = spawn(process.execPath, [writer, folder.path, '1', '0'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await once(holder.stdout, 'data');
      await expect(open(folder)).rejects.toMatchObject({
        code: 'log_in_use',
        message: `spool "${folder.path}" is in use by another process (pid ${holder.pid}): stop that one first, or choose another folder`,
      });
      holder.kill('SIGSTOP');
      await expect(open(folder)).rejects.toMatchObject({ code: 'log_in_use' });
    } finally {
      holder.kill('SIGKILL');
      await once(holder, 'exit');
    }
    expect(locksIn(folder.path)).toEqual([expect.stringMatching(`^lock-${holder.pid}-`)]);
    const spool = await open(folder, { maxBytes: 100_000_000 });
    expect(locksIn(folder.path)).toEqual([expect.stringMatching(`^lock-${process.pid}-`)]);
    await spool.close();
    expect(locksIn(folder.path)).toEqual([]);
  });

  it('the lock refuses the same process, and is free again after closing', async () => {
    using folder = spoolFolder();
    const spool = await open(folder);
    await expect(open(folder)).rejects.toThrow(
      `spool "${folder.path}" is in use by this process (pid ${process.pid})`,
    );
    await spool.close();
    const again = await open(folder);
    await again.close();
  });

  it('the lock grants the lock to at most one of several concurrent requests', async () => {
    using folder = spoolFolder();
    for (let round = 0; round < 10; round += 1) {
      const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => open(folder)));
      const opened = outcomes.filter((outcome) => outcome.status === 'fulfilled');
      expect(opened.length).toBeLessThanOrEqual(1);
      await Promise.all(opened.map(({ value }) => value.close()));
    }
    expect(locksIn(folder.path)).toEqual([]);
  });

  it('the lock does not treat a dead process as the holder when its id was reused', async () => {
    using folder = spoolFolder();
    // a process of this id runs, but nothing listens
    const stale = join(folder.path, `lock-${process.ppid}-00c0ffee`);
    writeFileSync(stale, '');
    const spool = await open(folder);
    expect(locksIn(folder.path)).toEqual([expect.stringMatching(`^lock-${process.pid}-`)]);
    await spool.close();
  });

  it('the lock is the same through a link to the folder', async () => {
    using folder = spoolFolder();
    using other = spoolFolder();
    const link = join(other.path, 'link');
    symlinkSync(folder.path, link);
    const spool = await open(folder);
    await expect(open(folder, { folder: link })).rejects.toMatchObject({ code: 'log_in_use' });
    await spool.close();
  });

  it.runIf(process.platform === 'linux')(
    'the lock works in folders whose path is longer than that of a socket may be',
    async () => {
      using parent = spoolFolder();
      const path = join(parent.path, 'a'.repeat(100), 'b'.repeat(100));
      mkdirSync(path, { recursive: true });
      const spool = await open(parent, { folder: path });
      await expect(open(parent, { folder: path })).rejects.toMatchObject({ code: 'log_in_use' });
      await spool.close();
      expect(locksIn(path)).toEqual([]);
    },
  );
});
