import { ConnectorError } from '@levada/connect-runtime-core';
import type { Cluster } from '../cluster/cluster.ts';
import { readError } from '../model/broker-errors.ts';
import type { KafkaCalls } from '../wire/kafka-calls.ts';

/** Kafka's timestamps for the first offset and for the end. */
export const EARLIEST = -2;
/** See {@link EARLIEST}. */
export const LATEST = -1;

/** The offsets to request. */
export interface OffsetQuestion {
  readonly topic: string;
  /** Leader by partition. */
  readonly leaders: ReadonlyMap<number, number>;
  readonly time: typeof EARLIEST | typeof LATEST;
  /** Whether to request the end before the first open transaction instead of the end of all records. Default: false. */
  readonly committed?: boolean;
}

/** The offsets, and the failures of the other partitions. */
export interface OffsetAnswer {
  readonly offsets: ReadonlyMap<number, number>;
  readonly failures: ReadonlyMap<number, ConnectorError>;
}

/** Asks each leader once. Never rejects. */
export async function listOffsets(cluster: Cluster, question: OffsetQuestion): Promise<OffsetAnswer> {
  const offsets = new Map<number, number>();
  const failures = new Map<number, ConnectorError>();
  const byLeader = Map.groupBy(question.leaders.keys(), (partition) => question.leaders.get(partition) ?? -1);
  const ask = async ([leader, partitions]: [number, number[]]): Promise<void> => {
    try {
      const answer = await askLeader(cluster, question, { leader, partitions });
      for (const { partitionIndex: partition, errorCode, offset } of answer) {
        const what = `cannot read topic "${question.topic}" partition ${partition}`;
        if (errorCode === 0) offsets.set(partition, Number(offset));
        else failures.set(partition, readError(errorCode, what));
      }
    } catch (thrown) {
      for (const partition of partitions) failures.set(partition, ConnectorError.from(thrown));
    }
  };
  await Promise.all([...byLeader].map(ask));
  return { offsets, failures };
}

async function askLeader(
  cluster: Cluster,
  { topic, time, committed = false }: OffsetQuestion,
  { leader, partitions }: { readonly leader: number; readonly partitions: readonly number[] },
): Promise<KafkaCalls['ListOffsets']['answer']['topics'][number]['partitions']> {
  const rows = partitions.map((partitionIndex) => ({ partitionIndex, timestamp: BigInt(time) }));
  const answer = await cluster.call(leader, 'ListOffsets', {
    replicaId: -1,
    isolationLevel: committed ? 1 : 0,
    topics: [{ name: topic, partitions: rows }],
  });
  return answer.topics.flatMap((found) => found.partitions);
}
