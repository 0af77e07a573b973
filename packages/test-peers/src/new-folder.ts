import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Makes an empty folder and removes it after the test, also after one that failed. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'levada-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
