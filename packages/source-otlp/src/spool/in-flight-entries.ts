import { FRAME_HEAD } from './frame.ts';
import type { SpoolEntry } from './spool.ts';

/** Entries that were handed out and are not committed. */
export class InFlightEntries {
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
