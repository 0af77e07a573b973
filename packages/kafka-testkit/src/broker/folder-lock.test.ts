import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withFolderLock } from './folder-lock.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'levada-folder-lock-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

it('the lock makes the folder around it on a machine without a cache', async () => {
  const lock = join(folder, 'levada', 'kafka', '3.9.1', 'formatted.lock');
  expect(await withFolderLock(lock, async () => existsSync(lock))).toBe(true);
  expect(existsSync(lock)).toBe(false);
});

it('only one of several callers works at a time', async () => {
  const lock = join(folder, 'one.lock');
  let inside = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    inside += 1;
    most = Math.max(most, inside);
    await new Promise(setImmediate);
    inside -= 1;
  };
  await Promise.all([1, 2, 3].map(() => withFolderLock(lock, work)));
  expect(most).toBe(1);
});
