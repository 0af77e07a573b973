import type { Schema } from '../contract/schema.ts';
import type { SourceRecord } from '../contract/source-record.ts';
import type { LibraryRun } from './library-run.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** A source record by record. Each counts as delivered when the next one is asked for. */
export class RecordIterator implements AsyncIterator<SourceRecord, undefined> {
  readonly #run: LibraryRun;
  #batch: readonly SourceRecord[] = [];
  /** Records of the batch that were handed out. */
  #handedOut = 0;
  #over = false;

  constructor(run: LibraryRun) {
    this.#run = run;
  }

  async next(): Promise<IteratorResult<SourceRecord, undefined>> {
    if (this.#over || this.#run.isClosed) return end;
    if (this.#handedOut > 0) this.#run.produced(1);
    if (this.#handedOut === this.#batch.length) await this.#turn();
    const record = this.#batch[this.#handedOut];
    if (record === undefined) {
      // The loop continues when everything is closed, and not before.
      await this.return();
      return end;
    }
    this.#handedOut += 1;
    return { done: false, value: textRecord(record) };
  }

  async return(): Promise<IteratorResult<SourceRecord, undefined>> {
    if (this.#over) return end;
    this.#over = true;
    const closed = this.#run.leave();
    if (this.#handedOut > 0) this.#run.dropped('delivery_unknown', 1);
    this.#run.dropped('shutdown_timeout', this.#batch.length - this.#handedOut);
    await closed;
    return end;
  }

  async #turn(): Promise<void> {
    const done = this.#batch;
    this.#batch = [];
    this.#handedOut = 0;
    if (done.length > 0) this.#run.committed(done, new Map());
    try {
      this.#batch = await this.#run.next();
    } catch (thrown) {
      await this.return();
      throw thrown;
    }
  }
}

const end = { done: true, value: undefined } as const;

/** Text that is held as UTF-8 bytes becomes a string. */
function textRecord(record: SourceRecord): SourceRecord {
  const key = text(record.keySchema, record.key);
  const value = text(record.valueSchema, record.value);
  if (key === record.key && value === record.value) return record;
  return { ...record, key, value };
}

function text(schema: Schema | null, value: unknown): unknown {
  return schema?.type === 'string' && value instanceof Uint8Array ? utf8.decode(value) : value;
}
