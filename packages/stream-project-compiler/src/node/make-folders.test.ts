import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolders } from './make-folders.ts';

let top: string;

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'levada-folders-'));
});

afterEach(() => {
  rmSync(top, { recursive: true, force: true });
});

test('a folder is made with those that it is in', async () => {
  await makeFolders(join(top, 'a/b/c'));
  expect(statSync(join(top, 'a/b/c')).isDirectory()).toBe(true);
});

test.skipIf(process.platform === 'win32')('folders that are made have the given mode', async () => {
  await makeFolders(join(top, 'a/b'), 0o700);
  expect(statSync(join(top, 'a')).mode & 0o777).toBe(0o700);
});

test('a folder that is there stays as it is', async () => {
  writeFileSync(join(top, 'mine'), '');
  await makeFolders(top);
  expect(statSync(join(top, 'mine')).isFile()).toBe(true);
});

test('many may make the same folder at once', async () => {
  await Promise.all(Array.from({ length: 8 }, () => makeFolders(join(top, 'a/b/c'))));
  expect(statSync(join(top, 'a/b/c')).isDirectory()).toBe(true);
});

test('a link to a folder counts as one', async () => {
  mkdirSync(join(top, 'real'));
  symlinkSync(join(top, 'real'), join(top, 'link'));
  await makeFolders(join(top, 'link/a'));
  expect(statSync(join(top, 'real/a')).isDirectory()).toBe(true);
});

test.each(['file', 'file/a'])('the folder %s is refused where "file" is a file', async (path) => {
  writeFileSync(join(top, 'file'), '');
  await expect(makeFolders(join(top, path))).rejects.toThrow(/file" is not a folder/);
});

test('rejects a folder below a broken link instead of retrying forever', async () => {
  symlinkSync(join(top, 'nowhere'), join(top, 'link'));
  await expect(makeFolders(join(top, 'link/a'))).rejects.toThrow(/EEXIST.*link/);
});

test.runIf(process.platform === 'linux')(
  'rejects a folder that the system cannot create instead of retrying forever',
  async () => {
    await expect(makeFolders('/proc/levada/a')).rejects.toThrow(/ENOENT.*proc/);
  },
);
