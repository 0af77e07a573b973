import type { FetchSettings } from '../client/client-config.ts';

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
  at = frame.writeInt8(0, at); // read uncommitted
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
