import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProjectFileSystem } from '@levada/stream-project-compiler';
import { nodeFileSystem } from '@levada/stream-project-compiler/node';
import { expect, it, onTestFinished } from 'vitest';
import { watchedFileSystem } from './watched-file-system.ts';

/** A project with one file, watched. Answers are held back until `release`: what they say is of before. */
async function slowFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'levada-watched-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'models'));
  await writeFile(join(folder, 'models/a.yml'), 'before');
  const files = nodeFileSystem(folder);
  const found = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const held = async <T>(answer: Promise<T>): Promise<T> => {
    const value = await answer;
    found.resolve();
    await released.promise;
    return value;
  };
  const disk: ProjectFileSystem = {
    list: (path) => held(files.list(path)),
    read: (path, limit) => held(files.read(path, limit)),
    follow: (path) => files.follow(path),
  };
  const changed = Promise.withResolvers<void>();
  const watched = watchedFileSystem(folder, changed.resolve, disk);
  onTestFinished(watched.close);
  return { folder, watched, found: found.promise, changed: changed.promise, release: released.resolve };
}

it('reads a file again that changed while it was read', async () => {
  const { folder, watched, found, changed, release } = await slowFolder();
  const read = async () => {
    const answer = await watched.read('models/a.yml', 100);
    return answer.kind === 'bytes' ? Buffer.from(answer.bytes).toString() : answer.kind;
  };
  const first = read();
  await found;
  await writeFile(join(folder, 'models/a.yml'), 'later');
  await changed;
  release();
  expect(await first).toBe('before');
  await expect.poll(read).toBe('later');
});

it('lists a folder again that changed while it was listed', async () => {
  const { folder, watched, found, changed, release } = await slowFolder();
  const list = async () => {
    const answer = await watched.list('models');
    return answer.kind === 'entries' ? answer.entries.map(({ name }) => name).toSorted() : answer.kind;
  };
  const first = list();
  await found;
  await writeFile(join(folder, 'models/b.yml'), '');
  await changed;
  release();
  expect(await first).toEqual(['a.yml']);
  expect(await list()).toEqual(['a.yml', 'b.yml']);
});
