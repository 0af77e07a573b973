import type { Segment } from './segment.ts';
import type { WriteAccess } from './write-access.ts';

/** What a list of files works with. */
export interface SegmentListOptions {
  readonly access: WriteAccess;
  readonly segments: readonly Segment[];
  /** A file could not be removed; it is tried again with the next removal. */
  readonly onError: (thrown: unknown) => void;
}

/** The files of a spool in the order of their places, and the room they take. */
export class SegmentList {
  readonly #access: WriteAccess;
  readonly #onError: (thrown: unknown) => void;
  readonly #segments: Segment[];
  #bytes = 0;
  #removing: Promise<void> | undefined;

  constructor({ access, segments, onError }: SegmentListOptions) {
    this.#access = access;
    this.#onError = onError;
    this.#segments = [...segments];
    for (const { size } of segments) this.#bytes += size;
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
    await this.#access.remove(segment.path);
    this.#forget(segment);
  }

  /** Begins to remove all files whose entries lie before this place, but for `kept`. */
  removeBefore(place: number, kept: Segment | undefined): void {
    if (this.#removing !== undefined || !removable(this.#segments[0], place, kept)) return;
    // settled by itself: what fails is told to onError
    this.#removing = this.#removeAll(place, kept).finally(() => {
      this.#removing = undefined;
    });
  }

  /** Resolves when no removal is under way. */
  async settled(): Promise<void> {
    await this.#removing;
  }

  async #removeAll(place: number, kept: Segment | undefined): Promise<void> {
    try {
      for (let first = this.#segments[0]; removable(first, place, kept); first = this.#segments[0]) {
        await this.remove(first);
      }
      await this.#access.syncFolder();
    } catch (thrown) {
      this.#onError(thrown);
    }
  }

  #forget(segment: Segment): void {
    const at = this.#segments.indexOf(segment);
    if (at < 0) return;
    this.#segments.splice(at, 1);
    this.#bytes -= segment.size;
  }
}

function removable(
  segment: Segment | undefined,
  place: number,
  kept: Segment | undefined,
): segment is Segment {
  return segment !== undefined && segment !== kept && segment.next <= place;
}
