import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Clock, Timer } from '@levada/connect-runtime-core';
import { readPart } from './read-file.ts';
import { codeOf } from './spool-error.ts';

/** The mark is kept so long after a commit, or as soon as so many bytes were committed. */
const DELAY_MS = 200;
const DELAY_BYTES = 1_048_576;
/** It is forced to the disk so often at most: a killed process leaves it to the system, which keeps it. */
const SYNC_MS = 1000;

/**
 * Two slots that are written alternately, so that one is whole whatever happens; each in its own sector. In each: eight letters, the
 * place as a double, the CRC-32 of both; little-endian.
 */
const SLOT_DISTANCE = 4096;
const SLOT_BYTES = 20;
const MAGIC = 'lvmark1\n';

/** Bytes of the file. */
export const MARK_FILE_BYTES = SLOT_DISTANCE + SLOT_BYTES;

export interface MarkFileOptions {
  readonly clock: Clock;
  /** The mark could not be kept; it is tried again with the next commit. */
  readonly onError: (thrown: unknown) => void;
}

/** Keeps the place before which all entries are committed. */
export class MarkFile {
  readonly #options: MarkFileOptions;
  readonly #file: FileHandle;
  #slot: number;
  #place: number;
  #kept: number;
  #bytes = 0;
  #timer: Timer | undefined;
  #writing: Promise<void> | undefined;
  #syncedAt: number;

  private constructor(file: FileHandle, found: FoundMark, options: MarkFileOptions) {
    this.#file = file;
    this.#options = options;
    this.#slot = 1 - found.slot;
    this.#place = found.place;
    this.#kept = found.place;
    this.#syncedAt = options.clock.monotonic();
  }

  /** Opens the mark of a folder; 0 when there is none that can be read. */
  static async open(folder: string, options: MarkFileOptions): Promise<MarkFile> {
    const path = join(folder, 'committed.mark');
    const file = await open(path, 'r+').catch((thrown: unknown) => {
      if (codeOf(thrown) === 'ENOENT') return open(path, 'wx+', 0o600);
      throw thrown;
    });
    try {
      return new MarkFile(file, newest(await readPart(file, 0, MARK_FILE_BYTES)), options);
    } catch (thrown) {
      await file.close();
      throw thrown;
    }
  }

  /** The place before which all entries are committed. */
  get place(): number {
    return this.#place;
  }

  /** All entries before this place are committed, with so many bytes more. Kept soon. */
  advance(place: number, bytes: number): void {
    if (place <= this.#place) return;
    this.#place = place;
    this.#bytes += bytes;
    if (this.#bytes >= DELAY_BYTES && this.#writing === undefined) this.#keep();
    else this.#timer ??= this.#options.clock.after(DELAY_MS, () => this.#keep());
  }

  /** Keeps the place at once, and forces it to the disk. Failures are reported to onError alone. */
  async force(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
    this.#writing = this.#run('forced');
    await this.#writing;
  }

  /** Stores the place durably, and closes the file. Rejects when that fails. */
  async close(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    await this.#writing;
    try {
      if (this.#kept !== this.#place) await this.#write(this.#place);
      await this.#file.datasync();
    } finally {
      await this.#file.close();
    }
  }

  #keep(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    if (this.#writing === undefined) {
      this.#bytes = 0;
      this.#writing = this.#run('when due');
    } else this.#timer = this.#options.clock.after(DELAY_MS, () => this.#keep());
  }

  /** Never rejects. */
  async #run(sync: 'when due' | 'forced'): Promise<void> {
    const { clock, onError } = this.#options;
    try {
      await this.#write(this.#place);
      if (sync === 'forced' || clock.monotonic() - this.#syncedAt >= SYNC_MS) {
        this.#syncedAt = clock.monotonic();
        await this.#file.datasync();
      }
    } catch (thrown) {
      onError(thrown);
    }
    this.#writing = undefined;
  }

  async #write(place: number): Promise<void> {
    const { bytesWritten } = await this.#file.write(slotOf(place), 0, SLOT_BYTES, this.#slot * SLOT_DISTANCE);
    if (bytesWritten < SLOT_BYTES) throw new Error('only a part of the read position was written');
    this.#slot = 1 - this.#slot;
    this.#kept = place;
  }
}

interface FoundMark {
  readonly place: number;
  readonly slot: number;
}

function slotOf(place: number): Buffer {
  const slot = Buffer.alloc(SLOT_BYTES);
  slot.write(MAGIC, 'latin1');
  slot.writeDoubleLE(place, 8);
  slot.writeUInt32LE(crc32(slot.subarray(0, 16)), 16);
  return slot;
}

function newest(content: Buffer): FoundMark {
  let found: FoundMark = { place: 0, slot: 1 };
  for (const slot of [0, 1]) {
    const at = slot * SLOT_DISTANCE;
    const stored = content.subarray(at, at + SLOT_BYTES);
    if (stored.length < SLOT_BYTES) continue;
    const place = stored.readDoubleLE(8);
    if (Number.isSafeInteger(place) && place > found.place && stored.equals(slotOf(place)))
      found = { place, slot };
  }
  return found;
}
