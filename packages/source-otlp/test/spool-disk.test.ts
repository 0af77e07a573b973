import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import type { Spool } from '../src/spool/spool.ts';
import { type DiskCall, testDisk } from './spool-disk.ts';
import {
  entryOf,
  imageOf,
  open,
  type SpoolFolder,
  segmentFiles,
  spoolFolder,
  takeAll,
  textOf,
} from './spool-folder.ts';

const run = promisify(execFile);
const limited = fileURLToPath(new URL('./spool-limited-writer.ts', import.meta.url));
const missing = spawnSync('prlimit', ['--version']).error !== undefined;

/** Appends one entry of each text at the same time; the texts that were refused. */
async function appendEach(spool: Spool, texts: readonly string[]): Promise<readonly string[]> {
  const outcomes = await Promise.allSettled(texts.map((text) => spool.append([entryOf(text, 100)])));
  return texts.filter((_, i) => outcomes[i]?.status === 'rejected');
}

async function reopened(
  folder: SpoolFolder,
): Promise<{ readonly texts: readonly string[]; readonly discarded: number }> {
  const spool = await open(folder);
  const texts = (await takeAll(spool)).map(textOf);
  await spool.close();
  return { texts, discarded: spool.recovery.discardedBytes };
}

describe('a spool on a disk that refuses', () => {
  it.each<[DiskCall, string]>([
    ['writev', 'ENOSPC'],
    ['writev', 'EIO'],
    ['datasync', 'ENOSPC'],
    ['datasync', 'EIO'],
  ])(
    'rejects the appends of a failed %s (%s), hands none of them out, and accepts later ones',
    async (call, code) => {
      using folder = spoolFolder();
      const disk = testDisk();
      const spool = await open(folder, { access: disk.access });
      expect(await appendEach(spool, ['a', 'b'])).toEqual([]);
      disk.refuse(call, code);
      await expect(spool.append([entryOf('lost')])).rejects.toMatchObject({
        code: 'log_unavailable',
        retriable: true,
        message: `spool "${folder.path}" cannot be used now: ${code}: refused, ${call}`,
      });
      expect(await appendEach(spool, ['lost', 'too'])).toEqual(['lost', 'too']);
      using image = imageOf(folder);
      expect(await reopened(image)).toEqual({ texts: ['a', 'b'], discarded: 0 });
      disk.allow(call);
      expect(await appendEach(spool, ['c', 'd'])).toEqual([]);
      expect((await takeAll(spool)).map((entry) => [entry.place, textOf(entry)])).toEqual([
        [0, 'a'],
        [1, 'b'],
        [2, 'c'],
        [3, 'd'],
      ]);
      await spool.close();
      expect(await reopened(folder)).toEqual({ texts: ['a', 'b', 'c', 'd'], discarded: 0 });
    },
  );

  it.each<DiskCall>(['create', 'writev', 'datasync', 'syncFolder'])(
    'accepts later appends when the very first %s fails',
    async (call) => {
      using folder = spoolFolder();
      const disk = testDisk();
      const spool = await open(folder, { access: disk.access });
      disk.refuse(call, 'EIO');
      expect(await appendEach(spool, ['lost'])).toEqual(['lost']);
      disk.allow(call);
      expect(await appendEach(spool, ['a'])).toEqual([]);
      expect([(await takeAll(spool)).map(textOf), segmentFiles(folder).length]).toEqual([['a'], 1]);
      await spool.close();
      expect(await reopened(folder)).toEqual({ texts: ['a'], discarded: 0 });
    },
  );

  it('a spool never writes again into a file that could not be forced to the disk', async () => {
    using folder = spoolFolder();
    const disk = testDisk();
    const spool = await open(folder, { access: disk.access });
    await appendEach(spool, ['a']);
    disk.refuse('datasync', 'EIO');
    await appendEach(spool, ['lost']);
    disk.allow('datasync');
    await appendEach(spool, ['b']);
    expect(segmentFiles(folder).map((name) => Number(name.slice(0, 16)))).toEqual([0, 1]);
    await spool.close();
  });

  it('a spool does not read what remained in a file that could not be truncated', async () => {
    using folder = spoolFolder();
    const disk = testDisk();
    const spool = await open(folder, { access: disk.access });
    await appendEach(spool, ['a']);
    for (const call of ['datasync', 'truncate'] as const) disk.refuse(call, 'EIO');
    await appendEach(spool, ['lost']);
    disk.allow('datasync');
    await appendEach(spool, ['b']);
    using image = imageOf(folder);
    expect(await reopened(image)).toEqual({ texts: ['a', 'b'], discarded: 0 });
    await spool.close();
  });

  it('a spool appends nothing while half-written entries cannot be cut off', async () => {
    using folder = spoolFolder();
    const disk = testDisk();
    const spool = await open(folder, { access: disk.access });
    await appendEach(spool, ['a']);
    for (const call of ['writev', 'truncate'] as const) disk.refuse(call, 'ENOSPC');
    expect(await appendEach(spool, ['lost'])).toEqual(['lost']);
    disk.allow('writev');
    expect(await appendEach(spool, ['lost'])).toEqual(['lost']);
    disk.allow('truncate');
    expect(await appendEach(spool, ['b'])).toEqual([]);
    await spool.close();
    expect(await reopened(folder)).toEqual({ texts: ['a', 'b'], discarded: 0 });
  });

  it('a spool reports when room cannot be released, and tries again', async () => {
    using folder = spoolFolder();
    const disk = testDisk();
    const errors: string[] = [];
    const options = {
      access: disk.access,
      segmentBytes: 1000,
      onError: (error: Error) => void errors.push(error.message),
    };
    const spool = await open(folder, options);
    for (let i = 0; i < 30; i += 1) await spool.append([entryOf(String(i), 100)]);
    const files = segmentFiles(folder).length;
    const places = (await takeAll(spool)).map(({ place }) => place);
    disk.refuse('remove', 'EROFS');
    spool.commit(places.slice(0, 15));
    await waitFor(() => errors.length > 0);
    expect([errors, segmentFiles(folder).length]).toEqual([
      [`spool "${folder.path}" cannot be used now: EROFS: refused, remove`],
      files,
    ]);
    disk.allow('remove');
    spool.commit(places.slice(15));
    await waitFor(() => segmentFiles(folder).length === 1);
    await spool.close();
  });

  it('a spool closes in spite of failures, and reports them', async () => {
    using folder = spoolFolder();
    const disk = testDisk();
    const clock = createManualClock();
    const errors: string[] = [];
    const spool = await open(folder, {
      clock,
      access: disk.access,
      onError: (error) => void errors.push(error.message),
    });
    await appendEach(spool, ['a']);
    for (const call of ['writev', 'truncate'] as const) disk.refuse(call, 'EIO');
    const appended = appendEach(spool, ['lost']);
    await spool.close();
    expect([await appended, errors, clock.pending]).toEqual([['lost'], [], 0]);
    expect((await reopened(folder)).texts).toEqual(['a']);
  });
});

describe('a folder that cannot be used', () => {
  it('a spool reports an unusable folder with its path and the error', async () => {
    using folder = spoolFolder();
    const path = join(folder.path, 'file');
    writeFileSync(path, '');
    await expect(open(folder, { folder: join(path, 'spool') })).rejects.toMatchObject({
      code: 'file_unreadable',
      message: expect.stringContaining(`spool "${join(path, 'spool')}" cannot be used now: ENOTDIR`),
    });
  });

  it('a spool releases the folder when opening fails half-way', async () => {
    using folder = spoolFolder();
    const mark = join(folder.path, 'committed.mark');
    mkdirSync(mark);
    await expect(open(folder)).rejects.toThrow('EISDIR');
    await expect(open(folder)).rejects.toThrow('EISDIR');
  });
});

describe.skipIf(missing)('a file that cannot grow (needs prlimit of Linux)', () => {
  it('a spool truncates a file that cannot grow to the last whole append, and appends again once it can', async () => {
    using folder = spoolFolder();
    const { stdout } = await run(process.execPath, [limited, folder.path]);
    const { before, refused, code, ...after } = JSON.parse(stdout) as Record<string, number | string>;
    expect(code).toBe('log_unavailable');
    expect(refused).toBeGreaterThan(0);
    expect(before).toBeGreaterThan(100);
    expect(after).toEqual({ handedOut: Number(before) + 100, inOrder: true });
    const spool = await open(folder, { maxBytes: 50_000_000 });
    expect(spool.recovery).toMatchObject({
      entries: Number(before) + 100,
      discardedBytes: 0,
      damagedEntries: 0,
    });
    await spool.close();
  }, 30_000);
});
