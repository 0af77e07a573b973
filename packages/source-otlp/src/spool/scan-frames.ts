import { setImmediate as nextTurn } from 'node:timers/promises';
import { FRAME_HEAD, type Frame, frameAt } from './frame.ts';
import { type Hole, SEGMENT_HEAD } from './segment.ts';

/** Bytes looked through before others get a turn. */
const TURN_BYTES = 8_388_608;

/** What to look for in a file. */
export interface ScanOptions {
  readonly mark: number;
  /** Entries with a lower number are committed: they count neither as found nor as lost. */
  readonly committed: number;
  /**
   * How many entries the file had and where they ended, when that is known: what is missing there is a hole then. Otherwise the
   * end may have been cut while it was written, and is taken off after the last whole append.
   */
  readonly whole: { readonly count: number; readonly end: number } | undefined;
}

/** What a file holds. */
export interface FileContent {
  /** Offset after the last entry that counts. */
  readonly end: number;
  /** Number after the last entry. */
  readonly next: number;
  readonly holes: readonly Hole[];
  /** The first entry that is not committed; undefined when there is none. */
  readonly start: { readonly offset: number; readonly number: number } | undefined;
  /** Entries that are not committed, and what they take in the file. */
  readonly entries: number;
  readonly bytes: number;
  /** Uncommitted entries that are lost in holes. */
  readonly lost: number;
  /** All entries that can be read, committed or not. */
  readonly sound: number;
  /** Where the content of the last of them is; undefined when there is none. */
  readonly last: { readonly from: number; readonly to: number } | undefined;
}

/** Reads all frames of a file; continues at the next sound frame after damage. Never throws because of the content. */
export async function scanFrames(file: Buffer, options: ScanOptions): Promise<FileContent> {
  const { mark, whole } = options;
  const most = whole?.count ?? Number.POSITIVE_INFINITY;
  const walk = new Walk(options.committed);
  let turnAt = TURN_BYTES;
  while (walk.offset < file.length && walk.next < most) {
    const frame = frameAt(file, walk.offset, mark);
    if (frame?.number === walk.next) walk.pass(frame);
    else {
      const found = findFrame(file, { from: walk.offset, mark, least: walk.next, most });
      if (found === undefined) break;
      walk.skip(found.offset, found.number);
      continue;
    }
    if (walk.offset > turnAt) {
      turnAt = walk.offset + TURN_BYTES;
      await nextTurn();
    }
  }
  if (whole === undefined) return walk.keepWholeAppends();
  if (walk.next < whole.count) walk.skip(Math.max(walk.offset, whole.end), whole.count);
  return walk.content();
}

/** Where a scan is, and what it met. */
class Walk {
  offset = SEGMENT_HEAD;
  next = 0;
  readonly #committed: number;
  readonly #holes: Hole[] = [];
  #start: FileContent['start'];
  #entries = 0;
  #bytes = 0;
  #lost = 0;
  #sound = 0;
  #last: FileContent['last'];
  #whole: FileContent;

  constructor(committed: number) {
    this.#committed = committed;
    this.#whole = this.content();
  }

  /** A sound frame at the offset. */
  pass(frame: Frame): void {
    if (frame.number >= this.#committed) {
      this.#start ??= { offset: this.offset, number: frame.number };
      this.#entries += 1;
      this.#bytes += frame.end - this.offset;
    }
    this.#sound += 1;
    this.#last = { from: this.offset + FRAME_HEAD, to: frame.end };
    this.offset = frame.end;
    this.next = frame.number + 1;
    if (frame.last) this.#whole = this.content();
  }

  /** Nothing can be read from the offset up to this one, where the entry of this number is. */
  skip(to: number, next: number): void {
    this.#holes.push({ from: this.offset, to, next, lost: next - this.next });
    this.#lost += Math.max(0, next - Math.max(this.next, this.#committed));
    this.offset = to;
    this.next = next;
  }

  content(): FileContent {
    return {
      end: this.offset,
      next: this.next,
      holes: this.#holes,
      start: this.#start,
      entries: this.#entries,
      bytes: this.#bytes,
      lost: this.#lost,
      sound: this.#sound,
      last: this.#last,
    };
  }

  /** Up to the end of the last append that is whole. */
  keepWholeAppends(): FileContent {
    const { end } = this.#whole;
    return { ...this.#whole, holes: this.#holes.filter(({ from }) => from < end) };
  }
}

interface Search {
  readonly from: number;
  readonly mark: number;
  /** The entry's number is at least this one, and below `most`. */
  readonly least: number;
  readonly most: number;
}

function findFrame(
  file: Buffer,
  search: Search,
): { readonly offset: number; readonly number: number } | undefined {
  const pattern = Buffer.alloc(4);
  pattern.writeUInt32LE(search.mark);
  for (let at = file.indexOf(pattern, search.from); at >= 0; at = file.indexOf(pattern, at + 1)) {
    const frame = frameAt(file, at, search.mark);
    if (frame !== undefined && frame.number >= search.least && frame.number < search.most) {
      return { offset: at, number: frame.number };
    }
  }
  return undefined;
}
