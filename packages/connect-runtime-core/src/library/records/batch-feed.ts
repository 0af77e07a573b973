import type { SourceRecord } from '../../contract/source-record.ts';
import type { Clock } from '../../time/clock.ts';
import { Ending, type EndRule } from './ending.ts';
import type { ItemReader } from './item-iterator.ts';
import type { RecordFeed } from './record-feed.ts';

/** How large a batch becomes, and how long it may take. */
export interface BatchOptions {
  /** Most records of a batch. Default 1000. */
  readonly max?: number | undefined;
  /**
   * How long a batch waits for more records after its first one, in milliseconds. Default 0: a batch is what is there when
   * it is asked for.
   */
  readonly maxWaitMs?: number | undefined;
}

/** How batches are made. */
export interface BatchFeedOptions<V> {
  readonly max: number;
  readonly maxWaitMs: number;
  readonly clock: Clock;
  readonly rules: readonly EndRule<readonly SourceRecord<V>[]>[];
}

/** Records in batches. None is empty, and each is delivered as a whole when the next one is asked for. */
export class BatchFeed<V> implements ItemReader<readonly SourceRecord<V>[]> {
  readonly #feed: RecordFeed<V>;
  readonly #options: BatchFeedOptions<V>;
  readonly #ending: Ending<readonly SourceRecord<V>[]>;
  #failure: { readonly error: unknown } | undefined;

  constructor(feed: RecordFeed<V>, options: BatchFeedOptions<V>) {
    this.#feed = feed;
    this.#options = options;
    this.#ending = new Ending(options.rules);
  }

  async next(): Promise<readonly SourceRecord<V>[] | undefined> {
    this.#feed.deliver();
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#ending.isReached) return undefined;
    const first = await this.#feed.next();
    if (first === undefined) return undefined;
    const batch = [first];
    try {
      await this.#fill(batch);
    } catch (error) {
      // First what came before it.
      this.#failure = { error };
    }
    this.#ending.passed(batch);
    return batch;
  }

  leave(): Promise<void> {
    return this.#feed.leave();
  }

  async #fill(batch: SourceRecord<V>[]): Promise<void> {
    const { max, maxWaitMs, clock } = this.#options;
    const due = Promise.withResolvers<void>();
    const timer = maxWaitMs > 0 ? clock.after(maxWaitMs, () => due.resolve()) : undefined;
    try {
      while (batch.length < max && !this.#feed.isOver) {
        // A failure of the source is left to the next call, whichever of both comes first.
        if (!this.#feed.isThere && timer !== undefined)
          await Promise.race([this.#feed.coming(), due.promise]);
        if (!this.#feed.isThere) return;
        const record = await this.#feed.take();
        if (record !== undefined) batch.push(record);
      }
    } finally {
      timer?.cancel();
    }
  }
}
