import { type Clock, ConnectorError } from '@levada/connect-runtime-core';
import { AppendQueue } from './append-queue.ts';
import { EntryReader } from './entry-reader.ts';
import { FRAME_HEAD, framedBytes, LONGEST_ENTRY } from './frame.ts';
import type { LoadedSegments } from './load-segments.ts';
import { MARK_FILE_BYTES, type MarkFile } from './mark-file.ts';
import { SEGMENT_HEAD } from './segment.ts';
import { SegmentList } from './segment-list.ts';
import { SegmentWriter, type Written } from './segment-writer.ts';
import type { Spool, SpoolEntry, SpoolRecovery } from './spool.ts';
import { spoolError } from './spool-error.ts';
import type { WriteAccess } from './write-access.ts';

/** A write takes so many bytes at most, or one append. */
const GROUP_BYTES = 4_194_304;
/** A file is at most this share of the whole, so that room comes back in steps that are not too large. */
const FILES = 8;
/** A file is read as a whole when the spool is opened. */
const LONGEST_FILE = 1_073_741_824;
/** What a disk gets to finish what is under way when the spool is closed. */
const CLOSE_MS = 10_000;

export interface FileSpoolParts {
  readonly folder: string;
  readonly maxBytes: number;
  readonly segmentBytes: number;
  readonly clock: Clock;
  readonly access: WriteAccess;
  readonly mark: MarkFile;
  readonly loaded: LoadedSegments;
  readonly onError: (error: ConnectorError) => void;
  /** Closes the folder, and gives it free. */
  readonly release: () => Promise<void>;
}

/** A spool in files; {@link Spool} says what it does. */
export class FileSpool implements Spool {
  onArrival: (() => void) | undefined;
  readonly recovery: SpoolRecovery;
  readonly #parts: FileSpoolParts;
  readonly #list: SegmentList;
  readonly #writer: SegmentWriter;
  readonly #queue: AppendQueue;
  readonly #reader: EntryReader;
  readonly #inFlight = new InFlightEntries();
  /** What files may take together, but for the heads of those to come. */
  readonly #room: number;
  #size: number;
  #bytes: number;
  #damaged: number;
  /** Place after the last entry that was handed out. */
  #taken: number;
  #taking: Promise<unknown> = Promise.resolve();
  /** The files hold nothing that counts: they go before the next write. */
  #clearing = false;
  #closed: Promise<void> | undefined;

  constructor(parts: FileSpoolParts) {
    const { folder, access, loaded, maxBytes, onError } = parts;
    const share = Math.min(Math.floor(maxBytes / FILES), LONGEST_FILE);
    const segmentBytes = Math.max(1, Math.min(parts.segmentBytes, share));
    const fail = (thrown: unknown): ConnectorError => spoolError(thrown, folder);
    this.#parts = parts;
    this.#room = maxBytes - MARK_FILE_BYTES - SEGMENT_HEAD * (Math.ceil(maxBytes / segmentBytes) + 1);
    this.#list = new SegmentList({
      access,
      segments: loaded.segments,
      // Else a kill would leave neither the entries nor a mark, and their places would be given again.
      beforeRemoval: () => parts.mark.force(),
      onError: (thrown) => onError(fail(thrown)),
    });
    this.#writer = new SegmentWriter({ folder, access, list: this.#list, segmentBytes, next: loaded.next });
    this.#queue = new AppendQueue({
      writer: this.#writer,
      groupBytes: Math.min(GROUP_BYTES, segmentBytes),
      prepare: () => this.#prepare(),
      onWritten: (written) => this.#onWritten(written),
      failure: fail,
    });
    this.#reader = new EntryReader({
      list: this.#list,
      start: loaded.start,
      onLost: (entries, bytes) => this.#onLost(entries, bytes),
    });
    this.recovery = loaded.recovery;
    this.#size = loaded.recovery.entries;
    this.#bytes = loaded.recovery.bytes;
    this.#damaged = loaded.recovery.damagedEntries;
    this.#taken = loaded.start.place;
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get damagedEntries(): number {
    return this.#damaged;
  }

  isFull(bytes: number): boolean {
    return !this.#hasRoom(bytes + FRAME_HEAD);
  }

  async append(entries: readonly Uint8Array[]): Promise<readonly number[] | undefined> {
    const { folder, maxBytes } = this.#parts;
    if (this.#closed !== undefined) throw new ConnectorError('closed', `spool "${folder}" is closed`);
    if (entries.length === 0) return [];
    const bytes = framedBytes(entries);
    if (bytes > this.#room || entries.some(({ length }) => length > LONGEST_ENTRY)) {
      throw new ConnectorError(
        'record_too_large',
        `spool "${folder}" never has room for ${bytes} bytes at once: it may hold ${maxBytes} bytes`,
      );
    }
    if (!this.#hasRoom(bytes)) return undefined;
    this.#clearing ||= this.#list.bytes + this.#queue.bytes + bytes > this.#room;
    return this.#queue.append(entries);
  }

  async take(max: number, maxBytes: number): Promise<readonly SpoolEntry[]> {
    const taken = this.#taking.then(() => this.#take(max, maxBytes));
    this.#taking = taken.catch(() => undefined); // the caller gets the rejection
    return taken;
  }

  commit(places: readonly number[]): void {
    if (this.#closed !== undefined) return;
    const bytes = this.#inFlight.commit(places);
    this.#bytes -= bytes;
    this.#settleTo(bytes);
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #take(max: number, maxBytes: number): Promise<readonly SpoolEntry[]> {
    if (this.#closed !== undefined) return [];
    try {
      const entries = await this.#reader.read(max, maxBytes);
      this.#inFlight.add(entries);
      this.#size -= entries.length;
      return entries;
    } catch (thrown) {
      throw spoolError(thrown, this.#parts.folder);
    } finally {
      this.#taken = this.#reader.next;
      this.#settleTo(0);
    }
  }

  /** Place before which everything is committed. */
  #firstUncommitted(): number {
    return this.#inFlight.first ?? this.#taken;
  }

  #settleTo(bytes: number): void {
    const committed = this.#firstUncommitted();
    this.#parts.mark.advance(committed, bytes);
    this.#list.removeBefore(committed, this.#writer.segment);
  }

  #hasRoom(bytes: number): boolean {
    const waiting = this.#queue.bytes + bytes;
    if (this.#list.bytes + waiting <= this.#room) return true;
    // A file that is being written goes with a new one, so it must not keep a spool without entries full.
    const empty =
      this.#clearing || (this.#queue.bytes === 0 && this.#firstUncommitted() === this.#writer.next);
    return empty && waiting <= this.#room;
  }

  async #prepare(): Promise<void> {
    if (!this.#clearing) return;
    this.#clearing = false;
    await this.#clear();
    if (this.#list.bytes > 0) throw new Error('files that are no longer needed could not be removed');
  }

  /** Removes all files. Only when all entries are committed. */
  async #clear(): Promise<void> {
    await this.#writer.seal();
    await this.#list.waitForRemovals();
    this.#list.removeBefore(this.#firstUncommitted(), undefined);
    await this.#list.waitForRemovals();
  }

  #onWritten({ count, bytes }: Written): void {
    const before = this.#size;
    this.#size += count;
    this.#bytes += bytes;
    if (before === 0) this.onArrival?.();
  }

  #onLost(entries: number, bytes: number): void {
    this.#size -= entries;
    this.#bytes -= bytes;
    this.#damaged += entries;
  }

  async #close(): Promise<void> {
    const { clock, folder, onError } = this.#parts;
    const limit = new AbortController();
    const late = clock.sleep(CLOSE_MS, limit.signal).then(
      () => {
        const error = new ConnectorError(
          'timeout',
          `spool "${folder}" was closed while the disk did not answer`,
        );
        this.#queue.abandon(error);
        onError(error);
      },
      () => undefined, // finished in time
    );
    await Promise.race([late, this.#finish()]);
    limit.abort();
  }

  /** Never rejects. The folder stays locked until the disk has answered: a write may still reach it until then. */
  async #finish(): Promise<void> {
    await this.#queue.waitForAppends();
    await this.#taking;
    const steps = [
      () => this.#reader.close(),
      () => this.#writer.close(),
      () => this.#clearIfEmpty(),
      () => this.#parts.mark.close(),
      () => this.#parts.release(),
    ];
    for (const step of steps) {
      try {
        await step();
      } catch (thrown) {
        this.#parts.onError(spoolError(thrown, this.#parts.folder));
      }
    }
  }

  async #clearIfEmpty(): Promise<void> {
    if (this.#firstUncommitted() === this.#writer.next) await this.#clear();
    else await this.#list.waitForRemovals();
  }
}

/** Entries that were handed out and are not committed. */
class InFlightEntries {
  /** Bytes in the file by place, in the order of the places. */
  readonly #bytes = new Map<number, number>();

  /** Entries are handed out. */
  add(entries: readonly SpoolEntry[]): void {
    for (const { place, bytes } of entries) this.#bytes.set(place, FRAME_HEAD + bytes.length);
  }

  /** Forgets those of the places that are in flight. Their bytes in the files. */
  commit(places: readonly number[]): number {
    let freed = 0;
    for (const place of places) {
      const bytes = this.#bytes.get(place);
      if (bytes === undefined) continue;
      this.#bytes.delete(place);
      freed += bytes;
    }
    return freed;
  }

  /** The lowest place in flight; undefined when nothing is. */
  get first(): number | undefined {
    return this.#bytes.keys().next().value;
  }
}
