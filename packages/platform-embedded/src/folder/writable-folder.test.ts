import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { folderLayout } from './folder-layout.ts';
import { lockFolder } from './folder-lock.ts';
import { folderProblem } from './writable-folder.ts';

describe('folderProblem', () => {
  it('an existing folder, or one that can be created, has no problem and stays empty', () => {
    using folder = temporaryFolder();
    expect(folderProblem(folder.path)).toBeUndefined();
    expect(folderProblem(join(folder.path, 'a', 'b'))).toBeUndefined();
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('a file in the path is named', () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'file');
    writeFileSync(file, '');
    expect(folderProblem(file)).toBe(`folder "${file}" cannot be used: ENOTDIR, "${file}" is not a folder`);
    const below = join(file, 'log');
    expect(folderProblem(below)).toBe(`folder "${below}" cannot be used: ENOTDIR, "${file}" is not a folder`);
  });

  it.runIf(existsSync('/proc/self'))(
    'the check refuses a folder that the file system cannot create, as the lock does',
    async () => {
      expect(folderProblem('/proc/levada/log')).toContain('folder "/proc/levada/log" cannot be used: ENOENT');
      await expect(lockFolder(folderLayout('/proc/levada/log'))).rejects.toMatchObject({
        code: 'file_unreadable',
        message: expect.stringContaining('folder "/proc/levada/log" cannot be used: ENOENT'),
      });
    },
  );
});
