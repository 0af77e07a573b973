import type { SourceRecord } from '../../contract/source-record.ts';
import { Ending } from './ending.ts';
import type { FeedOptions } from './record-feed.ts';

/** Selects the wanted records of a source's batches: all up to the last one by the rules. */
export class WantedRecords<V> {
  readonly #options: FeedOptions<V>;
  readonly #ending: Ending<SourceRecord<V>>;
  /** Whether values are read to find the last record. Invalid ones that are dropped do not count, as in a loop. */
  readonly #readsValues: boolean;
  /** Records that were read for the rules. */
  readonly #read = new WeakMap<SourceRecord, SourceRecord<V>>();
  /** The last batch, when only its beginning is wanted. */
  #cut: { readonly part: readonly SourceRecord[]; readonly whole: readonly SourceRecord[] } | undefined;
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

  /** Records that were received and not given, because they came after the last one. */
  get undelivered(): number {
    return this.#cut === undefined ? 0 : this.#cut.whole.length - this.#cut.part.length;
  }

  /** The wanted records of a batch: the batch itself, or its beginning. */
  selectWanted(records: readonly SourceRecord[]): readonly SourceRecord[] {
    if (this.#options.rules.length === 0) return records;
    const count = records.findIndex((record) => this.#isLast(record)) + 1;
    if (count === 0 || count === records.length) return records;
    const part = records.slice(0, count);
    this.#cut = { part, whole: records };
    return part;
  }

  /** The batch as it came, of which these are the wanted records. */
  findWhole(records: readonly SourceRecord[]): readonly SourceRecord[] {
    return records === this.#cut?.part ? this.#cut.whole : records;
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
