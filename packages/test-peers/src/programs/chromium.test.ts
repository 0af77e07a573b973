import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findChromium } from './chromium.ts';

it('findChromium resolves with the absolute path of an installed browser', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'levada-chromium-'));
  const path = process.env['PATH'];
  onTestFinished(async () => {
    process.env['PATH'] = path;
    await rm(folder, { recursive: true });
  });
  const browser = join(folder, 'chromium');
  await writeFile(browser, '#!/bin/sh\necho Chromium 1\n');
  await chmod(browser, 0o755);
  process.env['PATH'] = folder;
  expect((await findChromium()).program).toBe(browser);
});
