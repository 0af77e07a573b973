import { ByteReader } from '../wire/byte-reader.ts';

/** One partition of an answer. */
export interface FetchedBatches {
  readonly partition: number;
  readonly errorCode: number;
  readonly highWatermark: number;
  /** Record batches one after the other, the last perhaps cut off. A view of the answer. */
  readonly batches: Buffer;
}

/** The answer to a request for one topic. */
export interface FetchResponse {
  /** The broker keeps silent for this long; it does so by itself. */
  readonly throttleMs: number;
  readonly errorCode: number;
  readonly partitions: readonly FetchedBatches[];
}

/** Reads an answer of version 10. Throws a RangeError when it is cut off. */
export function decodeFetch(payload: Buffer): FetchResponse {
  const reader = new ByteReader(payload);
  const throttleMs = reader.int32();
  const errorCode = reader.int16();
  reader.skip(4); // session
  const topics = reader.list(() => {
    reader.text();
    return reader.list(() => readPartition(reader));
  });
  return { throttleMs, errorCode, partitions: topics.flat() };
}

function readPartition(reader: ByteReader): FetchedBatches {
  const partition = reader.int32();
  const errorCode = reader.int16();
  const highWatermark = reader.int64();
  reader.skip(16); // last stable offset, start of the log
  const aborted = reader.int32();
  reader.skip(Math.max(0, aborted) * 16);
  const batches = reader.bytes(reader.int32()) ?? Buffer.alloc(0);
  return { partition, errorCode, highWatermark, batches };
}
