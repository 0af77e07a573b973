import { ByteReader } from '../wire/byte-reader.ts';

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
  const reader = new ByteReader(payload);
  const batches = reader.list(() => {
    const topic = reader.text() ?? '';
    return reader.list(() => readBatchAnswer(reader, topic, version));
  });
  return { batches: batches.flat(), throttleMs: reader.int32() };
}

function readBatchAnswer(reader: ByteReader, topic: string, version: number): BatchAnswer {
  const partition = reader.int32();
  const code = reader.int16();
  reader.skip(24); // base offset, time of appending, start of the log
  if (version < 8) return { topic, partition, code, message: null, records: [] };
  const records = reader.list(() => ({ index: reader.int32(), message: reader.text() }));
  return { topic, partition, code, records, message: reader.text() };
}
