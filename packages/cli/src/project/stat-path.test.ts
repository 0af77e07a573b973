import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { statPath } from './stat-path.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'levada-stat-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('distinguishes folders, files and missing paths', async () => {
  const file = join(folder, 'a');
  writeFileSync(file, '');
  expect(await statPath(folder)).toBe('folder');
  expect(await statPath(file)).toBe('file');
  expect(await statPath(join(folder, 'b'))).toBeUndefined();
  expect(await statPath(join(file, 'c'))).toBeUndefined();
  expect(await statPath(join(folder, 'd'.repeat(300)))).toBeUndefined();
});

test('does not report a path as missing that it cannot inspect', async () => {
  const loop = join(folder, 'loop');
  symlinkSync(loop, loop);
  await expect(statPath(loop)).rejects.toThrow(`"${loop}" cannot be looked at: ELOOP`);
});
