import { randomUUID } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import kafkajs, { type KafkaMessage } from 'kafkajs';
import type { ReachableBroker } from './broker.ts';
import { plainClient, untilLed, withAdmin } from './topics.ts';

// kafkajs reads this table of codecs from its module; zstd is not in it from the start.
const { CompressionCodecs, CompressionTypes } = kafkajs;
CompressionCodecs[CompressionTypes.ZSTD] = () => ({
  compress: async ({ buffer }: { readonly buffer: Buffer }) => zstdCompressSync(buffer),
  decompress: async (buffer: Buffer) => zstdDecompressSync(buffer),
});

/** A record as another client of Kafka reads it. */
export interface ReadRecord {
  readonly partition: number;
  readonly offset: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly headers: readonly (readonly [string, Buffer | null])[];
}

export interface ReadLimits {
  /** Default: 30 s. */
  readonly withinMs?: number;
  /** Waits this long for records beyond those asked for, so that a repeated one is seen. Default: 0. */
  readonly lingerMs?: number;
  /** Reads what is in open and aborted transactions too. Default: false. */
  readonly uncommitted?: boolean;
}

/**
 * Reads a topic from its beginning with kafkajs's consumer until `count` records were seen, in order per partition. Rejects
 * with the number seen when they do not come in time.
 */
export async function readTopic(
  broker: ReachableBroker,
  topic: string,
  { count, withinMs = 30_000, lingerMs = 0, uncommitted = false }: ReadLimits & { readonly count: number },
): Promise<readonly ReadRecord[]> {
  const consumer = plainClient(broker).consumer({
    groupId: `testkit-${randomUUID()}`,
    maxWaitTimeInMs: 100,
    readUncommitted: uncommitted,
  });
  const records: ReadRecord[] = [];
  /** A consumer that joins its group again begins again: that is no repeated record. */
  const next = new Map<number, number>();
  const complete = Promise.withResolvers<void>();
  const late = setTimeout(() => {
    complete.reject(new Error(`read ${records.length} of ${count} records of "${topic}" in ${withinMs} ms`));
  }, withinMs);
  try {
    await withAdmin(broker, (admin) => untilLed(admin, topic));
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatch: async ({ batch }) => {
        for (const message of batch.messages) {
          const record = readRecord(batch.partition, message);
          if (record.offset < (next.get(record.partition) ?? 0)) continue;
          next.set(record.partition, record.offset + 1);
          records.push(record);
        }
        if (records.length >= count) complete.resolve();
      },
    });
    if (count > 0) await complete.promise;
    if (lingerMs > 0) await new Promise((resolve) => setTimeout(resolve, lingerMs));
  } finally {
    clearTimeout(late);
    await consumer.disconnect();
  }
  return records;
}

/** Reads topics from their beginnings to the ends that they have now, all with one consumer; each in order per partition. */
export async function readTopicsToEnd(
  broker: ReachableBroker,
  topics: readonly string[],
  withinMs = 60_000,
): Promise<ReadonlyMap<string, readonly ReadRecord[]>> {
  const records = new Map(topics.map((topic) => [topic, [] as ReadRecord[]]));
  /** Offset after the last record, of partitions that have more to read. */
  const ends = new Map<string, number>();
  await withAdmin(broker, async (admin) => {
    for (const topic of topics)
      for (const { partition, low, high } of await admin.fetchTopicOffsets(topic))
        if (high !== low) ends.set(`${topic} ${partition}`, Number(high));
  });
  if (ends.size === 0) return records;
  const consumer = plainClient(broker).consumer({ groupId: `testkit-${randomUUID()}`, maxWaitTimeInMs: 100 });
  const next = new Map<string, number>();
  const complete = Promise.withResolvers<void>();
  const late = setTimeout(() => {
    complete.reject(new Error(`no end of ${[...ends.keys()].join(', ')} after ${withinMs} ms`));
  }, withinMs);
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachBatch: async ({ batch }) => {
        const place = `${batch.topic} ${batch.partition}`;
        for (const message of batch.messages) {
          const record = readRecord(batch.partition, message);
          if (record.offset < (next.get(place) ?? 0)) continue;
          next.set(place, record.offset + 1);
          records.get(batch.topic)?.push(record);
        }
        if ((next.get(place) ?? 0) >= (ends.get(place) ?? 0)) ends.delete(place);
        if (ends.size === 0) complete.resolve();
      },
    });
    await complete.promise;
  } finally {
    clearTimeout(late);
    await consumer.disconnect();
  }
  return records;
}

function readRecord(partition: number, message: KafkaMessage): ReadRecord {
  const { key, value, timestamp, offset, headers = {} } = message;
  const pairs = Object.entries(headers).flatMap(([name, found]) => {
    const values = Array.isArray(found) ? found : [found];
    return values.map((each) => [name, bytesOf(each)] as const);
  });
  return { partition, offset: Number(offset), key, value, timestamp: Number(timestamp), headers: pairs };
}

function bytesOf(value: Buffer | string | null | undefined): Buffer | null {
  return typeof value === 'string' ? Buffer.from(value) : (value ?? null);
}
