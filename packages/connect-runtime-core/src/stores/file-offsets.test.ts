import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileOffsets } from './file-offsets.ts';

let folder = '';
let path = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'levada-offsets-'));
  path = join(folder, 'offsets.json');
});

afterEach(() => rm(folder, { recursive: true }));

const at = (position: number, file = 'f') => ({ partition: { file, part: 1 }, offset: { position } });

describe('fileOffsets', () => {
  it('refuses a path and options that are wrong, all at once', () => {
    expect(() => fileOffsets('', { flushIntervalMs: -1, flush: 5 } as object)).toThrow(
      [
        'path must be a string that is not empty, got an empty string',
        'flushIntervalMs must be a number of milliseconds from 0, got -1',
        'flush is not an option',
      ].join('\n'),
    );
    expect(() => fileOffsets(undefined as unknown as string)).toThrow('path is required');
  });

  it('reads what an earlier process wrote, whatever the order of keys, for each source by name', async () => {
    const first = fileOffsets(path);
    expect(await first.read('one', { file: 'f', part: 1 })).toBeUndefined();
    await Promise.all([first.write('one', [at(1), at(7, 'g')]), first.write('two', [at(2)])]);
    await first.write('one', [at(3)]);
    const second = fileOffsets(path);
    expect(await second.read('one', { part: 1, file: 'f' })).toEqual({ position: 3 });
    expect(await second.read('one', { part: 1, file: 'g' })).toEqual({ position: 7 });
    expect(await second.read('two', { part: 1, file: 'f' })).toEqual({ position: 2 });
    expect(await second.read('three', { part: 1, file: 'f' })).toBeUndefined();
  });

  it('leaves one file that people can read, and nothing else', async () => {
    await fileOffsets(path).write('one', [at(1), at(2, 'g')]);
    expect(await readdir(folder)).toEqual(['offsets.json']);
    expect(await readFile(path, 'utf8')).toBe(
      '{"version":1,"offsets":[\n' +
        '  {"source":"one","partition":{"file":"f","part":1},"offset":{"position":1}},\n' +
        '  {"source":"one","partition":{"file":"g","part":1},"offset":{"position":2}}\n' +
        ']}\n',
    );
  });

  it.each([
    ['cut short', '{"version":1,"offsets":[{"source":"one","part'],
    ['emptied', ''],
    ['of another version', '{"version":2,"offsets":[]}'],
    ['with a nested offset', '{"version":1,"offsets":[{"source":"s","partition":{},"offset":{"a":{}}}]}'],
    ['of another program', '[1,2,3]'],
  ])('refuses a file that is %s, and leaves it as it is', async (_, text) => {
    await writeFile(path, text);
    const offsets = fileOffsets(path);
    await expect(offsets.open?.({} as never)).rejects.toMatchObject({ code: 'log_corrupt' });
    await expect(offsets.write('one', [at(1)])).rejects.toThrow(`offset file "${path}" is damaged`);
    expect(await readFile(path, 'utf8')).toBe(text);
  });

  it('refuses to write over what another store wrote meanwhile', async () => {
    const [one, other] = [fileOffsets(path), fileOffsets(path)];
    await one.write('one', [at(1)]);
    await other.write('two', [at(2)]);
    await expect(one.write('one', [at(3)])).rejects.toMatchObject({ code: 'log_in_use' });
    expect(await fileOffsets(path).read('two', { file: 'f', part: 1 })).toEqual({ position: 2 });
  });

  it('lets one of two stores write at once, and leaves a whole file', async () => {
    for (let round = 0; round < 10; round += 1) {
      const shared = join(folder, `shared-${round}.json`);
      const stores = [fileOffsets(shared), fileOffsets(shared)];
      for (const store of stores) await store.open?.({} as never);
      const written = await Promise.allSettled(stores.map((store) => store.write('one', [at(round)])));
      const refused = written.filter((one) => one.status === 'rejected');
      expect(refused).toMatchObject([{ reason: { code: 'log_in_use' } }]);
      expect(await fileOffsets(shared).read('one', { file: 'f', part: 1 })).toEqual({ position: round });
    }
    expect(await readdir(folder)).toHaveLength(10);
  });

  it('says which file cannot be written, and writes it when it can be', async () => {
    const missing = join(folder, 'no', 'offsets.json');
    await expect(fileOffsets(missing).write('one', [at(1)])).rejects.toMatchObject({
      code: 'log_unavailable',
      message: expect.stringContaining(`offset file "${missing}": ENOENT`),
    });
    await writeFile(path, '{"version":1,"offsets":[\n\n]}\n');
    const offsets = fileOffsets(path);
    await offsets.write('one', [at(1)]);
    await chmod(path, 0o400);
    await offsets.write('one', [at(2)]);
    expect(await fileOffsets(path).read('one', { file: 'f', part: 1 })).toEqual({ position: 2 });
  });
});
