import { waitFor } from '@levada/connect-runtime-core/testing';
import { describe, expect, it } from 'vitest';
import { testDisk } from './spool-disk.ts';
import { bytesIn, entryOf, open, segmentFiles, spoolFolder, takeAll, textOf } from './spool-folder.ts';

describe('a full spool', () => {
  it('a full spool refuses what does not fit, stays within its bytes, and takes more once the oldest are committed', async () => {
    using folder = spoolFolder();
    const maxBytes = 200_000;
    const spool = await open(folder, { maxBytes });
    let next = 0;
    for (let round = 0; round < 4; round += 1) {
      while ((await spool.append([entryOf(`${next}`, 1000)])) !== undefined) next += 1;
      expect(spool.isFull(1000)).toBe(true);
      expect(bytesIn(folder)).toBeGreaterThan(maxBytes * 0.9);
      expect(bytesIn(folder)).toBeLessThanOrEqual(maxBytes);
      const places = (await spool.take(100, 1_000_000)).map(({ place }) => place);
      expect(places.length).toBe(100);
      spool.commit(places);
      await waitFor(() => !spool.isFull(1000));
    }
    await spool.close();
  });

  it('a full spool counts what waits for the disk', async () => {
    using folder = spoolFolder();
    const disk = testDisk();
    const spool = await open(folder, { maxBytes: 100_000, access: disk.access });
    const release = disk.hold('datasync');
    const appends = Array.from({ length: 20 }, () => spool.append([entryOf('x', 10_000)]));
    await waitFor(() => disk.calls.datasync > 0);
    release();
    const places = (await Promise.all(appends)).filter((one) => one !== undefined);
    expect(places).toEqual(places.map((_, i) => [i]));
    expect(places.length).toBe(9);
    await spool.close();
  });

  it('a full spool accepts one large append when the spool holds nothing uncommitted', async () => {
    using folder = spoolFolder();
    const spool = await open(folder, { maxBytes: 100_000 });
    await spool.append([entryOf('small', 5000)]);
    expect(spool.isFull(93_000)).toBe(true);
    expect(await spool.append([entryOf('large', 93_000)])).toBeUndefined();
    spool.commit((await takeAll(spool)).map(({ place }) => place));
    expect(spool.isFull(93_000)).toBe(false);
    expect(
      await Promise.all([spool.append([entryOf('large', 93_000)]), spool.append([entryOf('b', 5000)])]),
    ).toEqual([[1], undefined]);
    expect(bytesIn(folder)).toBeLessThanOrEqual(100_000);
    expect((await takeAll(spool)).map(textOf)).toEqual(['large']);
    await spool.close();
  });

  it('a full spool refuses an append that would not fit into an empty spool', async () => {
    using folder = spoolFolder();
    const spool = await open(folder, { maxBytes: 100_000 });
    await expect(spool.append([entryOf('a', 60_000), entryOf('b', 50_000)])).rejects.toMatchObject({
      code: 'record_too_large',
      message: `spool "${folder.path}" never has room for 110032 bytes at once: it may hold 100000 bytes`,
    });
    await spool.close();
  });

  it('a full spool begins new files, and removes those whose entries are all committed', async () => {
    using folder = spoolFolder();
    const spool = await open(folder, { segmentBytes: 10_000 });
    for (let i = 0; i < 35; i += 1) await spool.append([entryOf(String(i), 1000)]);
    expect(segmentFiles(folder).map((name) => Number(name.slice(0, 16)))).toEqual([0, 10, 20, 30]);
    const taken = await takeAll(spool);
    expect(taken.map(textOf)).toEqual(Array.from({ length: 35 }, (_, i) => String(i)));
    spool.commit(taken.slice(10, 25).map(({ place }) => place));
    expect(segmentFiles(folder).length).toBe(4);
    spool.commit(taken.slice(0, 10).map(({ place }) => place));
    await waitFor(() => segmentFiles(folder).length === 2);
    await spool.close();
  });
});
