import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createManualClock } from '@levada/connect-runtime-core/testing';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Spool, SpoolEntry } from '../src/spool/spool.ts';
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

/** Bytes before the first entry of a file, and before each entry. */
const FILE_HEAD = 20;
const ENTRY_HEAD = 16;

/** A spool that was killed: what its files held, and what was appended. */
interface Original {
  readonly files: ReadonlyMap<string, Buffer>;
  /** All entries, by place; and the place of the first entry of the same append. */
  readonly entries: readonly { readonly bytes: Buffer; readonly group: number }[];
  /** Places before this one are committed, as the mark has it. */
  readonly committed: number;
}

async function killedSpool(): Promise<Original> {
  using folder = spoolFolder();
  const clock = createManualClock();
  const spool = await open(folder, { segmentBytes: 8000, clock });
  const entries: { bytes: Buffer; group: number }[] = [];
  for (let i = 0; i < 90; i += 1) {
    const group = entries.length;
    const appended = Array.from({ length: 1 + (i % 4) }, (_, j) =>
      Buffer.alloc((i * 97 + j * 31) % 500, `entry ${i} ${j} `),
    );
    for (const bytes of appended) entries.push({ bytes, group });
    await spool.append(appended);
  }
  const committed = 45;
  spool.commit((await spool.take(committed, 1_000_000)).map(({ place }) => place));
  await spool.close();
  const names = readdirSync(folder.path);
  const files = new Map(names.map((name) => [name, readFileSync(join(folder.path, name))]));
  return { files, entries, committed };
}

const damage = fc.record({
  file: fc.nat(),
  kind: fc.constantFrom('flip', 'cut', 'zero', 'extend', 'random', 'repeat'),
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  bit: fc.nat({ max: 7 }),
});

type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never;

function damaged(content: Buffer, { kind, at, bit }: Damage): Buffer {
  const offset = Math.floor(at * content.length);
  const end = Math.min(content.length, offset + 300);
  const after = Buffer.from(content);
  if (kind === 'flip') after[offset] = (after[offset] ?? 0) ^ (1 << bit);
  if (kind === 'zero') after.fill(0, offset, end);
  if (kind === 'random') for (let i = offset; i < end; i += 1) after[i] = (i * 167 + bit * 31) & 0xff;
  if (kind === 'cut') return after.subarray(0, offset);
  if (kind === 'extend') return Buffer.concat([after, after.subarray(offset)]);
  if (kind === 'repeat') return Buffer.concat([after.subarray(0, end), after.subarray(offset)]);
  return after;
}

/** Writes the files, damages and all. The names of those that are not as they were. */
function write(folder: SpoolFolder, original: Original, damages: readonly Damage[]): ReadonlySet<string> {
  rmSync(folder.path, { recursive: true });
  mkdirSync(folder.path);
  const names = [...original.files.keys()].sort();
  const changed = new Map<string, Buffer>();
  for (const one of damages) {
    const name = names[one.file % names.length] ?? '';
    changed.set(name, damaged(changed.get(name) ?? original.files.get(name) ?? Buffer.alloc(0), one));
  }
  for (const [name, content] of original.files)
    writeFileSync(join(folder.path, name), changed.get(name) ?? content);
  return new Set(
    [...changed.keys()].filter(
      (name) => !changed.get(name)?.equals(original.files.get(name) ?? Buffer.alloc(0)),
    ),
  );
}

/** Places of the entries in a file before the first byte that is not as it was. */
function placesBeforeDamage(folder: SpoolFolder, original: Original, name: string): readonly number[] {
  const before = original.files.get(name) ?? Buffer.alloc(0);
  const after = readFileSync(join(folder.path, name));
  const same = before.findIndex((byte, i) => after[i] !== byte);
  const sound = same < 0 ? before.length : same;
  const places: number[] = [];
  let place = Number(name.slice(0, 16));
  for (let at = FILE_HEAD; at < before.length; place += 1) {
    at += ENTRY_HEAD + (original.entries[place]?.bytes.length ?? 0);
    if (at <= sound) places.push(place);
  }
  return places;
}

function expectRight(taken: readonly SpoolEntry[], original: Original): void {
  let last = -1;
  for (const { place, bytes } of taken) {
    expect(place).toBeGreaterThan(last);
    last = place;
    expect(Buffer.compare(bytes, original.entries[place]?.bytes ?? entryOf('never appended'))).toBe(0);
  }
}

describe('a spool whose files were damaged', () => {
  let original: Original;
  let folder: SpoolFolder;
  beforeAll(async () => {
    original = await killedSpool();
    folder = spoolFolder();
  });
  afterAll(() => folder[Symbol.dispose]());

  it('a spool opens, hands out no wrong entry, and hands out all entries before the damage', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (damages) => {
        const changed = write(folder, original, damages);
        const newest = segmentFiles(folder).at(-1);
        const expected = segmentFiles(folder).flatMap((name) => {
          const places = placesBeforeDamage(folder, original, name);
          // of the newest file, the last append counts when it is there as a whole
          return name === newest && changed.has(name) ? wholeAppends(places, original) : places;
        });
        const spool = await open(folder);
        const { entries, damagedEntries } = spool.recovery;
        const taken = await takeAll(spool);
        expectRight(taken, original);
        const places = new Set(taken.map(({ place }) => place));
        const from = changed.has('committed.mark') ? (taken[0]?.place ?? 0) : original.committed;
        expect(expected.filter((place) => place >= from && !places.has(place))).toEqual([]);
        expect(taken.length).toBe(entries);
        const allKnown = !changed.has(newest ?? '') && !changed.has('committed.mark');
        const uncommitted = original.entries.length - original.committed;
        expect(allKnown ? taken.length + damagedEntries : uncommitted).toBe(uncommitted);
        await expectUsable(spool, original);
      }),
      { numRuns: 120, endOnFailure: true },
    );
  }, 60_000);

  it('a spool reports a cut end once, and keeps a copy of it', async () => {
    write(folder, original, []);
    const name = segmentFiles(folder).at(-1) ?? '';
    const content = original.files.get(name) ?? Buffer.alloc(0);
    writeFileSync(join(folder.path, name), content.subarray(0, -1));
    const spool = await open(folder);
    const { discardedBytes, damagedEntries, entries } = spool.recovery;
    expect([discardedBytes > 0, damagedEntries]).toEqual([true, 0]);
    await spool.close();
    const [copy = ''] = readdirSync(join(folder.path, 'damaged'));
    const cut = readFileSync(join(folder.path, 'damaged', copy));
    expect([copy, cut.length]).toEqual([`${name}-${content.length - 1 - discardedBytes}`, discardedBytes]);
    expect(content.subarray(0, -1).subarray(-discardedBytes).equals(cut)).toBe(true);
    const again = await open(folder);
    expect(again.recovery).toMatchObject({ entries, discardedBytes: 0, damagedEntries: 0 });
    await again.close();
  });

  it('a spool removes the end of an append that is incomplete at any place', async () => {
    using source = spoolFolder();
    const spool = await open(source);
    await spool.append([entryOf('a'), entryOf('b')]);
    await spool.append([entryOf('c'), entryOf('d'), entryOf('e')]);
    using image = imageOf(source);
    await spool.close();
    const path = join(image.path, segmentFiles(image)[0] ?? '');
    const content = readFileSync(path);
    for (let length = content.length; length >= 0; length -= 1) {
      writeFileSync(path, content.subarray(0, length));
      const cut = await open(image);
      const texts = (await takeAll(cut)).map(textOf).join('');
      const whole = length === content.length ? 'abcde' : length >= FILE_HEAD + 2 * 17 ? 'ab' : '';
      expect(texts, `cut after ${length} bytes`).toBe(whole);
      await cut.close();
    }
  });

  it('a spool counts a damaged entry in the middle, keeps a copy, and hands out those around it, also after the next opening', async () => {
    write(folder, original, []);
    const name = segmentFiles(folder)[1] ?? '';
    const place = Number(name.slice(0, 16));
    const content = Buffer.from(original.files.get(name) ?? '');
    const second = FILE_HEAD + ENTRY_HEAD + (original.entries[place]?.bytes.length ?? 0);
    content.writeUInt32LE(0xffff_ffff, second + 8); // its length
    writeFileSync(join(folder.path, name), content);
    for (let opening = 0; opening < 2; opening += 1) {
      const spool = await open(folder);
      expect(spool.recovery).toMatchObject({ damagedEntries: 1, discardedBytes: 0 });
      const places = (await takeAll(spool)).map((entry) => entry.place);
      expect(places).toEqual(
        range(original.committed, original.entries.length).filter((one) => one !== place + 1),
      );
      await spool.close();
    }
    expect(readdirSync(join(folder.path, 'damaged'))).toEqual([`${name}-${second}`]);
  });

  it('a spool does not mistake entries in the format of its files for frames', async () => {
    using source = spoolFolder();
    const foreign = [...original.files.values()].find((content) => content.length > 1000) as Buffer;
    const spool = await open(source);
    await spool.append([entryOf('before')]);
    await spool.append([foreign]);
    await spool.append([entryOf('after')]);
    await spool.close();
    const path = join(source.path, segmentFiles(source)[0] ?? '');
    const content = readFileSync(path);
    const head = FILE_HEAD + ENTRY_HEAD + 'before'.length;
    content.fill(0, head, head + ENTRY_HEAD);
    writeFileSync(path, content);
    const again = await open(source);
    expect((await takeAll(again)).map(textOf)).toEqual(['before', 'after']);
    expect(again.recovery.damagedEntries).toBe(1);
    await again.close();
  });

  it('a spool passes over what is damaged while it is open, and counts it', async () => {
    using source = spoolFolder();
    const spool = await open(source);
    for (let i = 0; i < 10; i += 1) await spool.append([entryOf(String(i), 100)]);
    const path = join(source.path, segmentFiles(source)[0] ?? '');
    const content = readFileSync(path);
    for (const place of [0, 3, 4, 9]) content[FILE_HEAD + place * 116 + 50] = 0;
    writeFileSync(path, content);
    expect((await takeAll(spool)).map(textOf)).toEqual(['1', '2', '5', '6', '7', '8']);
    expect([spool.size, spool.damagedEntries, spool.recovery.damagedEntries, spool.bytes]).toEqual([
      0,
      4,
      0,
      6 * 116,
    ]);
    await spool.append([entryOf('next')]);
    expect((await takeAll(spool)).map(textOf)).toEqual(['next']);
    spool.commit(range(0, 11));
    expect(spool.bytes).toBe(0);
    await spool.close();
    expect(segmentFiles(source)).toEqual([]);
  });

  it('a spool keeps no more than 16 MiB of copies, the newest', async () => {
    using source = spoolFolder();
    const copies = join(source.path, 'damaged');
    for (let i = 0; i < 3; i += 1) {
      writeFileSync(
        join(source.path, `${String(i).padStart(16, '0')}-00000001.spool`),
        Buffer.alloc(9_000_000, i),
      );
      const spool = await open(source);
      expect(spool.recovery).toMatchObject({
        entries: 0,
        bytes: 0,
        discardedBytes: 9_000_000 - FILE_HEAD,
        damagedEntries: 0,
      });
      await spool.close();
    }
    const kept = readdirSync(copies).map((name) => [name, statSync(join(copies, name)).size]);
    expect(kept).toEqual([['0000000000000002-00000001.spool-20', 9_000_000 - FILE_HEAD]]);
  });

  it('a spool leaves files alone that it did not write', async () => {
    using source = spoolFolder();
    writeFileSync(join(source.path, 'notes.txt'), 'mine');
    mkdirSync(join(source.path, '0000000000000007-00000001.spool'));
    const spool = await open(source);
    await spool.append([entryOf('a')]);
    await spool.close();
    expect([existsSync(join(source.path, 'notes.txt')), segmentFiles(source).length]).toEqual([true, 2]);
  });
});

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

/** Without the last append when only a part of it is there. */
function wholeAppends(places: readonly number[], { entries }: Original): readonly number[] {
  const group = entries[places.at(-1) ?? -1]?.group;
  const whole = entries[(places.at(-1) ?? -1) + 1]?.group !== group;
  return whole ? places : places.filter((place) => entries[place]?.group !== group);
}

/** What is appended now comes after everything else, and is there after the next opening. */
async function expectUsable(spool: Spool, original: Original): Promise<void> {
  const [place = -1] = (await spool.append([entryOf('new')])) ?? [];
  expect(place).toBeGreaterThanOrEqual(original.committed);
  expect((await takeAll(spool)).map((entry) => [entry.place, textOf(entry)])).toEqual([[place, 'new']]);
  await spool.close();
}
