import type { SourceRecord } from '../../contract/source-record.ts';
import type { DroppedRecords } from '../../contract/source-task.ts';
import type { OffsetTracking, SubmittedOffset } from '../../delivery/offset-tracker.ts';
import type { DropCause } from '../../diagnostics/source-metrics.ts';
import { markUndelivered } from './mark-undelivered.ts';

/** What records are taken from: the run of a source, as its one consumer sees it. */
export interface RecordSupply extends OffsetTracking {
  /** Whether everything is closed: nothing is handed out or counted any more. */
  readonly isClosed: boolean;
  /** The next records; none at the end. Rejects once when the source has failed. */
  next(): Promise<readonly SourceRecord[]>;
  /** So many records were delivered. */
  produced(count: number): void;
  /** So many records are given up. */
  dropped(cause: DropCause, count: number): void;
  /** Everything of what one `next` gave is delivered or given up; the cause `shutdown_timeout` says that it can be delivered again. */
  committed(records: readonly SourceRecord[], dropped: DroppedRecords): void;
  /** The consumer takes no more. Resolves when everything is closed. */
  leave(): Promise<unknown>;
}

/** What one `next` of the supply gave. */
interface Portion {
  readonly records: readonly SourceRecord[];
  readonly dropped: Map<number, DropCause>;
  /** Records that were taken, from the first on. */
  taken: number;
  /** Records of these that are neither delivered nor given up. */
  open: number;
  /** Records that are settled, from the first on. */
  settled: number;
}

/** Takes records one by one, and settles those taken in order. */
export class RecordReader {
  /** How many records were taken. */
  taken = 0;
  readonly #supply: RecordSupply;
  /** Portions that are not settled, the oldest first. Only the last may have records that were not taken. */
  readonly #portions: Portion[] = [];
  #coming: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #refused = 0;
  /** Offsets of the records that were taken and are not delivered. */
  readonly #offsets: SubmittedOffset[] = [];
  /** Whether the record taken last has one of them. */
  #hasOffset = false;
  #left: Promise<void> | undefined;

  constructor(supply: RecordSupply) {
    this.#supply = supply;
  }

  /** Whether a record can be taken at once. */
  get isThere(): boolean {
    const last = this.#portions.at(-1);
    return last !== undefined && last.taken < last.records.length && !this.#supply.isClosed;
  }

  /**
   * Waits for a record; false at the end. Rejects once when the source has failed. Who no longer waits may come back later:
   * nothing is lost in between.
   */
  async arrival(): Promise<boolean> {
    await this.coming();
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure.error;
    return this.isThere;
  }

  /** Waits as {@link arrival} does, and leaves it a failure to reject with: who may stop waiting must not take it along. */
  async coming(): Promise<void> {
    if (this.isThere || this.#failure !== undefined) return;
    if (this.#left !== undefined || this.#supply.isClosed) return;
    this.#coming ??= this.#fetch();
    await this.#coming;
  }

  /** The next record. Only when there is one. */
  take(): SourceRecord {
    const portion = this.#portions.at(-1) as Portion;
    const record = portion.records[portion.taken] as SourceRecord;
    portion.taken += 1;
    portion.open += 1;
    this.taken += 1;
    const offset = this.#supply.submit(record);
    this.#hasOffset = offset !== undefined;
    if (offset !== undefined) this.#offsets.push(offset);
    return record;
  }

  /** The record taken last is given up, and the next one can be taken. */
  drop(): void {
    const portion = this.#portions.at(-1) as Portion;
    portion.open -= 1;
    portion.dropped.set(portion.taken - 1, 'conversion_error');
    this.#supply.dropped('conversion_error', 1);
  }

  /** The record taken last is given up, and is why no further one will be taken. */
  refuse(): void {
    const portion = this.#portions.at(-1) as Portion;
    portion.open -= 1;
    this.#refused += 1;
    // Never acknowledged: what follows it is not stored either.
    if (this.#hasOffset) this.#offsets.pop();
  }

  /** All records taken until now, except those given up, are delivered. */
  deliver(): void {
    for (const portion of this.#portions) {
      if (portion.open > 0) this.#supply.produced(portion.open);
      portion.open = 0;
      // Only the record taken last can have been refused.
      portion.settled = portion === this.#portions.at(-1) ? portion.taken - this.#refused : portion.taken;
    }
    for (const offset of this.#offsets) this.#supply.ack(offset);
    this.#offsets.length = 0;
    if (this.#refused > 0) return;
    for (let first = this.#portions[0]; isTaken(first); first = this.#portions[0]) {
      this.#portions.shift();
      this.#supply.committed(first.records, first.dropped);
    }
  }

  /** Gives up what is not delivered, and waits until everything is closed. Rejects at most once, when that failed. */
  leave(): Promise<void> {
    // The first caller got the rejection.
    if (this.#left !== undefined) return this.#left.catch(() => undefined);
    this.#left = this.#leave();
    return this.#left;
  }

  async #leave(): Promise<void> {
    const closed = this.#supply.leave();
    const portions = this.#portions.splice(0);
    this.#supply.dropped('conversion_error', this.#refused);
    for (const { records, taken, open, settled, dropped } of portions) {
      this.#supply.dropped('delivery_unknown', open);
      this.#supply.dropped('shutdown_timeout', records.length - taken);
      if (settled > 0)
        this.#supply.committed(records, markUndelivered(dropped, { from: settled, to: records.length }));
    }
    await closed;
  }

  async #fetch(): Promise<void> {
    try {
      const records = await this.#supply.next();
      // What comes after the reader has left is counted by the supply.
      if (records.length > 0 && this.#left === undefined)
        this.#portions.push({ records, dropped: new Map(), taken: 0, open: 0, settled: 0 });
    } catch (error) {
      this.#failure = { error };
    } finally {
      this.#coming = undefined;
    }
  }
}

function isTaken(portion: Portion | undefined): portion is Portion {
  return portion !== undefined && portion.taken === portion.records.length;
}
