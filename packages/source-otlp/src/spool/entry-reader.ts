import { type FileHandle, open } from 'node:fs/promises';
import { ConnectorError } from '@levada/connect-runtime-core';
import { FRAME_HEAD, frameAt, frameEnd } from './frame.ts';
import { readPart, readStart } from './read-file.ts';
import { scanFrames } from './scan-frames.ts';
import { type Hole, SEGMENT_HEAD, type Segment } from './segment.ts';
import type { SegmentList } from './segment-list.ts';
import type { SpoolEntry } from './spool.ts';

/** Bytes read from a file at once; a larger entry is read at once, too. */
const CHUNK_BYTES = 524_288;

export interface EntryReaderOptions {
  readonly list: SegmentList;
  /** The first entry to be read, and where in its file it begins. */
  readonly start: { readonly place: number; readonly offset: number };
  /** Entries turned out to be damaged since the opening: so many are lost, with so many bytes of the file. */
  readonly onLost: (entries: number, bytes: number) => void;
}

interface Position {
  readonly segment: Segment;
  readonly file: FileHandle;
  /** Where the next frame begins. */
  offset: number;
  /** What was read last, and where in the file it begins. */
  chunk: Buffer;
  chunkAt: number;
}

/** What one call reads. */
interface Batch {
  readonly entries: SpoolEntry[];
  readonly max: number;
  /** Bytes that may follow. */
  room: number;
}

/** Reads entries in order, each once. One call at a time. Never hands out what is not on the disk, nor what is damaged. */
export class EntryReader {
  readonly #options: EntryReaderOptions;
  #next: number;
  #position: Position | undefined;

  constructor(options: EntryReaderOptions) {
    this.#options = options;
    this.#next = options.start.place;
  }

  /** Place of the next entry to be read, or that entry was lost. */
  get next(): number {
    return this.#next;
  }

  /**
   * The next entries: at most `max`, at most `maxBytes` together but at least one. None when there is none. Rejects when the
   * file cannot be read; what was read before is handed out first.
   */
  async read(max: number, maxBytes: number): Promise<readonly SpoolEntry[]> {
    const entries: SpoolEntry[] = [];
    try {
      await this.#readInto(entries, max, maxBytes);
    } catch (thrown) {
      // it is met again by the next call
      if (entries.length === 0) throw thrown;
    }
    return entries;
  }

  /** Closes the file. */
  async close(): Promise<void> {
    const position = this.#position;
    this.#position = undefined;
    await position?.file.close();
  }

  async #readInto(entries: SpoolEntry[], max: number, maxBytes: number): Promise<void> {
    const batch: Batch = { entries, max, room: maxBytes };
    while (entries.length < max) {
      const position = await this.#locate();
      if (position === undefined) return;
      await this.#loadNext(position);
      const stopped = this.#handOut(position, batch);
      if (stopped === 'full') return;
      if (stopped === 'damaged') await this.#rescan(position);
    }
  }

  /** The file with the next entry, and where that is. Goes past holes. */
  async #locate(): Promise<Position | undefined> {
    for (;;) {
      const segment = this.#options.list.from(this.#next);
      if (segment === undefined) return undefined;
      const position = this.#position?.segment === segment ? this.#position : await this.#open(segment);
      const hole = segment.holes.find(({ from }) => from === position.offset);
      if (hole === undefined) return position;
      position.offset = hole.to;
      this.#next = segment.first + hole.next;
    }
  }

  async #open(segment: Segment): Promise<Position> {
    await this.close();
    const { start } = this.#options;
    const file = await open(segment.path, 'r');
    this.#next = Math.max(this.#next, segment.first);
    const offset = this.#next === start.place ? start.offset : SEGMENT_HEAD;
    this.#position = { segment, file, offset, chunk: Buffer.alloc(0), chunkAt: 0 };
    return this.#position;
  }

  /** Loads the next frame into the chunk as a whole, unless its head announces more bytes than there are. */
  async #loadNext(position: Position): Promise<void> {
    const { segment, offset } = position;
    const end = nextEnd(position);
    if (end === undefined) await load(position, Math.min(segment.end, offset + CHUNK_BYTES));
    const wanted = end ?? nextEnd(position);
    if (wanted === undefined || wanted > segment.end) return;
    if (wanted > position.chunkAt + position.chunk.length) await load(position, wanted);
  }

  /** Hands out what is in the chunk, at least what {@link #loadNext} loaded. Returns what comes next. */
  #handOut(position: Position, batch: Batch): 'full' | 'damaged' | 'more' {
    const { segment, chunk, chunkAt } = position;
    const { entries, max } = batch;
    for (let handedOut = false; entries.length < max && this.#next < segment.next; handedOut = true) {
      const at = position.offset - chunkAt;
      const end = frameEnd(chunk, at);
      if (end === undefined || end > chunk.length) return handedOut ? 'more' : 'damaged';
      const bytes = end - at - FRAME_HEAD;
      if (bytes > batch.room && entries.length > 0) return 'full';
      const frame = frameAt(chunk, at, segment.mark);
      if (frame?.number !== this.#next - segment.first) return 'damaged';
      entries.push({ place: this.#next, bytes: chunk.subarray(frame.start, frame.end) });
      batch.room -= bytes;
      position.offset += FRAME_HEAD + bytes;
      this.#next += 1;
    }
    return 'more';
  }

  /** The frame that should be here is not: finds out again what the file holds. Throws when it looks sound after all. */
  async #rescan({ segment, offset }: Position): Promise<void> {
    const { mark, first, end, next, path } = segment;
    if (segment.holes.some(({ from }) => from === offset)) return;
    const content = await readStart(path, end);
    const { holes } = await scanFrames(content, { mark, committed: 0, whole: { count: next - first, end } });
    if (!holes.some(({ from }) => from === offset)) {
      throw new ConnectorError('log_unavailable', `file "${path}" reads differently each time at ${offset}`);
    }
    const before = countLost(segment.holes, offset);
    const now = countLost(holes, offset);
    segment.holes = holes;
    this.#options.onLost(now.entries - before.entries, now.bytes - before.bytes);
  }
}

/** Where the next frame ends in the file, as its head has it; undefined when its head is not in the chunk. */
function nextEnd({ chunk, chunkAt, offset }: Position): number | undefined {
  const end = offset < chunkAt ? undefined : frameEnd(chunk, offset - chunkAt);
  return end === undefined ? undefined : chunkAt + end;
}

/** Reads from the next frame up to `to`. */
async function load(position: Position, to: number): Promise<void> {
  position.chunk = await readPart(position.file, position.offset, to);
  position.chunkAt = position.offset;
}

function countLost(
  holes: readonly Hole[],
  offset: number,
): { readonly entries: number; readonly bytes: number } {
  let entries = 0;
  let bytes = 0;
  for (const { from, to, lost } of holes) {
    if (from < offset) continue;
    entries += lost;
    bytes += to - from;
  }
  return { entries, bytes };
}
