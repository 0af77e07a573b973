/** A record that the broker names as the reason for refusing a batch; the index is the record's in the batch. */
export interface RecordRefusal {
  readonly index: number;
  readonly message: string | null;
}

/** What a broker says of one batch. */
export interface BatchAnswer {
  readonly topic: string;
  readonly partition: number;
  /** Kafka's error code; 0: stored. */
  readonly code: number;
  readonly message: string | null;
  readonly records: readonly RecordRefusal[];
}

/** The answer to a Produce request. */
export interface ProduceAnswer {
  readonly batches: readonly BatchAnswer[];
  /** The client is to keep silent for this long. */
  readonly throttleMs: number;
}

/** Reads the payload of a response of version 7 or 8. Throws a RangeError when it ends too early. */
export function readProduceResponse(payload: Buffer, version: number): ProduceAnswer {
  const reader = new ResponseReader(payload);
  const batches = reader.list(() => {
    const topic = reader.text() ?? '';
    return reader.list(() => readBatchAnswer(reader, topic, version));
  });
  return { batches: batches.flat(), throttleMs: reader.int32() };
}

function readBatchAnswer(reader: ResponseReader, topic: string, version: number): BatchAnswer {
  const partition = reader.int32();
  const code = reader.int16();
  reader.skip(24); // base offset, time of appending, start of the log
  if (version < 8) return { topic, partition, code, message: null, records: [] };
  const records = reader.list(() => ({ index: reader.int32(), message: reader.text() }));
  return { topic, partition, code, records, message: reader.text() };
}

class ResponseReader {
  readonly #payload: Buffer;
  #at = 0;

  constructor(payload: Buffer) {
    this.#payload = payload;
  }

  int16(): number {
    this.#at += 2;
    return this.#payload.readInt16BE(this.#at - 2);
  }

  int32(): number {
    this.#at += 4;
    return this.#payload.readInt32BE(this.#at - 4);
  }

  skip(bytes: number): void {
    this.#at += bytes;
  }

  text(): string | null {
    const length = this.int16();
    if (length < 0) return null;
    this.#at += length;
    return this.#payload.toString('utf8', this.#at - length, this.#at);
  }

  /** A null array reads as an empty one. */
  list<T>(read: () => T): T[] {
    const items: T[] = [];
    for (let left = this.int32(); left > 0; left--) items.push(read());
    return items;
  }
}
