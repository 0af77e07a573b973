import { ConnectorError } from '@levada/connect-runtime-core';
import type { FetchSettings } from '../client/client-config.ts';
import { readError } from '../model/broker-errors.ts';
import type { BrokerLink } from '../wire/broker-link.ts';
import type { KafkaCalls } from '../wire/kafka-calls.ts';

/** Kafka's api key of Fetch. */
const FETCH = 1;

/** The first version that delivers zstd. Kafka 2.1 knows it. */
const LEAST_VERSION = 10;

/** Of transactions: nothing of open ones, and a list of aborted ones. */
const READ_COMMITTED = 1;

/** What to fetch of one topic. */
export interface FetchRequest {
  readonly topic: string;
  /** Partition to the offset of the next record. */
  readonly positions: ReadonlyMap<number, number>;
  readonly settings: FetchSettings;
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
  /** Transactions that were aborted, of which there is something in the batches: producer, and the first offset of the transaction. */
  readonly aborted: readonly AbortedTransaction[];
  /** Record batches one after the other, the last perhaps cut off. A view of the answer. */
  readonly batches: Buffer;
}

/** The answer to a request for one topic. */
export interface FetchResponse {
  /** The broker keeps silent for this long; it does so by itself. */
  readonly throttleMs: number;
  readonly partitions: readonly FetchedBatches[];
}

/** One fetch over a connection of its own: the broker answers when there is something, or after the time to wait. */
export async function fetchOnce(
  link: BrokerLink,
  { topic, positions, settings }: FetchRequest,
): Promise<FetchResponse> {
  if (link.newestVersion(FETCH) < LEAST_VERSION && link.closed === undefined) {
    throw new ConnectorError('unsupported', 'the broker is older than Kafka 2.1');
  }
  const partitions = [...positions].map(([partition, offset]) => ({
    partition,
    fetchOffset: BigInt(offset),
    partitionMaxBytes: settings.maxPartitionBytes,
  }));
  const answer = await link.call('Fetch', {
    maxWaitMs: settings.maxWaitMs,
    // As soon as there is anything.
    minBytes: 1,
    maxBytes: settings.maxBytes,
    isolationLevel: READ_COMMITTED,
    topics: [{ topic, partitions }],
  });
  if (answer.errorCode !== 0) throw readError(answer.errorCode, `cannot read topic "${topic}"`);
  const found = answer.responses.flatMap((response) => response.partitions);
  return { throttleMs: answer.throttleTimeMs, partitions: found.map(toBatches) };
}

type PartitionAnswer = KafkaCalls['Fetch']['answer']['responses'][number]['partitions'][number];

function toBatches({
  partitionIndex,
  errorCode,
  abortedTransactions,
  records,
}: PartitionAnswer): FetchedBatches {
  const aborted = (abortedTransactions ?? []).map(({ producerId, firstOffset }) => ({
    producerId: Number(producerId),
    firstOffset: Number(firstOffset),
  }));
  return { partition: partitionIndex, errorCode, aborted, batches: records ?? Buffer.alloc(0) };
}
