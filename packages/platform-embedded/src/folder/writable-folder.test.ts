import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { folderLayout } from './folder-layout.ts';
import { lockFolder } from './folder-lock.ts';
import { folderProblem } from './writable-folder.ts';

describe('folderProblem', () => {
  it('finds nothing wrong with a folder that is there or can be made, and leaves nothing', () => {
    using folder = temporaryFolder();
    expect(folderProblem(folder.path)).toBeUndefined();
    expect(folderProblem(join(folder.path, 'a', 'b'))).toBeUndefined();
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('names a file that is in the way', () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'file');
    writeFileSync(file, '');
    expect(folderProblem(file)).toBe(`folder "${file}" cannot be used: ENOTDIR, "${file}" is not a folder`);
    const below = join(file, 'log');
    expect(folderProblem(below)).toBe(`folder "${below}" cannot be used: ENOTDIR, "${file}" is not a folder`);
  });

  it.runIf(existsSync('/proc/self'))(
    'refuses what the file system does not make, as the lock does',
    async () => {
      expect(folderProblem('/proc/levada/log')).toContain('folder "/proc/levada/log" cannot be used: ENOENT');
      await expect(lockFolder(folderLayout('/proc/levada/log'))).rejects.toMatchObject({
        code: 'file_unreadable',
        message: expect.stringContaining('folder "/proc/levada/log" cannot be used: ENOENT'),
      });
    },
  );
});
