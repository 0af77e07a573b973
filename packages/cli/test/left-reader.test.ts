import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentLogger, systemClock } from '@levada/connect-runtime-core';
import { openEmbeddedPlatform } from '@levada/platform-embedded';
import { afterAll, beforeAll, expect, it } from 'vitest';

const levada = fileURLToPath(new URL('../bin/levada.js', import.meta.url));
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'levada-left-'));
  const platform = await openEmbeddedPlatform({ folder, logger: silentLogger, clock: systemClock });
  const producer = await platform.producer({ clientId: 'test' });
  const record = { topic: 't', partition: null, key: null, timestamp: 0, headers: [] };
  const value = Buffer.alloc(1000, 'x');
  await producer.send(Array.from({ length: 1000 }, () => ({ ...record, value })));
  await producer.close();
  await platform.close();
});
afterAll(() => rm(folder, { recursive: true }));

it.each([
  ['read', []],
  ['tail', ['-n', '1000']],
])('levada topic %s ends quietly when its reader has left', async (command, more) => {
  const child = spawn(process.execPath, [levada, 'topic', command, 't', '--folder', folder, ...more]);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdout.once('data', () => child.stdout.destroy());
  // What follows is more than a pipe holds, so the reader is missed.
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect([code, errors]).toEqual([0, '']);
});
