import assert from 'node:assert/strict';
import { createManualClock } from '@levada/connect-runtime-core/testing';
import * as fc from 'fast-check';
import type { Spool } from '../src/spool/spool.ts';
import { type TestDisk, testDisk } from './spool-disk.ts';
import { bytesIn, imageOf, open, type SpoolFolder, spoolFolder } from './spool-folder.ts';

const MAX_BYTES = 60_000;
const ENTRY_HEAD = 16;

const sizes = fc.array(fc.nat({ max: 3000 }), { maxLength: 4 });
/** Something that happens to a spool. */
export const spoolStep = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('append'), sizes }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('take'),
      max: fc.nat({ max: 6 }),
      bytes: fc.nat({ max: 8000 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('commit'), which: fc.array(fc.nat({ max: 9 })) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('fail'),
      call: fc.constantFrom('writev', 'datasync', 'create'),
    }),
  },
);

type Step = typeof spoolStep extends fc.Arbitrary<infer T> ? T : never;

/** A spool, and what is known of what it must be like. */
export class SpoolComparison {
  #folder: SpoolFolder;
  #disk: TestDisk;
  #spool: Spool;
  /** Everything that was ever acknowledged, by place. */
  readonly #kept = new Map<number, Buffer>();
  readonly #committed = new Set<number>();
  #inFlight: readonly number[] = [];
  /** Place of the next entry to be taken, or lower. */
  #next = 0;
  #serial = 0;

  private constructor(spool: Spool, folder: SpoolFolder, disk: TestDisk) {
    this.#spool = spool;
    this.#disk = disk;
    this.#folder = folder;
  }

  static async begin(): Promise<SpoolComparison> {
    const folder = spoolFolder();
    const disk = testDisk();
    return new SpoolComparison(
      await open(folder, { maxBytes: MAX_BYTES, access: disk.access }),
      folder,
      disk,
    );
  }

  async run(one: Step): Promise<void> {
    if (one.kind === 'append') await this.#append(one.sizes);
    if (one.kind === 'take') await this.#take(one.max, one.bytes);
    if (one.kind === 'commit') this.#commit(one.which);
    if (one.kind === 'close') await this.#close();
    if (one.kind === 'kill') await this.#kill();
    if (one.kind === 'fail') await this.#fail(one.call);
  }

  /** What the spool says of itself now. */
  actual(): { readonly size: number; readonly bytes: number; readonly tooLarge: boolean } {
    const { size, bytes } = this.#spool;
    return { size, bytes, tooLarge: bytesIn(this.#folder) > MAX_BYTES };
  }

  /** What it should say. */
  expected(): { readonly size: number; readonly bytes: number; readonly tooLarge: boolean } {
    const left = this.#from(this.#prefix()).filter((place) => !this.#committed.has(place));
    const bytes = left.reduce((sum, place) => sum + ENTRY_HEAD + this.#lengthOf(place), 0);
    return { size: this.#from(this.#next).length, bytes, tooLarge: false };
  }

  async end(): Promise<void> {
    await this.#spool.close();
    this.#folder[Symbol.dispose]();
  }

  #from(place: number): readonly number[] {
    return [...this.#kept.keys()].filter((one) => one >= place);
  }

  #lengthOf(place: number): number {
    return this.#kept.get(place)?.length ?? 0;
  }

  #prefix(): number {
    return Math.min(this.#next, ...this.#inFlight);
  }

  #entries(lengths: readonly number[]): Buffer[] {
    this.#serial += 1;
    return lengths.map((length, i) => Buffer.alloc(length, `${this.#serial} ${i} `));
  }

  async #append(lengths: readonly number[]): Promise<void> {
    const entries = this.#entries(lengths);
    const last = Math.max(-1, ...this.#kept.keys());
    const places = (await this.#spool.append(entries)) ?? [];
    assert.deepEqual(
      places,
      places.map((_, i) => (places[0] ?? 0) + i),
    );
    assert.ok((places[0] ?? last + 1) > last);
    for (const [i, place] of places.entries()) this.#kept.set(place, entries[i] as Buffer);
  }

  async #take(max: number, bytes: number): Promise<void> {
    const taken = await this.#spool.take(max, bytes);
    const places = taken.map(({ place }) => place);
    assert.deepEqual(places, this.#fitting(max, bytes));
    for (const entry of taken)
      assert.equal(Buffer.compare(entry.bytes, this.#kept.get(entry.place) as Buffer), 0);
    this.#inFlight = [...this.#inFlight, ...places];
    this.#next = (places.at(-1) ?? this.#next - 1) + 1;
  }

  #fitting(max: number, bytes: number): readonly number[] {
    let room = bytes;
    const waiting = this.#from(this.#next);
    const end = waiting.findIndex((place, i) => {
      if (i === max || (i > 0 && this.#lengthOf(place) > room)) return true;
      room -= this.#lengthOf(place);
      return false;
    });
    return end < 0 ? waiting : waiting.slice(0, end);
  }

  #commit(which: readonly number[]): void {
    const places = which.flatMap((i) => this.#inFlight[i] ?? []);
    this.#spool.commit(places);
    this.#inFlight = this.#inFlight.filter((place) => !places.includes(place));
    for (const place of places) this.#committed.add(place);
  }

  async #fail(call: 'writev' | 'datasync' | 'create'): Promise<void> {
    const calls = this.#disk.calls[call];
    this.#disk.refuse(call, 'EIO');
    const entries = this.#entries([100, 200]);
    const kept = await this.#spool.append(entries).catch(() => undefined);
    this.#disk.allow(call);
    // a file that is there already needs no making: then nothing failed
    if (kept === undefined) return;
    assert.deepEqual([call, this.#disk.calls[call]], ['create', calls]);
    for (const [i, place] of kept.entries()) this.#kept.set(place, entries[i] as Buffer);
  }

  /** What counts then: all that is not before the first entry that is not committed. */
  async #close(): Promise<void> {
    await this.#spool.close();
    await this.#open(this.#prefix());
    assert.equal(this.#spool.size, this.#from(this.#prefix()).length);
  }

  /** What counts then: the same, and perhaps what was committed recently. */
  async #kill(): Promise<void> {
    const image = imageOf(this.#folder);
    const least = this.#from(this.#prefix()).length;
    await this.end();
    this.#folder = image;
    await this.#open(0);
    assert.ok(this.#spool.size >= least);
    const places = this.#from(0);
    this.#next = places[places.length - this.#spool.size] ?? (places.at(-1) ?? -1) + 1;
  }

  async #open(next: number): Promise<void> {
    this.#disk = testDisk();
    const { access } = this.#disk;
    this.#spool = await open(this.#folder, { maxBytes: MAX_BYTES, access, clock: createManualClock() });
    assert.equal(this.#spool.damagedEntries, 0);
    this.#inFlight = [];
    this.#next = next;
    this.#committed.clear();
  }
}
