import { setImmediate as nextTurn } from 'node:timers/promises';
import { framedBytes } from './frame.ts';
import type { SegmentWriter, Written } from './segment-writer.ts';

export interface AppendQueueOptions {
  readonly writer: SegmentWriter;
  /** About so many bytes are written at once, or one append. */
  readonly groupBytes: number;
  /** Called once before each write. */
  readonly prepare: () => Promise<void>;
  /** Called after each write, before its appends resolve. Must not throw. */
  readonly onWritten: (written: Written) => void;
  /** What an append rejects with. */
  readonly failure: (thrown: unknown) => Error;
}

interface Waiting {
  readonly entries: readonly Uint8Array[];
  readonly bytes: number;
  readonly resolve: (places: readonly number[]) => void;
  readonly reject: (error: Error) => void;
}

/** Group commit: one group of appends is on its way to the disk, and what comes meanwhile gathers for the next. */
export class AppendQueue {
  readonly #options: AppendQueueOptions;
  #waiting: Waiting[] = [];
  #writing: readonly Waiting[] = [];
  #bytes = 0;
  #running: Promise<void> | undefined;

  constructor(options: AppendQueueOptions) {
    this.#options = options;
  }

  /** Bytes, as they will be in the file, of all appends that are not settled. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Resolves with the places of the entries once they are on the disk. */
  append(entries: readonly Uint8Array[]): Promise<readonly number[]> {
    return new Promise((resolve, reject) => {
      const bytes = framedBytes(entries);
      this.#waiting.push({ entries, bytes, resolve, reject });
      this.#bytes += bytes;
      this.#running ??= this.#run();
    });
  }

  /** Resolves when no append waits any more. */
  async waitForAppends(): Promise<void> {
    await this.#running;
  }

  /** Rejects all appends: the disk does not answer. What is on its way to it may still be kept. */
  abandon(error: Error): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#settle(waiting);
    for (const { reject } of [...this.#writing, ...waiting]) reject(error);
  }

  /** Never rejects. */
  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // one turn, so that the appends of all requests that came together share a write
      await nextTurn();
      await this.#write(this.#nextGroup());
    }
    this.#running = undefined;
  }

  async #write(group: readonly Waiting[]): Promise<void> {
    const { writer, prepare, onWritten, failure } = this.#options;
    this.#writing = group;
    try {
      await prepare();
      const written = await writer.write(group.map(({ entries }) => entries));
      this.#settle(group);
      onWritten(written);
      let place = written.first;
      for (const { entries, resolve } of group) {
        const first = place;
        place += entries.length;
        resolve(entries.map((_, i) => first + i));
      }
    } catch (thrown) {
      this.#settle(group);
      const error = failure(thrown);
      for (const { reject } of group) reject(error);
    }
    this.#writing = [];
  }

  #nextGroup(): readonly Waiting[] {
    const waiting = this.#waiting;
    let count = 0;
    for (let bytes = 0; count < waiting.length; count += 1) {
      bytes += (waiting[count] as Waiting).bytes;
      if (count > 0 && bytes > this.#options.groupBytes) break;
    }
    this.#waiting = waiting.slice(count);
    return waiting.slice(0, count);
  }

  #settle(group: readonly Waiting[]): void {
    for (const { bytes } of group) this.#bytes -= bytes;
  }
}
