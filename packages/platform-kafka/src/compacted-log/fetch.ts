import { ConnectorError } from '@levada/connect-runtime-core';
import type { FetchSettings } from '../client/client-config.ts';
import { readError } from '../model/broker-errors.ts';
import type { BrokerLink } from '../wire/broker-link.ts';
import { ByteReader } from '../wire/byte-reader.ts';

/** Kafka's api key of Fetch. */
export const FETCH = 1;

/**
 * The version used: the first that delivers zstd and the last before the rack of the reader; Kafka 2.1 to 4.x know it. Written
 * and read here, because kafkajs's reader loses batches from which the cleaner took every record.
 */
export const FETCH_VERSION = 10;

/** What to fetch of one topic. */
export interface FetchRequest {
  readonly clientId: string;
  readonly topic: string;
  /** Partition to the offset of the next record. */
  readonly positions: ReadonlyMap<number, number>;
  readonly settings: FetchSettings;
}

/** The request as one frame; the correlation id is still to be written at byte 8. */
export function encodeFetch({ clientId, topic, positions, settings }: FetchRequest): Buffer {
  const client = Buffer.from(clientId);
  const name = Buffer.from(topic);
  const frame = Buffer.alloc(14 + client.length + 37 + name.length + positions.size * 28 + 4);
  let at = frame.writeInt32BE(frame.length - 4, 0);
  at = frame.writeInt16BE(FETCH, at);
  at = frame.writeInt16BE(FETCH_VERSION, at);
  at = frame.writeInt16BE(client.length, at + 4);
  at += client.copy(frame, at);
  at = frame.writeInt32BE(-1, at); // no replica
  at = frame.writeInt32BE(settings.maxWaitMs, at);
  at = frame.writeInt32BE(1, at); // answer as soon as there is anything
  at = frame.writeInt32BE(settings.maxBytes, at);
  at = frame.writeInt8(1, at); // read committed: nothing of open transactions, and a list of aborted ones
  at = frame.writeInt32BE(0, at);
  at = frame.writeInt32BE(-1, at); // no session
  at = frame.writeInt32BE(1, at);
  at = frame.writeInt16BE(name.length, at);
  at += name.copy(frame, at);
  at = frame.writeInt32BE(positions.size, at);
  for (const [partition, position] of positions) {
    at = frame.writeInt32BE(partition, at);
    at = frame.writeInt32BE(-1, at); // leader epoch unknown
    at = frame.writeBigInt64BE(BigInt(position), at);
    at = frame.writeBigInt64BE(-1n, at);
    at = frame.writeInt32BE(settings.maxPartitionBytes, at);
  }
  return frame;
}

/** A transaction in a partition that was aborted. */
export interface AbortedTransaction {
  readonly producerId: number;
  readonly firstOffset: number;
}

/** One partition of an answer. */
export interface FetchedBatches {
  readonly partition: number;
  readonly errorCode: number;
  readonly highWatermark: number;
  /** Transactions that were aborted, of which there is something in the batches: producer, and the first offset of the transaction. */
  readonly aborted: readonly AbortedTransaction[];
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
  const aborted = reader.list(() => ({ producerId: reader.int64(), firstOffset: reader.int64() }));
  const batches = reader.bytes(reader.int32()) ?? Buffer.alloc(0);
  return { partition, errorCode, highWatermark, aborted, batches };
}

/** One fetch over a connection of its own: the broker answers when there is something, or after the time to wait. */
export async function fetchOnce(link: BrokerLink, request: FetchRequest): Promise<FetchResponse> {
  while (link.stale && link.closed === undefined) await link.renew();
  if (link.newestVersion(FETCH) < FETCH_VERSION && link.closed === undefined) {
    throw new ConnectorError('unsupported', 'the broker is older than Kafka 2.1');
  }
  const payload = await new Promise<Buffer>((resolve, reject) => {
    link.transmit([encodeFetch(request)], (error, bytes) =>
      bytes === null ? reject(error) : resolve(bytes),
    );
  });
  const answer = read(payload);
  if (answer.errorCode === 0) return answer;
  throw readError(answer.errorCode, `cannot read topic "${request.topic}"`);
}

function read(payload: Buffer): FetchResponse {
  try {
    return decodeFetch(payload);
  } catch (error) {
    throw new ConnectorError('protocol_error', 'the broker sent an answer that is cut off', { cause: error });
  }
}
