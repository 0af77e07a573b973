import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { ConnectorError } from '@levada/connect-runtime-core';
import { createManualClock, waitFor } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { testDisk } from './spool-disk.ts';
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

/** Makes a file say that it is of a newer version, in a head that is sound. */
function newerHead(path: string): { readonly restore: () => void } {
  const before = readFileSync(path);
  const after = Buffer.from(before);
  after.writeUInt32LE(2, 8);
  after.writeUInt32LE(crc32(after.subarray(0, 16)), 16);
  writeFileSync(path, after);
  return { restore: () => writeFileSync(path, before) };
}

/** The texts that the next opening hands out, if the process were killed now. */
async function textsAfterKill(folder: SpoolFolder): Promise<readonly string[]> {
  using image = imageOf(folder);
  const spool = await open(image);
  const texts = (await takeAll(spool)).map(textOf);
  await spool.close();
  return texts;
}

describe('a spool', () => {
  it('a spool hands out in order what was appended, with places that grow', async () => {
    using folder = spoolFolder();
    const spool = await open(folder);
    const places = await Promise.all([
      spool.append([entryOf('a'), entryOf('b')]),
      spool.append([entryOf('c')]),
      spool.append([]),
    ]);
    expect(places).toEqual([[0, 1], [2], []]);
    expect([spool.size, spool.bytes]).toEqual([3, 3 * 17]);
    const taken = await spool.take(10, 1000);
    expect(taken.map((entry) => [entry.place, textOf(entry)])).toEqual([
      [0, 'a'],
      [1, 'b'],
      [2, 'c'],
    ]);
    expect([spool.size, await spool.take(10, 1000)]).toEqual([0, []]);
    await spool.close();
  });

  it('a spool keeps entries of any size unchanged, also empty ones and those larger than one read', async () => {
    using folder = spoolFolder();
    const spool = await open(folder, { maxBytes: 8_000_000 });
    const sizes = [0, 1, 600_000, 0, 524_288, 3, 1_000_000, 16];
    const entries = sizes.map((size, i) => Buffer.alloc(size, i + 1));
    for (const entry of entries) await spool.append([entry]);
    const taken = await takeAll(spool);
    expect(taken.map(({ bytes }, i) => Buffer.compare(bytes, entries[i] ?? entryOf('?')))).toEqual(
      sizes.map(() => 0),
    );
    await spool.close();
  });

  it('a spool takes at most what is asked for, but at least one entry', async () => {
    using folder = spoolFolder();
    const spool = await open(folder);
    for (const size of [500, 10, 10, 10, 500]) await spool.append([entryOf('x', size)]);
    const sizes: number[][] = [];
    for (const [max, maxBytes] of [
      [10, 100],
      [2, 100],
      [10, 100],
      [10, 1000],
    ] as const) {
      sizes.push((await spool.take(max, maxBytes)).map(({ bytes }) => bytes.length));
    }
    expect(sizes).toEqual([[500], [10, 10], [10], [500]]);
    await spool.close();
  });

  it('a spool notifies once when the first entry arrives in an empty spool', async () => {
    using folder = spoolFolder();
    const spool = await open(folder);
    const sizes: number[] = [];
    spool.onArrival = () => void sizes.push(spool.size);
    await spool.append([entryOf('a')]);
    await spool.append([entryOf('b')]);
    await takeAll(spool);
    await spool.append([entryOf('c')]);
    expect(sizes).toEqual([1, 1]);
    await spool.close();
  });

  it('a spool hands out nothing, and acknowledges nothing, that is not on the disk yet', async () => {
    using folder = spoolFolder();
    const disk = testDisk();
    const spool = await open(folder, { access: disk.access });
    const release = disk.hold('datasync');
    let acknowledged = false;
    const appended = spool.append([entryOf('a')]).then(() => {
      acknowledged = true;
    });
    await waitFor(() => disk.calls.datasync === 1);
    expect([acknowledged, spool.size, await spool.take(1, 1)]).toEqual([false, 0, []]);
    release();
    await appended;
    expect((await spool.take(1, 1)).map(textOf)).toEqual(['a']);
    await spool.close();
  });

  it('a spool writes and syncs concurrent appends once', async () => {
    using folder = spoolFolder();
    const disk = testDisk();
    const spool = await open(folder, { access: disk.access });
    await spool.append([entryOf('first')]);
    const before = { ...disk.calls };
    await Promise.all(Array.from({ length: 64 }, (_, i) => spool.append([entryOf(String(i))])));
    expect(disk.calls).toEqual({ ...before, writev: before.writev + 1, datasync: before.datasync + 1 });
    await spool.close();
  });

  it('a spool syncs the folder for each new file before it acknowledges anything in it', async () => {
    using folder = spoolFolder();
    const disk = testDisk();
    const spool = await open(folder, { access: disk.access });
    const release = disk.hold('syncFolder');
    const before = disk.calls.syncFolder;
    const appended = spool.append([entryOf('a')]);
    await waitFor(() => disk.calls.syncFolder > before);
    expect([disk.calls.create, spool.size]).toEqual([1, 0]);
    release();
    await appended;
    expect(spool.size).toBe(1);
    await spool.close();
  });

  it('a spool creates files that only their owner can access', async () => {
    using parent = spoolFolder();
    const path = join(parent.path, 'deep', 'spool');
    const spool = await open(parent, { folder: path });
    await spool.append([entryOf('a')]);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    const modes = readdirSync(path)
      .filter((name) => !name.startsWith('lock-'))
      .map((name) => statSync(join(path, name)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600]);
    await spool.close();
  });
});

describe('the next opening of a spool', () => {
  it('the next opening hands out again what was not committed, taken or not, with the same places', async () => {
    using folder = spoolFolder();
    const first = await open(folder);
    for (const text of ['a', 'b', 'c', 'd']) await first.append([entryOf(text)]);
    await first.take(3, 1000);
    first.commit([0]);
    await first.close();
    const second = await open(folder);
    expect(second.recovery).toMatchObject({
      entries: 3,
      bytes: 3 * 17,
      discardedBytes: 0,
      damagedEntries: 0,
    });
    expect([second.size, second.bytes]).toEqual([3, 3 * 17]);
    const taken = await takeAll(second);
    expect(taken.map((entry) => [entry.place, textOf(entry)])).toEqual([
      [1, 'b'],
      [2, 'c'],
      [3, 'd'],
    ]);
    await second.close();
  });

  it('the next opening continues with the places of the previous opening, also when everything was committed', async () => {
    using folder = spoolFolder();
    const places: unknown[] = [];
    for (let i = 0; i < 4; i += 1) {
      const spool = await open(folder);
      places.push(await spool.append([entryOf('x'), entryOf('y')]));
      spool.commit((await takeAll(spool)).map(({ place }) => place));
      await spool.close();
      expect(readdirSync(folder.path)).toEqual(['committed.mark']);
    }
    expect(places).toEqual([
      [0, 1],
      [2, 3],
      [4, 5],
      [6, 7],
    ]);
  });

  it('the next opening starts after the last entry before which all are committed, in any order of commits', async () => {
    using folder = spoolFolder();
    const clock = createManualClock();
    const spool = await open(folder, { clock });
    for (const text of ['a', 'b', 'c', 'd']) await spool.append([entryOf(text)]);
    await takeAll(spool);
    spool.commit([3, 1]);
    await clock.advance(200);
    expect(await textsAfterKill(folder)).toEqual(['a', 'b', 'c', 'd']);
    spool.commit([0]);
    expect([clock.pending, clock.nextInMs]).toEqual([1, 200]);
    await clock.advance(200);
    await waitFor(async () => (await textsAfterKill(folder)).join('') === 'cd');
    expect(spool.bytes).toBe(17);
    await spool.close();
  });

  it('the next opening knows what was committed without waiting for the clock, once that is 1 MiB', async () => {
    using folder = spoolFolder();
    const spool = await open(folder, { maxBytes: 80_000_000 });
    for (let i = 0; i < 12; i += 1) await spool.append([entryOf(String(i), 100_000)]);
    const taken = await takeAll(spool);
    for (const { place } of taken.slice(0, 11)) spool.commit([place]);
    await waitFor(async () => (await textsAfterKill(folder)).length < 12);
    expect(await textsAfterKill(folder)).toEqual(['11']);
    await spool.close();
  });

  it('the next opening keeps what is appended while earlier files are removed', async () => {
    using folder = spoolFolder();
    const first = await open(folder);
    await first.append([entryOf('a')]);
    await first.close();
    const disk = testDisk();
    const spool = await open(folder, { access: disk.access });
    const release = disk.hold('remove');
    spool.commit((await takeAll(spool)).map(({ place }) => place));
    await waitFor(() => disk.calls.remove === 1);
    const releaseSync = disk.hold('datasync');
    const appended = spool.append([entryOf('b')]);
    await waitFor(() => disk.calls.datasync === 1);
    release();
    await waitFor(() => segmentFiles(folder).length === 1);
    releaseSync();
    await appended;
    expect((await takeAll(spool)).map(textOf)).toEqual(['b']);
    await spool.close();
    expect(await textsAfterKill(folder)).toEqual(['b']);
  });

  it('the next opening assigns no place twice, even after a kill right after the last files were removed', async () => {
    using folder = spoolFolder();
    const spool = await open(folder, { maxBytes: 100_000 });
    await spool.append([entryOf('a', 60_000)]);
    spool.commit((await takeAll(spool)).map(({ place }) => place));
    await spool.append([entryOf('b', 60_000)]);
    using image = imageOf(folder);
    rmSync(join(image.path, segmentFiles(image)[0] ?? ''));
    const again = await open(image);
    expect(await again.append([entryOf('c')])).toEqual([1]);
    await again.close();
    await spool.close();
  });

  it('the next opening stops when its signal is aborted, and releases the folder', async () => {
    using folder = spoolFolder();
    const spool = await open(folder);
    await spool.append([entryOf('a')]);
    await spool.close();
    await expect(open(folder, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' });
    const again = await open(folder);
    expect(again.size).toBe(1);
    await again.close();
  });

  it('the next opening refuses to open files of a newer release, and leaves them unchanged', async () => {
    using folder = spoolFolder();
    const spool = await open(folder);
    await spool.append([entryOf('a')]);
    await spool.close();
    const [name = ''] = segmentFiles(folder);
    const newer = newerHead(join(folder.path, name));
    await expect(open(folder)).rejects.toMatchObject({
      code: 'unsupported',
      message: `file "${join(folder.path, name)}" is written in version 2 of the format, expected 1: use the release that wrote it until the spool is empty`,
    });
    newer.restore();
    const again = await open(folder);
    expect(again.size).toBe(1);
    await again.close();
  });
});

describe('closing a spool', () => {
  it('closing a spool finishes the appends that wait, happens once, and leaves no timer', async () => {
    using folder = spoolFolder();
    const clock = createManualClock();
    const spool = await open(folder, { clock });
    await spool.append([entryOf('first')]);
    spool.commit((await takeAll(spool)).map(({ place }) => place));
    const appends = ['a', 'b', 'c'].map((text) => spool.append([entryOf(text)]));
    const closed = spool.close();
    expect(spool.close()).toBe(closed);
    await closed;
    expect(await Promise.all(appends)).toEqual([[1], [2], [3]]);
    expect(clock.pending).toBe(0);
    expect(await textsAfterKill(folder)).toEqual(['a', 'b', 'c']);
  });

  it('closing a spool refuses appends, and hands out and commits nothing from then on', async () => {
    using folder = spoolFolder();
    const clock = createManualClock();
    const spool = await open(folder, { clock });
    await spool.append([entryOf('a'), entryOf('b')]);
    const [taken] = await spool.take(1, 1);
    await spool.close();
    spool.commit([taken?.place ?? -1]);
    await expect(spool.append([entryOf('c')])).rejects.toMatchObject({
      code: 'closed',
      message: `spool "${folder.path}" is closed`,
    });
    expect([await spool.take(10, 1000), clock.pending]).toEqual([[], 0]);
    expect(await textsAfterKill(folder)).toEqual(['a', 'b']);
  });

  it('closing a spool ends after 10 s when the disk does not answer; the folder stays locked until it does', async () => {
    using folder = spoolFolder();
    const clock = createManualClock();
    const disk = testDisk();
    const errors: string[] = [];
    const spool = await open(folder, {
      clock,
      access: disk.access,
      onError: ({ code }) => void errors.push(code),
    });
    const release = disk.hold('datasync');
    const refused = spool.append([entryOf('a')]).catch((error: ConnectorError) => error.code);
    await waitFor(() => disk.calls.datasync === 1);
    const closed = spool.close();
    await clock.advance(10_000);
    await closed;
    expect([await refused, errors, clock.pending]).toEqual(['timeout', ['timeout'], 0]);
    await expect(open(folder)).rejects.toMatchObject({ code: 'log_in_use' });
    release();
    const again = await waitFor(() => open(folder).catch(() => undefined));
    await again.close();
  });
});
