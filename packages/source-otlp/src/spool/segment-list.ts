import type { Segment } from './segment.ts';
import type { WriteAccess } from './write-access.ts';

export interface SegmentListOptions {
  readonly access: WriteAccess;
  readonly segments: readonly Segment[];
  /** Called before files are removed because of what is committed. Must not reject. */
  readonly beforeRemoval: () => Promise<void>;
  /** A file could not be removed; it is tried again with the next removal. */
  readonly onError: (thrown: unknown) => void;
}

/** The files of a spool in the order of their places, and the room they take. */
export class SegmentList {
  readonly #options: SegmentListOptions;
  readonly #segments: Segment[];
  #bytes = 0;
  #removing: Promise<void> | undefined;

  constructor(options: SegmentListOptions) {
    this.#options = options;
    this.#segments = [...options.segments];
    for (const { size } of options.segments) this.#bytes += size;
  }

  /** Bytes of all files. */
  get bytes(): number {
    return this.#bytes;
  }

  /** A file was made, and holds its head. */
  add(segment: Segment): void {
    this.#segments.push(segment);
    this.#bytes += segment.size;
  }

  /** A file has another size now. */
  resize(segment: Segment, size: number): void {
    this.#bytes += size - segment.size;
    segment.size = size;
  }

  /** The file that has an entry at this place or later: the first one of them. */
  from(place: number): Segment | undefined {
    return this.#segments.find((segment) => segment.next > place);
  }

  /** Removes one file at once. Rejects when that fails. */
  async remove(segment: Segment): Promise<void> {
    await this.#options.access.remove(segment.path);
    this.#forget(segment);
  }

  /** Begins to remove all files there are now whose entries are before this place, but for `kept`, which is being written. */
  removeBefore(place: number, kept: Segment | undefined): void {
    if (this.#removing !== undefined) return;
    const end = this.#segments.findIndex((segment) => segment === kept || segment.next > place);
    const done = end < 0 ? [...this.#segments] : this.#segments.slice(0, end);
    if (done.length === 0) return;
    // settled by itself: failures are reported to onError
    this.#removing = this.#removeAll(done).finally(() => {
      this.#removing = undefined;
    });
  }

  /** Resolves when no removal is under way. */
  async waitForRemovals(): Promise<void> {
    await this.#removing;
  }

  async #removeAll(segments: readonly Segment[]): Promise<void> {
    const { access, beforeRemoval, onError } = this.#options;
    try {
      await beforeRemoval();
      for (const segment of segments) await this.remove(segment);
      await access.syncFolder();
    } catch (thrown) {
      onError(thrown);
    }
  }

  #forget(segment: Segment): void {
    const at = this.#segments.indexOf(segment);
    if (at < 0) return;
    this.#segments.splice(at, 1);
    this.#bytes -= segment.size;
  }
}
