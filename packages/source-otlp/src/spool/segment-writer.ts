import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { FRAME_HEAD, writeFrameHead } from './frame.ts';
import { SEGMENT_HEAD, type Segment, segmentFileName, segmentHead } from './segment.ts';
import type { SegmentList } from './segment-list.ts';
import { lacksRoom } from './spool-error.ts';
import { type WritableFile, type WriteAccess, writeAll } from './write-access.ts';

export interface SegmentWriterOptions {
  readonly folder: string;
  readonly access: WriteAccess;
  readonly list: SegmentList;
  /** A new file is begun after so many bytes. */
  readonly segmentBytes: number;
  /** Place of the first entry to be written. */
  readonly next: number;
}

/** What was written: the first of the places, how many, and their bytes in the file. */
export interface Written {
  readonly first: number;
  readonly count: number;
  readonly bytes: number;
}

interface Active {
  readonly segment: Segment;
  readonly file: WritableFile;
  /** Whether the file's name is on the disk. */
  named: boolean;
  /**
   * Damage from a failure: `tail`, bytes after the last durable entry; `untrusted`, a file whose state on the disk is
   * unknown, since a second fdatasync may succeed without having written what the first one could not.
   */
  harm: 'none' | 'tail' | 'untrusted';
}

/** Writes groups of appends to the end of the newest file. One call at a time. Files of earlier openings are never written. */
export class SegmentWriter {
  readonly #options: SegmentWriterOptions;
  #active: Active | undefined;
  #next: number;

  constructor(options: SegmentWriterOptions) {
    this.#options = options;
    this.#next = options.next;
  }

  /** Place of the next entry. */
  get next(): number {
    return this.#next;
  }

  /** The file that is being written. */
  get segment(): Segment | undefined {
    return this.#active?.segment;
  }

  /** Resolves when all entries of these appends are on the disk. When it rejects, none of them will be read. */
  async write(appends: readonly (readonly Uint8Array[])[]): Promise<Written> {
    await this.#mend();
    await this.#roll();
    const active = this.#active ?? (await this.#begin());
    const { segment, file } = active;
    const { pieces, count, bytes } = framesOf(appends, segment, this.#next);
    try {
      active.harm = 'tail';
      await writeAll(file, pieces, segment.end);
      active.harm = 'untrusted';
      await file.datasync();
      if (!active.named) await this.#options.access.syncFolder();
    } catch (thrown) {
      if (!lacksRoom(thrown)) active.harm = 'untrusted';
      // at once, so that no opening finds what was refused; it is tried again before the next write
      await this.#mend().catch(() => undefined);
      throw thrown;
    }
    active.harm = 'none';
    active.named = true;
    const first = this.#next;
    this.#next += count;
    segment.end += bytes;
    segment.next = this.#next;
    this.#options.list.resize(segment, segment.end);
    return { first, count, bytes };
  }

  /** The next write begins a new file. Not while one is under way. */
  async seal(): Promise<void> {
    const active = this.#active;
    if (active === undefined) return;
    this.#active = undefined;
    await active.file.close();
  }

  /** Truncates the bytes that a failure left after the last durable entry, and closes the file. */
  async close(): Promise<void> {
    try {
      await this.#mend();
    } finally {
      await this.seal();
    }
  }

  async #roll(): Promise<void> {
    const { segmentBytes } = this.#options;
    if (this.#active !== undefined && this.#active.segment.size >= segmentBytes) await this.seal();
  }

  async #begin(): Promise<Active> {
    const { folder, access, list } = this.#options;
    // never 0, which is what files are full of by accident
    const mark = randomBytes(4).readUInt32LE() || 1;
    const path = join(folder, segmentFileName({ first: this.#next, mark }));
    const file = await access.create(path);
    try {
      await writeAll(file, [segmentHead(mark)], 0);
    } catch (thrown) {
      await file.close();
      // a file without entries that stays is removed by the next opening
      await access.remove(path).catch(() => undefined);
      throw thrown;
    }
    const size = SEGMENT_HEAD;
    const segment: Segment = { first: this.#next, mark, path, size, end: size, next: this.#next, holes: [] };
    list.add(segment);
    this.#active = { segment, file, named: false, harm: 'none' };
    return this.#active;
  }

  async #mend(): Promise<void> {
    const active = this.#active;
    if (active === undefined || active.harm === 'none') return;
    const { segment, file } = active;
    if (active.harm === 'tail') {
      await file.truncate(segment.end);
      active.harm = 'none';
      return;
    }
    // A file without an entry has the name that the next one gets, so it must go. In others, what is after the last durable
    // entry is left out when they are read, since a later file begins with its place: cutting it off is for tidiness.
    if (segment.next === segment.first) await this.#options.list.remove(segment);
    else await file.truncate(segment.end).catch(() => undefined);
    await this.seal();
  }
}

function framesOf(
  appends: readonly (readonly Uint8Array[])[],
  { mark, first }: Segment,
  next: number,
): { readonly pieces: readonly Uint8Array[]; readonly count: number; readonly bytes: number } {
  const pieces: Uint8Array[] = [];
  let count = 0;
  for (const append of appends) count += append.length;
  const heads = Buffer.allocUnsafe(count * FRAME_HEAD);
  let bytes = heads.length;
  let number = next - first;
  let at = 0;
  for (const append of appends) {
    for (const [i, entry] of append.entries()) {
      const head = heads.subarray(at, at + FRAME_HEAD);
      writeFrameHead(head, { mark, number, last: i === append.length - 1, bytes: entry });
      pieces.push(head);
      if (entry.length > 0) pieces.push(entry);
      bytes += entry.length;
      number += 1;
      at += FRAME_HEAD;
    }
  }
  return { pieces, count, bytes };
}
