import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const LIMIT_MS = 600_000;
const POLL_MS = 100;

/**
 * Runs `work` while no other process does so under the same lock. The lock is a folder, because making one is atomic
 * everywhere; the lock of a process that died is taken over. The folder around it is made when it is missing.
 */
export async function withFolderLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  await acquire(folder);
  try {
    return await work();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function acquire(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  const deadline = performance.now() + LIMIT_MS;
  while (!(await taken(folder))) {
    if (performance.now() > deadline)
      throw new Error(`lock "${folder}" was not released within ${LIMIT_MS} ms`);
    if (await abandoned(folder)) await rm(folder, { recursive: true, force: true });
    await wait(POLL_MS);
  }
}

async function taken(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
  await writeFile(join(folder, 'pid'), String(process.pid));
  return true;
}

async function abandoned(folder: string): Promise<boolean> {
  // The owner writes its id right after it made the folder: no file yet means that it is about to.
  const pid = Number(await readFile(join(folder, 'pid'), 'utf8').catch(() => ''));
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
