import { ConnectorError } from '@levada/connect-runtime-core';
import type { FetchSettings } from '../client/client-config.ts';
import { readError } from '../model/broker-errors.ts';
import type { BrokerLink } from '../wire/broker-link.ts';
import type { KafkaCalls } from '../wire/kafka-calls.ts';

/** Kafka's api key of Fetch. */
const FETCH = 1;

/** The first version with zstd, supported since Kafka 2.1. */
const LEAST_VERSION = 10;

/** Hides open transactions and lists aborted ones. */
const READ_COMMITTED = 1;

export interface FetchRequest {
  readonly topic: string;
  /** Offset of the next record by partition. */
  readonly positions: ReadonlyMap<number, number>;
  readonly settings: FetchSettings;
}

/** An aborted transaction in a partition. */
export interface AbortedTransaction {
  readonly producerId: number;
  readonly firstOffset: number;
}

/** One partition of a response. */
export interface FetchedBatches {
  readonly partition: number;
  readonly errorCode: number;
  /** Aborted transactions in the batches: producer, and first offset of the transaction. */
  readonly aborted: readonly AbortedTransaction[];
  /** Adjacent record batches; the last one may be cut off. A view of the response. */
  readonly batches: Buffer;
}

/** The response for one topic. */
export interface FetchResponse {
  /** The broker delays its next answer by this time itself. */
  readonly throttleMs: number;
  readonly partitions: readonly FetchedBatches[];
}

/** One fetch on a separate connection. The broker answers when there are records, or after the maximum wait. */
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
    // As soon as there are any records
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
