import type { SourceRecord } from '../../contract/source-record.ts';
import type { ConnectorError } from '../../diagnostics/connector-error.ts';
import { Ending, type EndRule } from './ending.ts';
import type { ItemReader } from './item-iterator.ts';
import type { RecordReader } from './record-reader.ts';
import { invalidRecord, plainRecord, type RecordDecoder } from './record-values.ts';

/**
 * What happens to a record whose value is not what was asked for. `throw`: the loop gets an error, and the source closes.
 * `skip`: the record is dropped, with the cause `conversion_error`. A function gets the record as it came, and the error;
 * then the record is dropped as with `skip`. A promise that it returns is waited for; what it throws ends the loop, or the run of a
 * pipe.
 */
export type OnInvalid =
  | 'throw'
  | 'skip'
  | ((record: SourceRecord, error: ConnectorError) => void | Promise<void>);

/** What a feed gives of which records. */
export interface FeedOptions<V> {
  /** Name of the source, for errors. */
  readonly source: string;
  readonly decode: RecordDecoder<V>;
  readonly onInvalid: OnInvalid;
  readonly rules: readonly EndRule<SourceRecord<V>>[];
}

/** Decoded records one by one, up to the one that is the last by a rule. */
export class RecordFeed<V> implements ItemReader<SourceRecord<V>> {
  readonly #reader: RecordReader;
  readonly #options: FeedOptions<V>;
  readonly #ending: Ending<SourceRecord<V>>;

  constructor(reader: RecordReader, options: FeedOptions<V>) {
    this.#reader = reader;
    this.#options = options;
    this.#ending = new Ending(options.rules);
  }

  /** Whether no further record is wanted. */
  get isOver(): boolean {
    return this.#ending.isReached;
  }

  /** Whether a record can be taken at once. */
  get isThere(): boolean {
    return this.#reader.isThere;
  }

  /** See {@link RecordReader.arrival}. */
  arrival(): Promise<boolean> {
    return this.#reader.arrival();
  }

  /** See {@link RecordReader.coming}. */
  coming(): Promise<void> {
    return this.#reader.coming();
  }

  /** All records taken until now are delivered. */
  deliver(): void {
    this.#reader.deliver();
  }

  /** The next record, when there is one; undefined when its value was invalid, and it is dropped. */
  take(): SourceRecord<V> | Promise<undefined> {
    const raw = this.#reader.take();
    let record: SourceRecord<V>;
    try {
      record = this.#options.decode(raw);
    } catch (thrown) {
      return this.#invalid(raw, thrown);
    }
    this.#ending.passed(record);
    return record;
  }

  /** Not a promise when the next record is there: most are, and promises would take as long as all the rest. */
  next(): SourceRecord<V> | Promise<SourceRecord<V> | undefined> {
    this.deliver();
    if (!this.isThere || this.isOver) return this.#takeNext();
    const taken = this.take();
    return taken instanceof Promise ? taken.then(() => this.#takeNext()) : taken;
  }

  leave(): Promise<void> {
    return this.#reader.leave();
  }

  async #takeNext(): Promise<SourceRecord<V> | undefined> {
    while (!this.isOver && (this.isThere || (await this.arrival()))) {
      const record = await this.take();
      if (record !== undefined) return record;
    }
    return undefined;
  }

  async #invalid(raw: SourceRecord, thrown: unknown): Promise<undefined> {
    const { source, onInvalid } = this.#options;
    const error = invalidRecord(raw, { source, number: this.#reader.taken }, thrown);
    if (onInvalid === 'throw') {
      this.#reader.refuse();
      throw error;
    }
    // Before the record is settled, after which the source may use its memory again.
    const record = plainRecord(raw);
    this.#reader.drop();
    if (onInvalid !== 'skip') await onInvalid(record, error);
    return undefined;
  }
}
