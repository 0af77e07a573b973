import type { SourceRecord } from '../../contract/source-record.ts';
import { Ending } from './ending.ts';
import type { FeedOptions } from './record-feed.ts';

/** What of the batches of a source is wanted: all records up to the last one by the rules. */
export class WantedRecords<V> {
  /** Records that were received and not given, because they came after the last one. */
  refused = 0;
  readonly #options: FeedOptions<V>;
  readonly #ending: Ending<SourceRecord<V>>;
  /** Whether values are read to find the last record. Invalid ones that are dropped do not count, as in a loop. */
  readonly #readsValues: boolean;
  /** Records that were read for the rules. */
  readonly #read = new WeakMap<SourceRecord, SourceRecord<V>>();
  /** The beginning of a batch whose rest was refused. */
  #part: readonly SourceRecord[] | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(options: FeedOptions<V>) {
    this.#options = options;
    const { rules, onInvalid } = options;
    this.#ending = new Ending(rules);
    this.#readsValues =
      rules.some(({ kind }) => kind === 'until') || (rules.length > 0 && onInvalid !== 'throw');
  }

  /** Whether no more records are wanted. Throws what a condition threw. */
  get isOver(): boolean {
    if (this.#failure !== undefined) throw this.#failure.error;
    return this.#ending.isReached;
  }

  /** The wanted records of a batch: the batch itself, or its beginning. */
  of(records: readonly SourceRecord[]): readonly SourceRecord[] {
    if (this.#options.rules.length === 0) return records;
    const count = records.findIndex((record) => this.#isLast(record)) + 1;
    if (count === 0 || count === records.length) return records;
    this.refused = records.length - count;
    this.#part = records.slice(0, count);
    return this.#part;
  }

  /** Whether this is a batch as it came, and not the beginning of one. */
  isWhole(records: readonly SourceRecord[]): boolean {
    return records !== this.#part;
  }

  /** The record as a loop has it. Throws when its value is invalid. */
  read(record: SourceRecord): SourceRecord<V> {
    return this.#read.get(record) ?? this.#options.decode(record);
  }

  #isLast(raw: SourceRecord): boolean {
    const record = this.#readsValues ? this.#valid(raw) : (raw as SourceRecord<V>);
    if (record === undefined) return false;
    this.#ending.passed(record);
    try {
      return this.#ending.isReached;
    } catch (error) {
      // First what came before it.
      this.#failure = { error };
      return true;
    }
  }

  /** Undefined when the value is invalid. Whether the record is dropped or ends the run is decided in {@link read}. */
  #valid(raw: SourceRecord): SourceRecord<V> | undefined {
    try {
      const record = this.#options.decode(raw);
      this.#read.set(raw, record);
      return record;
    } catch {
      return undefined;
    }
  }
}
